"""Writes small GGUF files."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

BLOCKS = {0: (1, 4), 8: (32, 34)}
"""Number of a type → elements and bytes of a block."""

ALIGNMENT = 32


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def gguf(tensors: Mapping[str, tuple[tuple[int, ...], int]]) -> bytes:
    """A file with zeros for weights.

    Args:
        tensors: Name → (lengths, the fastest first; number of the type).
    """
    values = text("general.name") + struct.pack("<I", 8) + text("tiny")
    values += text("tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("bc")
    values += text("ids") + struct.pack("<IIQ3i", 9, 5, 3, 1, 2, 3)
    described, data = b"", b""
    for name, (lengths, kind) in tensors.items():
        items, size = BLOCKS.get(kind, (1, 4))
        described += text(name) + struct.pack(f"<I{len(lengths)}Q", len(lengths), *lengths)
        described += struct.pack("<IQ", kind, len(data))
        data += bytes(math.prod(lengths) // items * size)
        data += bytes(-len(data) % ALIGNMENT)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), 3) + values + described
    whole = head + bytes(-len(head) % ALIGNMENT) + data
    return whole[: len(whole) - _padding_of_last(tensors)]


def _padding_of_last(tensors: Mapping[str, tuple[tuple[int, ...], int]]) -> int:
    lengths, kind = list(tensors.values())[-1]
    items, size = BLOCKS.get(kind, (1, 4))
    return -(math.prod(lengths) // items * size) % ALIGNMENT

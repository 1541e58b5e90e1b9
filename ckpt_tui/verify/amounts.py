"""How many bytes of a file will be read: what checks it and what scans it read it one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ckpt_tui.verify.options import Options

_UNPROTECTED = (".safetensors", ".npy", ".gguf", ".msgpack")
"""Endings of formats without a checksum: of these the check reads little more than the header."""


def expected_bytes(path: str, size_bytes: int, options: Options) -> int:
    """What is known before a file is open; it is known better once its scan begins.

    Args:
        path: Of the file.
        size_bytes: Its size.
        options: What is asked for.
    """
    scanned_too = options.finite and not path.endswith(_UNPROTECTED)
    return size_bytes * (1 + scanned_too + options.whole)

"""Writes msgpack as flax does, so that no test needs flax."""

from __future__ import annotations

import math
import struct
from typing import NamedTuple

ITEM_BYTES = {"float32": 4, "bfloat16": 2, "int32": 4, "uint32": 4, "int64": 8, "float16": 2}


class Array(NamedTuple):
    """An array of zeros, or of given bytes."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    data: bytes | None = None

    @property
    def payload(self) -> bytes:
        size = math.prod(self.shape) * ITEM_BYTES.get(self.dtype, 4)
        return bytes(size) if self.data is None else self.data


def number(value: int) -> Array:
    """A step or count, as an array without dimensions."""
    return Array((), "int32", value.to_bytes(4, "little"))


def pack(value: object) -> bytes:
    """One value, with the shortest heads that the format has for most."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return bytes((value,)) if 0 <= value < 128 else b"\xd3" + struct.pack(">q", value)
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, str):
        data = value.encode()
        return (
            bytes((0xA0 | len(data),)) if len(data) < 32 else b"\xd9" + bytes((len(data),))
        ) + data
    if isinstance(value, bytes):
        return b"\xc6" + struct.pack(">I", len(value)) + value
    if isinstance(value, Array):
        return extension(1, pack([list(value.shape), value.dtype, value.payload]))
    if isinstance(value, dict):
        pairs = b"".join(pack(key) + pack(part) for key, part in value.items())
        return b"\xde" + struct.pack(">H", len(value)) + pairs
    assert isinstance(value, list | tuple)
    return b"\xdc" + struct.pack(">H", len(value)) + b"".join(map(pack, value))


def extension(code: int, data: bytes) -> bytes:
    return b"\xc9" + struct.pack(">Ib", len(data), code) + data


def tree(kernel: Array | None = None) -> dict[str, object]:
    """A small model."""
    return {"dense": {"kernel": kernel or Array((4, 8)), "bias": Array((8,))}}


def state(step: int, **more: object) -> dict[str, object]:
    """What a loop with Adam and a schedule saves."""
    adam = {"count": number(step), "mu": tree(), "nu": tree()}
    return {
        "step": step,
        "params": tree(),
        "opt_state": {"0": adam, "1": {"count": number(step)}},
        **more,
    }

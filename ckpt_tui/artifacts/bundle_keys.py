"""Keys of a tensor bundle that name a slice of a tensor.

Such a key is written in TensorFlow's ordered code (`core/lib/strings/ordered_code.h`, 2.21): the
number 0, the tensor's name, how many dimensions it has, then start and length of each.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_SLICE: Final = b"\x00"
_END: Final = b"\x00\x01"
_ESCAPED: Final = ((b"\x00\xff", b"\x00"), (b"\xff\x00", b"\xff"))
_MOST_NUMBER_BYTES: Final = 8


class SliceKey(NamedTuple):
    """A key of a slice, read.

    Attributes:
        tensor: Name of the whole tensor.
        starts: Index of its first element in each dimension; empty where they cannot be told.
    """

    tensor: bytes
    starts: tuple[int, ...]


def read_slice_key(key: bytes) -> SliceKey | None:
    """Reads a key; None where it is a plain name."""
    if not key.startswith(_SLICE):
        return None
    name, end, rest = key[len(_SLICE) :].partition(_END)
    if not end:
        return None
    for escaped, plain in _ESCAPED:
        name = name.replace(escaped, plain)
    return SliceKey(name, _starts(rest))


def _starts(code: bytes) -> tuple[int, ...]:
    """Every other of the numbers behind the count of dimensions."""
    width = code[0] if code else 0
    at = 1 + width
    dimensions = int.from_bytes(code[1:at], "big")
    if width > 1 or len(code) < at + 2 * dimensions:
        return ()
    numbers = []
    for _ in range(2 * dimensions):
        told = _signed(code, at)
        if told is None:
            return ()
        numbers.append(told[0])
        at = told[1]
    return tuple(numbers[::2])


def _signed(code: bytes, at: int) -> tuple[int, int] | None:
    """The number at a place and the place after it; the leading ones of a byte count the bytes.

    The one negative number of slices is -1, in one byte: as a length it stands for "all".
    """
    if at >= len(code):
        return None
    first = code[at]
    if first < 0x80:
        return (first - 0x80, at + 1) if first >= 0x40 else None
    width = 8 - (first ^ 0xFF).bit_length()
    part = code[at : at + width]
    if len(part) < width or width > _MOST_NUMBER_BYTES:
        return None
    return int.from_bytes(part, "big") & ((1 << 7 * width) - 1), at + width

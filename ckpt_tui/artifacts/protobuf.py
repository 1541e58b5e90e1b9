"""Walks the fields of one protocol buffer message, without its description.

The wire format is that of the public description "Encoding" of Protocol Buffers: each field is a
varint key (number << 3 | type) and a value whose type says how long it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from collections.abc import Iterator

VARINT: Final = 0
FIXED64: Final = 1
BYTES: Final = 2
FIXED32: Final = 5

_MOST_VARINT_BITS: Final = 70
_SIGN_BIT: Final = 1 << 63


def read_varint(data: bytes, at: int, name: str = "") -> tuple[int, int]:
    """Returns the number that begins at `at`, below 2**64, and the place after it.

    Raises:
        ArtifactError: `unreadable-archive`: it has no end, or more than ten bytes.
    """
    result = shift = 0
    try:
        if data[at] < 0x80:  # most are one byte
            return data[at], at + 1
        while True:
            byte = data[at]
            at += 1
            result |= (byte & 0x7F) << shift
            if byte < 0x80:
                return result & 0xFFFFFFFFFFFFFFFF, at
            shift += 7
            if shift >= _MOST_VARINT_BITS:
                _refuse("a number has more than ten bytes", name)
    except IndexError:
        _refuse("a number ends before its last byte", name)


def signed(number: int) -> int:
    """A number that a field of a signed type holds: two's complement of 64 bits."""
    return number - 2 * _SIGN_BIT if number & _SIGN_BIT else number


def fields(data: bytes, name: str = "") -> Iterator[tuple[int, int, int | bytes]]:
    """Yields (number of the field, its wire type, its value), in the message's order.

    The value is a number below 2**64 for `VARINT`, `FIXED32` and `FIXED64`, and bytes else. At most
    one field per two bytes of the message is yielded.

    Args:
        data: The message.
        name: The path to show in messages.

    Raises:
        ArtifactError: `unreadable-archive`: the bytes are no message.
    """
    at, end = 0, len(data)
    while at < end:
        key, at = read_varint(data, at, name)
        number, kind = key >> 3, key & 7
        if number == 0:
            _refuse("a field has number 0", name)
        if kind == VARINT:
            value, at = read_varint(data, at, name)
            yield number, kind, value
            continue
        if kind == BYTES:
            length, at = read_varint(data, at, name)
        elif kind in (FIXED32, FIXED64):
            length = 4 if kind == FIXED32 else 8
        else:
            _refuse(f"field {number} has type {kind}, which no message of this kind has", name)
        if length > end - at:
            _refuse(f"field {number} needs {length} bytes, but {end - at} are left", name)
        part = data[at : at + length]
        at += length
        yield number, kind, part if kind == BYTES else int.from_bytes(part, "little")


def _refuse(message: str, name: str) -> NoReturn:
    raise ArtifactError("unreadable-archive", f"protocol buffer: {message}", name)

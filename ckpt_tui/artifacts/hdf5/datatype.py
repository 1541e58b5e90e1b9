"""Datatypes and dataspaces: what one element is, and how many there are."""

from __future__ import annotations

import math
import struct
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.view import View

_MOST_DIMENSIONS = 32
_LONGEST = 1 << 62


class Class(StrEnum):
    """The classes of datatypes that say something here."""

    INTEGER = "integer"
    FLOAT = "float"
    STRING = "string"
    VARIABLE_STRING = "variable-string"
    OTHER = "other"


class Datatype(NamedTuple):
    """One element.

    Attributes:
        kind: Its class.
        name: As numpy names it: `float32`, `int64`, `bfloat16`; "" for a class without such.
        size_bytes: In the file.
        big_endian: Byte order of numbers.
        signed: Whether an integer has a sign.
    """

    kind: Class
    name: str
    size_bytes: int
    big_endian: bool = False
    signed: bool = False

    @property
    def is_number(self) -> bool:
        """Whether its elements are integers or floating numbers."""
        return self.kind in (Class.INTEGER, Class.FLOAT)


_CLASSES = {
    2: "time", 4: "bitfield", 5: "opaque", 6: "compound", 7: "reference", 8: "enum",
    9: "sequence", 10: "array",
}  # fmt: skip
_INTEGER, _FLOATING, _STRING, _ENUM, _VARIABLE = 0, 1, 3, 8, 9

_FLOATS = {
    # Size, sign, offset, precision, place and bits of exponent and mantissa, bias.
    (4, 31, 0, 32, 23, 8, 0, 23, 127): "float32",
    (8, 63, 0, 64, 52, 11, 0, 52, 1023): "float64",
    (2, 15, 0, 16, 10, 5, 0, 10, 15): "float16",
    (2, 15, 0, 16, 7, 8, 0, 7, 127): "bfloat16",
}
_FLOAT = struct.Struct("<HH4BI")
"""What follows the eight bytes that all datatypes have."""


def read_datatype(view: View, data: bytes) -> Datatype:
    """The datatype that a message holds.

    Raises:
        ArtifactError: `unreadable-archive`: there is no such type.
    """
    if len(data) < 8:
        raise view.wrong("a datatype ends in the middle")
    kind, version = data[0] & 0x0F, data[0] >> 4
    bits = int.from_bytes(data[1:4], "little")
    size = int.from_bytes(data[4:8], "little")
    if not 1 <= version <= 5 or (kind not in _CLASSES and kind not in (0, 1, 3)) or not size:
        raise view.wrong(f"a datatype of class {kind}, version {version} and {size} bytes")
    if kind == _INTEGER:
        return _integer(view, data, bits, size)
    if kind == _FLOATING:
        return _float(view, data, bits, size)
    if kind == _STRING:
        return Datatype(Class.STRING, "string", size)
    if kind == _VARIABLE and bits & 0x0F == 1:
        return Datatype(Class.VARIABLE_STRING, "string", size)
    if kind == _ENUM and size == 1:
        return Datatype(Class.OTHER, "bool", size)
    return Datatype(Class.OTHER, _CLASSES[kind], size)


def _integer(view: View, data: bytes, bits: int, size: int) -> Datatype:
    signed = bool(bits & 0x08)
    offset, precision = (int.from_bytes(data[at : at + 2], "little") for at in (8, 10))
    if offset or precision != 8 * size:
        raise view.wrong(f"an integer datatype with {precision} of {8 * size} bits")
    name = f"{'int' if signed else 'uint'}{8 * size}"
    return Datatype(Class.INTEGER, name, size, bool(bits & 1), signed)


def _float(view: View, data: bytes, bits: int, size: int) -> Datatype:
    parts = _FLOAT.unpack_from(data, 8) if len(data) >= 8 + _FLOAT.size else ()
    name = _FLOATS.get((size, bits >> 8 & 0xFF, *parts))
    if name is None:
        raise view.wrong(f"a floating datatype of {size} bytes that numpy has not")
    return Datatype(Class.FLOAT, name, size, bool(bits & 1))


def read_shape(view: View, data: bytes) -> tuple[int, ...] | None:
    """The dimensions that a dataspace message holds; () for one element, None for none at all.

    Raises:
        ArtifactError: `unreadable-archive`.
    """
    if len(data) < 4:
        raise view.wrong("a dataspace ends in the middle")
    version, rank, flags, kind = data[:4]
    if version not in (1, 2) or rank > _MOST_DIMENSIONS or flags > 3:
        raise view.wrong(f"a dataspace of version {version} with {rank} dimensions")
    if version == 2 and (kind > 2 or (kind != 1 and rank)):
        raise view.wrong(f"a dataspace of the unknown kind {kind}")
    if version == 2 and kind == 2:
        return None
    at = 8 if version == 1 else 4
    width = view.length_bytes
    shape = tuple(view.length_at(data, at + width * number) for number in range(rank))
    if math.prod(shape) > _LONGEST:
        raise view.wrong(f"a dataspace of {rank} dimensions with too many elements")
    if flags & 1:
        most = [view.length_at(data, at + width * (rank + number)) for number in range(rank)]
        if any(length > bound for length, bound in zip(shape, most, strict=True)):
            raise view.wrong("a dataspace is larger than its own bound")
    return shape

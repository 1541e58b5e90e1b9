"""Reads the header of a GGUF file: weights for llama.cpp, versions 2 and 3.

The layout is that of https://github.com/ggml-org/ggml/blob/master/docs/gguf.md: magic, version,
counts, pairs of key and value, one description per tensor, then the data, aligned.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import Deadline, Limits
from ckpt_tui.artifacts.msgpack_tokens import Cursor
from ckpt_tui.artifacts.source import require_content
from ckpt_tui.artifacts.stored_array import StoredArray

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.source import Source

MAGIC: Final = b"GGUF"

_VERSIONS: Final = (2, 3)
_MOST_DIMENSIONS: Final = 4
_LONGEST_NAME: Final = 64 * 1024
_USUAL_ALIGNMENT: Final = 32
_ALIGNMENT: Final = "general.alignment"
_KEPT_TEXT: Final = 1000
_BETWEEN_CHECKS: Final = 1024
_MOST_ELEMENTS: Final = 1 << 62

_SCALARS: Final = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
_STRING: Final = 8
_LIST: Final = 9

_TYPES: Final = {
    0: ("float32", 1, 4), 1: ("float16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20),
    6: ("Q5_0", 32, 22), 7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34),
    10: ("Q2_K", 256, 84), 11: ("Q3_K", 256, 110), 12: ("Q4_K", 256, 144),
    13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210), 15: ("Q8_K", 256, 292),
    16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74), 18: ("IQ3_XXS", 256, 98),
    19: ("IQ1_S", 256, 50), 20: ("IQ4_NL", 32, 18), 21: ("IQ3_S", 256, 110),
    22: ("IQ2_S", 256, 82), 23: ("IQ4_XS", 256, 136), 24: ("int8", 1, 1), 25: ("int16", 1, 2),
    26: ("int32", 1, 4), 27: ("int64", 1, 8), 28: ("float64", 1, 8), 29: ("IQ1_M", 256, 56),
    30: ("bfloat16", 1, 2), 34: ("TQ1_0", 256, 54), 35: ("TQ2_0", 256, 66),
    39: ("MXFP4", 32, 17), 40: ("NVFP4", 64, 36), 41: ("Q1_0", 128, 18),
}  # fmt: skip
"""Number of a type → its name, elements in a block, bytes of a block."""


class GgufHeader(NamedTuple):
    """What the header says.

    Attributes:
        version: 2 or 3.
        values: Keys with scalars and short texts; longer ones and lists are None.
        tensors: By name, in the order of the file; shapes with the slowest dimension first.
    """

    version: int
    values: Mapping[str, object]
    tensors: Mapping[str, StoredArray]


def read_gguf_header(source: Source, limits: Limits) -> GgufHeader:
    """The header of a file, checked against the file's size.

    Raises:
        ArtifactError: `empty-file`, `truncated-file`, `unreadable-archive`, `unsupported-version`,
            `limit-exceeded`.
    """
    require_content(source)
    return _Reading(source, limits).header()


class _Reading:
    """One pass over a header."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self._cursor = Cursor(source, 0, source.size)
        self._deadline = Deadline(limits, source.name)
        self._limits = limits
        self._order = "<"
        self._read = 0

    def header(self) -> GgufHeader:
        if self._cursor.take(4) != MAGIC:
            raise self._cursor.error("unreadable-archive", "it does not begin with GGUF")
        version = self._version()
        tensor_count, value_count = self._number("Q"), self._number("Q")
        values: dict[str, object] = {}
        for _ in range(value_count):
            key = self._text()
            if key in values:
                raise self._cursor.error("unreadable-archive", f"key {key!r} is there twice")
            values[key] = self._value(self._number("I"))
        described = [self._tensor() for _ in range(tensor_count)]
        return GgufHeader(version, values, self._placed(described, values))

    def _version(self) -> int:
        version = self._number("I")
        if version and not version & 0xFFFF:  # written on a machine of the other byte order
            self._order = ">"
            version = int.from_bytes(version.to_bytes(4, "little"), "big")
        if version not in _VERSIONS:
            raise self._cursor.error(
                "unsupported-version", f"it is of version {version}, of which nothing is known"
            )
        return version

    def _placed(
        self, described: list[tuple[str, StoredArray, int]], values: Mapping[str, object]
    ) -> dict[str, StoredArray]:
        """The tensors at their places in the file: the data begin at the next aligned byte."""
        alignment = values.get(_ALIGNMENT, _USUAL_ALIGNMENT)
        if not isinstance(alignment, int) or alignment < 1:
            raise self._cursor.error("unreadable-archive", f"its alignment is {alignment}")
        data = -(-self._cursor.position // alignment) * alignment
        size = self._cursor.position + self._cursor.left
        found: dict[str, StoredArray] = {}
        for name, array, offset in described:
            if name in found or offset % alignment:
                raise self._cursor.error(
                    "unreadable-archive", f"tensor {name!r} is there twice, or not aligned"
                )
            end = data + offset + array.size_bytes
            if end > size:
                raise self._cursor.error(
                    "truncated-file",
                    f"tensor {name!r} reaches to byte {end}, but the file has only {size}",
                )
            found[name] = array._replace(pieces=((data + offset, array.size_bytes),))
        return found

    def _tensor(self) -> tuple[str, StoredArray, int]:
        name = self._text()
        dimensions = self._number("I")
        if dimensions > _MOST_DIMENSIONS:
            raise self._cursor.error(
                "unreadable-archive", f"tensor {name!r} has {dimensions} dimensions"
            )
        lengths = [self._number("Q") for _ in range(dimensions)]
        kind = _TYPES.get(number := self._number("I"))
        if kind is None:
            raise self._cursor.error(
                "unsupported-version", f"tensor {name!r} is of type {number}, which is not known"
            )
        dtype, block, block_bytes = kind
        elements = math.prod(lengths)
        if elements >= _MOST_ELEMENTS or (lengths and lengths[0] % block):
            raise self._cursor.error(
                "unreadable-archive", f"tensor {name!r} has rows that are no multiple of {block}"
            )
        size_bytes = elements // block * block_bytes
        array = StoredArray(
            dtype, tuple(reversed(lengths)), size_bytes, big_endian=self._order == ">"
        )
        return name, array, self._number("Q")

    def _value(self, kind: int) -> object:
        if kind == _STRING:
            return self._text(keep=_KEPT_TEXT)
        if kind == _LIST:
            self._list()
            return None
        if kind not in _SCALARS:
            raise self._cursor.error("unreadable-archive", f"a value is of the unknown type {kind}")
        return self._unpack(_SCALARS[kind])

    def _list(self) -> None:
        """A list is passed over: a vocabulary has a hundred thousand texts."""
        kind, length = self._number("I"), self._number("Q")
        if kind in _SCALARS:
            self._cursor.skip(length * struct.calcsize("<" + _SCALARS[kind]))
            return
        if kind != _STRING:
            raise self._cursor.error("unreadable-archive", f"a list is of the unknown type {kind}")
        for _ in range(length):
            self._count()
            self._cursor.skip(self._number("Q"))

    def _text(self, keep: int = _LONGEST_NAME) -> str:
        self._count()
        length = self._number("Q")
        if length > keep and keep == _LONGEST_NAME:
            raise self._cursor.error("unreadable-archive", f"a name has {length} bytes")
        if length > keep:
            self._cursor.skip(length)
            return ""
        try:
            return self._cursor.take(length).decode()
        except UnicodeDecodeError:
            raise self._cursor.error("unreadable-archive", "a name is no UTF-8") from None

    def _count(self) -> None:
        self._read += 1
        if self._read % _BETWEEN_CHECKS == 0:
            self._deadline.check()

    def _number(self, code: str) -> int:
        value = self._unpack(code)
        return value if isinstance(value, int) else 0

    def _unpack(self, code: str) -> object:
        form = struct.Struct(self._order + code)
        return form.unpack(self._cursor.take(form.size))[0]

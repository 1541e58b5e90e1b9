"""Reads the header of a numpy array file: `numpy.lib.format` versions 1.0, 2.0 and 3.0.

The header is the text of a dictionary with the keys `descr`, `fortran_order` and `shape`; numpy
refuses any other keys, and one of more than 10,000 characters.
"""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.numpy_dtypes import Dtype, dtype_of_name
from ckpt_tui.artifacts.source import read_exactly, require_content
from ckpt_tui.artifacts.stored_array import KEPT_BYTES, StoredArray

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

MAGIC: Final = b"\x93NUMPY"

_VERSION_AT: Final = len(MAGIC)
_LENGTH_BYTES: Final = {(1, 0): 2, (2, 0): 4, (3, 0): 4}
_LONGEST: Final = 10_000
_KEYS: Final = frozenset({"descr", "fortran_order", "shape"})
_MOST_DIMENSIONS: Final = 64
_MOST_ELEMENTS: Final = 1 << 62
_MOST_ITEM_BYTES: Final = 1 << 31
_DEEPEST: Final = 8
_OLD_NUMBER: Final = re.compile(r"(?<=\d)L")


class NpyHeader(NamedTuple):
    """What the header says.

    Attributes:
        dtype: The kind of element; several fields together are `void`.
        shape: Its lengths.
        data_begin: Where the elements begin, or their pickle.
    """

    dtype: Dtype
    shape: tuple[int, ...]
    data_begin: int

    @property
    def data_bytes(self) -> int:
        """Bytes of all elements; of objects it is not known."""
        return math.prod(self.shape) * self.dtype.item_bytes


def read_npy_header(source: Source) -> NpyHeader:
    """The header at the beginning of a source.

    Raises:
        ArtifactError: `empty-file`, `truncated-file`, `unreadable-archive` for what numpy refuses.
    """
    require_content(source)
    start = read_exactly(source, 0, _VERSION_AT + 2, "the array's magic")
    if start[:_VERSION_AT] != MAGIC:
        raise _wrong(source, "it does not begin as an array of numpy does")
    width = _LENGTH_BYTES.get((start[_VERSION_AT], start[_VERSION_AT + 1]))
    if width is None:
        version = f"{start[_VERSION_AT]}.{start[_VERSION_AT + 1]}"
        raise _wrong(source, f"the array is of version {version}, which numpy does not know")
    at = len(start)
    length = int.from_bytes(read_exactly(source, at, width, "the length of the header"), "little")
    at += width
    if at + length > source.size:
        raise ArtifactError(
            "truncated-file",
            f"the header needs {length} bytes, but only {source.size - at} are there",
            source.name,
        )
    if length > _LONGEST:
        message = f"the header of {length} bytes is longer than the {_LONGEST} that numpy reads"
        raise ArtifactError("limit-exceeded", message, source.name)
    text = read_exactly(source, at, length, "the header")
    fields = _fields(
        source, text.decode("utf-8" if start[_VERSION_AT] == 3 else "latin-1", "replace")
    )
    return NpyHeader(_dtype(source, fields["descr"]), _shape(source, fields), at + length)


def read_npy(source: Source) -> StoredArray:
    """The array of a file of its own; its elements are not read. One of objects has no pieces.

    Raises:
        ArtifactError: `truncated-file` where elements are missing; what the header raised.
    """
    header = read_npy_header(source)
    return stored_array(header, source, 0)


def stored_array(header: NpyHeader, source: Source, base: int) -> StoredArray:
    """The array behind a header.

    Args:
        header: What was read at the beginning of `source`.
        source: The array's bytes.
        base: Where they begin in the file.

    Raises:
        ArtifactError: `truncated-file` where elements are missing.
    """
    left = source.size - header.data_begin
    name = header.dtype.name
    if header.dtype.has_objects:
        return StoredArray(name, header.shape, left)
    size_bytes = header.data_bytes
    if size_bytes > left:
        raise ArtifactError(
            "truncated-file",
            f"its elements need {size_bytes} bytes, but only {left} are there",
            source.name,
        )
    raw = source.read_at(header.data_begin, size_bytes) if size_bytes <= KEPT_BYTES else b""
    pieces = ((base + header.data_begin, size_bytes),)
    return StoredArray(name, header.shape, size_bytes, pieces, "", raw, header.dtype.big_endian)


def _fields(source: Source, text: str) -> dict[str, object]:
    for candidate in (text, _OLD_NUMBER.sub("", text)):  # Python 2 wrote `(3L, 4L)`
        try:
            value = ast.literal_eval(candidate.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
        if isinstance(value, dict) and value.keys() == _KEYS:
            return value
        break
    raise _wrong(source, "the header of the array is no dictionary of descr, fortran_order, shape")


def _shape(source: Source, fields: dict[str, object]) -> tuple[int, ...]:
    shape = fields["shape"]
    good = (
        isinstance(shape, tuple)
        and len(shape) <= _MOST_DIMENSIONS
        and isinstance(fields["fortran_order"], bool)
        and all(isinstance(n, int) and 0 <= n < _MOST_ELEMENTS for n in shape)
    )
    if not good or not isinstance(shape, tuple) or math.prod(shape) >= _MOST_ELEMENTS:
        raise _wrong(source, "the header of the array has no shape that can be")
    return shape


def _dtype(source: Source, descr: object) -> Dtype:
    found = _of_descr(descr, 0)
    if found is None:
        raise _wrong(source, f"the array is of the dtype {str(descr)[:60]!r}, which numpy has not")
    return found


def _of_descr(descr: object, depth: int) -> Dtype | None:
    """A code, a list of fields (name, descr[, shape]), or a descr with a shape of its own."""
    if isinstance(descr, str):
        return dtype_of_name(descr)
    if depth >= _DEEPEST:
        return None
    if isinstance(descr, tuple):
        return _repeated(_of_descr(descr[0], depth + 1), descr[1]) if len(descr) == 2 else None
    if not isinstance(descr, list):
        return None
    size, has_objects = 0, False
    for field in descr:
        if not isinstance(field, tuple) or len(field) not in (2, 3):
            return None
        part = _of_descr(field[1], depth + 1)
        part = _repeated(part, field[2]) if len(field) == 3 else part
        if part is None:
            return None
        size += part.item_bytes
        if size >= _MOST_ITEM_BYTES:
            return None
        has_objects = has_objects or part.has_objects
    return Dtype(f"void{8 * size}", size, has_objects)


def _repeated(part: Dtype | None, shape: object) -> Dtype | None:
    lengths = shape if isinstance(shape, tuple) else (shape,)
    if part is None or not all(isinstance(n, int) and 0 <= n < _MOST_ELEMENTS for n in lengths):
        return None
    item_bytes = part.item_bytes * math.prod(lengths)
    if item_bytes >= _MOST_ITEM_BYTES:
        return None
    return Dtype(part.name, item_bytes, part.has_objects)


def _wrong(source: Source, message: str) -> ArtifactError:
    return ArtifactError("unreadable-archive", message, source.name)

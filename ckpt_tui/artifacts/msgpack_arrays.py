"""Arrays in msgpack, as flax and others write them (`flax/serialization.py`).

flax: extension 1 is an array and 3 a scalar of numpy, each with (shape, name of the dtype, bytes)
in msgpack of its own; 2 is a complex number. An array above 1 GiB is a map of flat chunks.
`msgpack_numpy` writes a map with the keys `nd`, `type`, `shape` and `data`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.msgpack_tokens import Cursor, Kind, read_token
from ckpt_tui.artifacts.numpy_dtypes import Dtype, dtype_of_code, dtype_of_name
from ckpt_tui.artifacts.stored_array import KEPT_BYTES, StoredArray

if TYPE_CHECKING:
    from collections.abc import Mapping

ARRAY: Final = 1
COMPLEX: Final = 2
SCALAR: Final = 3
CHUNKED: Final = "__msgpack_chunked_array__"

_MOST_DIMENSIONS: Final = 64
_LONGEST_NAME: Final = 64


def read_array(cursor: Cursor) -> StoredArray:
    """Reads the head of an array that fills the extension under a cursor; its bytes are passed.

    Raises:
        ArtifactError: `unreadable-archive`: it is none, or its bytes do not fit its shape.
    """
    opening = read_token(cursor)
    if opening.kind is not Kind.LIST or opening.length != 3:
        raise _wrong(cursor, "an array is no list of shape, dtype and bytes")
    lengths = _shape(cursor)
    dtype = _dtype(cursor)
    token = read_token(cursor)
    if token.kind not in (Kind.BINARY, Kind.STRING):
        raise _wrong(cursor, "an array has no bytes")
    begin = cursor.skip(token.length)
    if cursor.left:
        raise _wrong(cursor, f"{cursor.left} bytes follow an array's bytes")
    shape = _fitted(cursor, lengths, dtype, token.length)
    raw = b""
    if token.length <= KEPT_BYTES:
        cursor.position = begin
        raw = cursor.take(token.length)
    big = dtype.big_endian
    return StoredArray(dtype.name, shape, token.length, ((begin, token.length),), "", raw, big)


def check_complex(cursor: Cursor) -> complex:
    """Reads a complex number that fills the extension under a cursor.

    Raises:
        ArtifactError: `unreadable-archive`: it is no pair of numbers.
    """
    opening = read_token(cursor)
    if opening.kind is not Kind.LIST or not 2 <= opening.length <= 9:
        raise _wrong(cursor, "a complex number is no pair")
    numbers = [read_token(cursor).value for _ in range(opening.length)]
    real, imaginary = numbers[:2]
    if not isinstance(real, int | float) or not isinstance(imaginary, int | float) or cursor.left:
        raise _wrong(cursor, "a complex number is no pair of numbers")
    return complex(real, imaginary)


def folded(found: Mapping[object, object]) -> StoredArray | None:
    """The array that a map stands for: one in chunks, or one of `msgpack_numpy`; else None.

    Raises:
        ArtifactError: `unreadable-archive`: its chunks do not fit its shape.
    """
    if CHUNKED in found:
        return _of_chunks(found)
    plain = {k.decode("latin-1") if isinstance(k, bytes) else k: v for k, v in found.items()}
    data, shape = plain.get("data"), plain.get("shape")
    if not isinstance(data, StoredArray) or not isinstance(shape, list | tuple):
        return None
    code = plain.get("type", plain.get("dtype"))
    name = code.decode("latin-1") if isinstance(code, bytes) else code
    dtype = dtype_of_name(name) if isinstance(name, str) else None
    if dtype is None or not all(isinstance(n, int) and n >= 0 for n in shape):
        return None
    if math.prod(shape) * dtype.item_bytes != data.size_bytes:
        return None
    return data._replace(dtype=dtype.name, shape=tuple(shape), big_endian=dtype.big_endian)


def _of_chunks(found: Mapping[object, object]) -> StoredArray:
    lengths, chunks = _counted(found.get("shape")), _counted(found.get("chunks"))
    arrays = [chunk for chunk in chunks or () if isinstance(chunk, StoredArray) and chunk.shape]
    if lengths is None or not arrays or len(arrays) != len(chunks or ()):
        raise ArtifactError("unreadable-archive", "an array in chunks lacks its shape or a chunk")
    size_bytes = sum(chunk.size_bytes for chunk in arrays)
    elements = sum(math.prod(chunk.shape) for chunk in arrays)
    whole = [length for length in lengths if type(length) is int]
    shape = _filled(whole, elements) if len(whole) == len(lengths) else None
    if shape is None:
        raise ArtifactError(
            "unreadable-archive",
            f"the chunks of an array hold {elements} elements, which its shape does not",
        )
    pieces = tuple(piece for chunk in arrays for piece in chunk.pieces)
    first = arrays[0]
    return StoredArray(first.dtype, shape, size_bytes, pieces, "", b"", first.big_endian)


def _counted(value: object) -> list[object] | None:
    """The values under "0", "1", … in order; None where one is missing."""
    if not isinstance(value, dict):
        return None
    keys = [str(number) for number in range(len(value))]
    return [value[key] for key in keys] if all(key in value for key in keys) else None


def _shape(cursor: Cursor) -> list[int] | None:
    """The stored shape; None stands for "flat", a negative length for what is left over."""
    token = read_token(cursor)
    if token.kind is Kind.SCALAR and (token.value is None or type(token.value) is int):
        return None if token.value is None else [token.value]
    if token.kind is not Kind.LIST or token.length > _MOST_DIMENSIONS:
        raise _wrong(cursor, "an array's shape is no short list of lengths")
    lengths = [read_token(cursor).value for _ in range(token.length)]
    if any(type(length) is not int for length in lengths):
        raise _wrong(cursor, "an array's shape holds something that is no length")
    return [length for length in lengths if isinstance(length, int)]


def _dtype(cursor: Cursor) -> Dtype:
    token = read_token(cursor)
    if token.kind not in (Kind.BINARY, Kind.STRING) or token.length > _LONGEST_NAME:
        raise _wrong(cursor, "an array has no dtype")
    name = cursor.take(token.length).decode("latin-1")
    dtype = dtype_of_name(name) or dtype_of_code(name)
    if dtype is None or dtype.has_objects or not dtype.item_bytes:
        raise _wrong(cursor, f"an array is of dtype {name!r}, which numpy cannot load by that name")
    return dtype


def _fitted(cursor: Cursor, lengths: list[int] | None, dtype: Dtype, size: int) -> tuple[int, ...]:
    elements, odd = divmod(size, dtype.item_bytes)
    if odd:
        raise _wrong(cursor, f"an array has {size} bytes, no multiple of {dtype.item_bytes}")
    if lengths is None:
        return (elements,)
    shape = _filled(lengths, elements)
    if shape is None:
        shown = "x".join(map(str, lengths)) or "scalar"
        raise _wrong(cursor, f"an array of shape {shown} and dtype {dtype.name} has {size} bytes")
    return shape


def _filled(lengths: list[int], elements: int) -> tuple[int, ...] | None:
    """A shape with its one negative length filled in, as numpy does; None where it does not fit."""
    known = math.prod(length for length in lengths if length >= 0)
    open_ones = sum(length < 0 for length in lengths)
    if open_ones == 1 and known and elements % known == 0:
        return tuple(length if length >= 0 else elements // known for length in lengths)
    return None if open_ones or known != elements else tuple(lengths)


def _wrong(cursor: Cursor, message: str) -> ArtifactError:
    return cursor.error("unreadable-archive", message)

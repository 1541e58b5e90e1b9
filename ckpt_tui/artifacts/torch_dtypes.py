"""Names, sizes and scalar values of torch's data types."""

from __future__ import annotations

import struct
from typing import Final

ITEM_BYTES: Final = {
    "bool": 1, "uint8": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
    "uint16": 2, "uint32": 4, "uint64": 8,
    "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8,
    "complex32": 4, "complex64": 8, "complex128": 16,
    "float8_e4m3fn": 1, "float8_e5m2": 1, "float8_e4m3fnuz": 1, "float8_e5m2fnuz": 1,
    "float8_e8m0fnu": 1, "float4_e2m1fn_x2": 1,
    "quint8": 1, "qint8": 1, "qint32": 4, "quint4x2": 1, "quint2x4": 1,
    "bits8": 1, "bits16": 2, "bits1x8": 1, "bits2x4": 1, "bits4x2": 1,
}  # fmt: skip

ELEMENTS_PER_ITEM: Final = {"quint4x2": 2, "quint2x4": 4}
"""Quantized types whose elements share a byte; a storage counts the bytes."""

# An untyped storage counts bytes.
STORAGE_DTYPES: Final = {
    "ByteStorage": "uint8", "CharStorage": "int8", "ShortStorage": "int16",
    "IntStorage": "int32", "LongStorage": "int64", "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16", "FloatStorage": "float32", "DoubleStorage": "float64",
    "BoolStorage": "bool", "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128", "QUInt8Storage": "quint8", "QInt8Storage": "qint8",
    "QInt32Storage": "qint32", "QUInt4x2Storage": "quint4x2", "QUInt2x4Storage": "quint2x4",
    "UntypedStorage": "uint8",
}  # fmt: skip

# Other spellings: torch.float is torch.float32.
_ALIASES: Final = {
    "half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32",
    "long": "int64", "cfloat": "complex64", "cdouble": "complex128", "chalf": "complex32",
}  # fmt: skip

_INTEGERS: Final = {
    "uint8": "B", "int8": "b", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
    "int64": "q", "uint64": "Q", "bool": "?",
}  # fmt: skip
_FLOATS: Final = {"float16": "e", "float32": "f", "float64": "d"}
NUMBER_CODES: Final = {**_INTEGERS, **_FLOATS}
"""Codes of `struct` by the names of types whose elements are plain numbers."""


def dtype_name(name: str) -> str | None:
    """Returns the usual name of a torch data type, or None if it is none."""
    name = _ALIASES.get(name, name)
    return name if name in ITEM_BYTES else None


def decode_scalar(dtype: str, data: bytes, *, big_endian: bool = False) -> int | float | None:
    """Returns the value of one element, or None where the type has no plain number.

    Args:
        dtype: The usual name, such as `bfloat16`.
        data: Exactly the element's bytes.
        big_endian: Byte order of the machine that wrote them.
    """
    if len(data) != ITEM_BYTES.get(dtype):
        return None
    order = ">" if big_endian else "<"
    if (code := _INTEGERS.get(dtype)) is not None:
        return int(struct.unpack(order + code, data)[0])
    if (code := _FLOATS.get(dtype)) is not None:
        return float(struct.unpack(order + code, data)[0])
    if dtype == "bfloat16":
        # The upper half of a float32.
        wide = data + b"\0\0" if big_endian else b"\0\0" + data
        return float(struct.unpack(order + "f", wide)[0])
    return None

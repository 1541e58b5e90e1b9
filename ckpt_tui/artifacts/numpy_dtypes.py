"""Kinds of numpy arrays by the names and codes that files give them, and the size of an element.

Names are those of `numpy.dtype.name`, and those that `ml_dtypes` (and so JAX) registers; codes
those of the array protocol (`<f4`).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_WORDS: Final = {
    "bool": 1, "bool_": 1, "byte": 1, "ubyte": 1, "short": 2, "ushort": 2, "intc": 4, "uintc": 4,
    "int": 8, "int_": 8, "uint": 8, "intp": 8, "uintp": 8, "long": 8, "ulong": 8, "longlong": 8,
    "ulonglong": 8, "half": 2, "single": 4, "float": 8, "double": 8, "longdouble": 16,
    "csingle": 8, "complex": 16, "cdouble": 16, "clongdouble": 32,
    "bfloat16": 2, "float128": 16, "complex64": 8, "complex128": 16, "complex256": 32,
    "int4": 1, "uint4": 1, "int2": 1, "uint2": 1, "int1": 1, "uint1": 1,
    "datetime64": 8, "timedelta64": 8,
}  # fmt: skip
_PLAIN: Final = re.compile(r"(?:u?int(8|16|32|64)|float(16|32|64))")
_SMALL_FLOATS: Final = re.compile(r"float(?:4|6|8)_e\dm\d\w{0,8}")
_TIMES: Final = re.compile(r"(?:datetime64|timedelta64)\[\d{0,6}[A-Za-zμ]{1,2}\]")
_CODE: Final = re.compile(r"[<>|=]?([biufcmMSaUV?])(\d{0,9})(?:\[\d{0,6}[A-Za-zμ]{1,2}\])?")
_OF_CODE: Final = {"b": "int", "i": "int", "u": "uint", "f": "float", "c": "complex"}
_SIZES: Final = {
    "b": (1,),
    "i": (1, 2, 4, 8),
    "u": (1, 2, 4, 8),
    "f": (2, 4, 8, 16),
    "c": (8, 16, 32),
    "m": (8,),
    "M": (8,),
}


class Dtype(NamedTuple):
    """A kind of element.

    Attributes:
        name: As numpy names it.
        item_bytes: Size of one element; 0 for one that holds nothing.
        has_objects: Whether elements are Python objects, which are stored as a pickle.
        big_endian: Whether numbers are stored so.
    """

    name: str
    item_bytes: int
    has_objects: bool = False
    big_endian: bool = False


def dtype_of_name(name: str) -> Dtype | None:
    """What a name stands for (`float32`, `bfloat16`, `datetime64[ns]`); None where numpy has none.

    numpy names arrays of text and bytes `str96` and `bytes80`, but does not know these names.
    """
    size = _WORDS.get(name)
    if size is not None:
        return Dtype(name, size)
    plain = _PLAIN.fullmatch(name)
    if plain is not None:
        return Dtype(name, int(plain[1] or plain[2]) // 8)
    if _SMALL_FLOATS.fullmatch(name):
        return Dtype(name, 1)
    if _TIMES.fullmatch(name):
        return Dtype(name, 8)
    return dtype_of_code(name)


def is_floating(name: str) -> bool:
    """Whether elements of the type can be NaN or infinite."""
    return name.startswith(("float", "bfloat", "complex"))


def dtype_of_code(code: str) -> Dtype | None:
    """What a code of the array protocol stands for (`<f4`, `|V2`, `|O`); None where it is none."""
    if code in ("|O", "O", "object"):
        return Dtype("object", 8, True)
    found = _CODE.fullmatch(code)
    if found is None:
        return None
    kind, digits = found[1], found[2]
    size = int(digits) if digits else 0
    big = code[0] == ">"
    if kind == "?" or (kind == "b" and size == 1):
        return Dtype("bool", 1)
    if kind in "SaV":
        return Dtype(f"{'void' if kind == 'V' else 'bytes'}{size * 8}", size)
    if kind == "U":
        return Dtype(f"str{size * 32}", 4 * size, big_endian=big)
    if size not in _SIZES[kind]:
        return None
    if kind in "mM":
        return Dtype("timedelta64" if kind == "m" else "datetime64", 8, big_endian=big)
    return Dtype(f"{_OF_CODE[kind]}{8 * size}", size, big_endian=big)

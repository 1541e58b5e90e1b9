"""Writes npy and npz as numpy does, so that no test needs numpy."""

from __future__ import annotations

import io
import math
import re
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def npy(descr: object, shape: tuple[int, ...], data: bytes | None = None) -> bytes:
    """An array: zeros of its dtype where no bytes are given."""
    if data is None:
        digits = re.search(r"\d+", str(descr))
        data = bytes(math.prod(shape) * int(digits[0] if digits else 1))
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


def npz(members: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """An archive of arrays by their names."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return stream.getvalue()


def number(value: int) -> bytes:
    """A step or count."""
    return npy("<i8", (), value.to_bytes(8, "little"))

"""An array as a file describes it: kind, shape and place of its bytes, which are not read."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.numpy_dtypes import is_floating
from ckpt_tui.artifacts.torch_dtypes import NUMBER_CODES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

KEPT_BYTES: Final = 16
"""An array that is not larger is kept as it is: it may be a step."""


class StoredArray(NamedTuple):
    """One array of a file.

    Attributes:
        dtype: As numpy names it ("float32"); foreign ones as the file does.
        shape: Its lengths; empty for a scalar.
        size_bytes: Bytes of its elements.
        pieces: (first byte in the file, length in bytes) of each piece, in order; empty where the
            bytes do not lie in the file as they are.
        record: Name of the archive's record that holds it, or "".
        raw: The bytes themselves, of a small array.
        big_endian: Whether its numbers are stored so.
    """

    dtype: str
    shape: tuple[int, ...]
    size_bytes: int
    pieces: tuple[tuple[int, int], ...] = ()
    record: str = ""
    raw: bytes = b""
    big_endian: bool = False

    @property
    def number(self) -> int | float | None:
        """Its value, where it has one small element and that is a number."""
        code = NUMBER_CODES.get(self.dtype)
        if code is None or any(length != 1 for length in self.shape):
            return None
        form = struct.Struct((">" if self.big_endian else "<") + code)
        if form.size != len(self.raw):
            return None
        value = form.unpack(self.raw)[0]
        return value if isinstance(value, int | float) else None


class FloatPiece(NamedTuple):
    """Bytes of a floating array that lie in a file in one piece, for a scan of their values.

    Attributes:
        name: Of the array: the keys that lead to it, with dots.
        dtype: As numpy names it ("bfloat16").
        offset: Its first byte in the file.
        length: In bytes.
        big_endian: Whether its numbers are stored so.
    """

    name: str
    dtype: str
    offset: int
    length: int
    big_endian: bool = False


def float_pieces(arrays: Iterable[tuple[str, StoredArray]]) -> Iterator[FloatPiece]:
    """The pieces of the floating arrays among some, complex ones included."""
    for name, array in arrays:
        if is_floating(array.dtype):
            for offset, length in array.pieces:
                yield FloatPiece(name, array.dtype, offset, length, array.big_endian)

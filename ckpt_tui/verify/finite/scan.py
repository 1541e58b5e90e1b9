"""Scans the floating tensors of one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.verify.finite.counting import counter_of
from ckpt_tui.verify.results import NonFinite

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.verify.examined import Examined


class FloatPart(NamedTuple):
    """Bytes of one tensor that lie in a file.

    Attributes:
        tensor: Its name.
        dtype: The usual name of its type; one without NaN and infinity is not scanned.
        pieces: Its bytes, one piece after the other, each used before the next is made.
        big_endian: The order of the bytes of an element.
        may_be_infinite: Whether infinity in it means nothing: a best value so far begins with it.
    """

    tensor: str
    dtype: str
    pieces: Iterable[bytes | memoryview]
    big_endian: bool = False
    may_be_infinite: bool = False


def scan(parts: Iterable[FloatPart], found: Examined) -> None:
    """Counts NaN and infinity, and takes down which tensors hold some.

    Raises:
        ArtifactError: The file cannot be read, or is not what its header says.
        StoppedError: Nobody wants it any more.
    """
    for part in parts:
        counter = counter_of(part.dtype, big_endian=part.big_endian)
        if counter is None:
            continue
        for piece in part.pieces:
            counter.feed(piece)
            found.scanned_bytes += len(piece)
        infinite = 0 if part.may_be_infinite else counter.infinite_count
        if counter.nan_count or infinite:
            found.not_finite(NonFinite(part.tensor, counter.nan_count, infinite))

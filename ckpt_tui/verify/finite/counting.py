"""Counts NaN and infinity in bytes that come in pieces: with numpy where it is installed."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from ckpt_tui.verify.finite.kinds import KINDS, ByteKind, WideKind

if TYPE_CHECKING:
    from collections.abc import Callable

    Counts = tuple[int, int]

_EXPONENT_BITS: Final = 0x7F


class Counter:
    """What was counted of one tensor so far.

    Attributes:
        nan_count: Elements that are NaN; of complex numbers, components.
        infinite_count: Elements that are infinity of either sign.
    """

    def __init__(self, kind: WideKind | ByteKind, *, big_endian: bool = False) -> None:
        self._item_bytes = kind.item_bytes
        self._count = _counting(kind, big_endian)
        self._left = b""
        self.nan_count = self.infinite_count = 0

    def feed(self, piece: bytes | memoryview) -> None:
        """Counts in the bytes that come next; an element may lie in two pieces."""
        if self._left:
            piece = self._left + bytes(piece)
        whole = len(piece) - len(piece) % self._item_bytes
        self._left = bytes(piece[whole:])
        nan, infinite = self._count(piece[:whole])
        self.nan_count += nan
        self.infinite_count += infinite


def counter_of(dtype: str, *, big_endian: bool = False) -> Counter | None:
    """What counts in a tensor of a data type; None for one that has neither NaN nor infinity."""
    kind = KINDS.get(dtype)
    return Counter(kind, big_endian=big_endian) if kind is not None else None


def _counting(
    kind: WideKind | ByteKind, big_endian: bool
) -> Callable[[bytes | memoryview], Counts]:
    if isinstance(kind, ByteKind):
        return lambda piece: _count_bytes(kind, piece)
    numpy = _numpy()
    if numpy is None:
        return lambda piece: _count_plainly(kind, piece, big_endian)
    dtype = f"{'>' if big_endian else '<'}u{kind.item_bytes}"
    return lambda piece: _count_with_numpy(numpy, kind, numpy.frombuffer(piece, dtype))


@cache
def _numpy() -> Any:  # an extra: its types are not there where it is not
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def _count_bytes(kind: ByteKind, piece: bytes | memoryview) -> Counts:
    data = bytes(piece)
    if len(data.translate(None, kind.nan + kind.infinite)) == len(data):
        return 0, 0
    return sum(map(data.count, kind.nan)), sum(map(data.count, kind.infinite))


def _count_with_numpy(numpy: Any, kind: WideKind, items: Any) -> Counts:
    magnitudes = items & kind.magnitude
    if not len(items) or int(magnitudes.max()) < kind.infinity:
        return 0, 0
    return (
        int(numpy.count_nonzero(magnitudes > kind.infinity)),
        int(numpy.count_nonzero(magnitudes == kind.infinity)),
    )


def _count_plainly(kind: WideKind, piece: bytes | memoryview, big_endian: bool) -> Counts:
    """Looks at each element's highest byte first: of finite ones hardly any has all its bits set.

    Slices with a step and the search in them run in C.
    """
    data, width = bytes(piece), kind.item_bytes
    highest = data[0 if big_endian else width - 1 :: width]
    order: Literal["big", "little"] = "big" if big_endian else "little"
    nan = infinite = 0
    for match in _candidates(kind).finditer(highest):
        begin = match.start() * width
        value = int.from_bytes(data[begin : begin + width], order)
        magnitude = value & kind.magnitude
        nan += magnitude > kind.infinity
        infinite += magnitude == kind.infinity
    return nan, infinite


@cache
def _candidates(kind: WideKind) -> re.Pattern[bytes]:
    """The highest bytes that an infinite element, or NaN, can have."""
    least = kind.infinity >> (8 * (kind.item_bytes - 1))
    either = [byte for byte in range(256) if byte & _EXPONENT_BITS >= least]
    return re.compile(b"[" + b"".join(re.escape(bytes((byte,))) for byte in either) + b"]")

"""What a cell of several ranks shows, a row as run-length pieces, and where trouble is next."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.tui.details.ranks import CODES, RANK_LOOKS, STATES, TROUBLE, RankState
from ckpt_tui.tui.lines import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOOKS = tuple(RANK_LOOKS[state] for state in STATES)
_QUIET = len(TROUBLE)  # the first code that is no trouble
_WRITING = CODES[RankState.WRITING]
_RUN = re.compile(rb"(.)\1*", re.DOTALL)
_TROUBLE_RUN = re.compile(b"(?:%s)" % b"|".join(b"\\x%02x+" % code for code in range(_QUIET)))


def group_code(codes: bytes) -> int:
    """The state of a cell: the loudest trouble, else the common state, else half-way.

    Args:
        codes: States of the ranks in the cell, at least one.
    """
    loudest = min(codes)
    if loudest < _QUIET or loudest == max(codes):
        return loudest
    return _WRITING


def grouped(codes: bytes, group: int) -> bytes:
    """The states of the cells of a row."""
    if group == 1:
        return codes
    return bytes(
        [group_code(codes[start : start + group]) for start in range(0, len(codes), group)]
    )


def run_lengths(cells: bytes, cell_width: int) -> list[Piece]:
    """Equal neighbours as one piece: a row of cells stays cheap to draw."""
    return [_piece(found[0][0], len(found[0]), cell_width) for found in _RUN.finditer(cells)]


@lru_cache(maxsize=4096)
def _piece(code: int, length: int, cell_width: int) -> Piece:
    icon, tone = _LOOKS[code]
    return Piece(icon.ljust(cell_width) * length, tone)


def loudest_place(codes: bytes, places: range) -> int:
    """The place of the first rank in the loudest trouble; the first one where there is none."""
    own = codes[places.start : places.stop]
    loudest = min(own)
    return places.start + (own.find(loudest) if loudest < _QUIET else 0)


def trouble_runs(codes: bytes) -> list[int]:
    """Places where trouble begins; neighbours in the same trouble are one."""
    return [found.start() for found in _TROUBLE_RUN.finditer(codes)]


def next_trouble(codes: bytes, place: int, direction: int) -> int | None:
    """Where the next trouble after or before a place begins, round the ends; None without any.

    Args:
        codes: States by place.
        place: Where to start from.
        direction: 1 or -1.
    """
    starts: Sequence[int] = trouble_runs(codes)
    if direction < 0:
        starts = [-start for start in reversed(starts)]
    here = place * direction
    found = next((start for start in starts if start > here), starts[0] if starts else None)
    return None if found is None else found * direction

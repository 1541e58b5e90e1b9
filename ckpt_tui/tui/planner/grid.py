"""Cells under titles, with captions over groups of columns; what does not fit is left out."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, cut, line, pad, piece, width_of
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDE_GAP = 2
_FLEXIBLE = range(5, 10)
"""Room that a column that may be cut asks for: what it needs, within reason."""


class GridColumn(NamedTuple):
    """A column.

    Attributes:
        title: Title and group are said where they are shown.
        group: Caption that it shares with its neighbours; "" has none.
        rank: The higher, the earlier it is left out; 0 always stays.
        left: Text stands at the left end.
        flexible: It may be cut; only for the last column.
    """

    key: str
    title: str
    group: str = ""
    rank: int = 0
    left: bool = False
    flexible: bool = False


def grid_lines(
    columns: Sequence[GridColumn],
    rows: Sequence[Mapping[str, Piece]],
    marks: Sequence[Piece],
    width: int,
) -> list[Line]:
    """Captions, titles, then a line a row, each behind its mark.

    Args:
        columns: All there are, in order; columns of one rank go together.
        rows: Cells by column key; a missing one is empty.
        marks: One a row, all of one width.
        width: Cells there are.
    """
    gutter = max((width_of((mark,)) for mark in marks), default=0)
    kept, gap, widths = _fitted(columns, rows, width - gutter)
    lead = Piece(" " * gutter)
    titles = {c.key: piece(say(c.title), Tone.DIM) for c in kept}
    bodies = [_row(kept, widths, gap, cells) for cells in rows]
    return [
        cut((lead, *_captions(kept, widths, gap)), width),
        cut((lead, *_row(kept, widths, gap, titles)), width),
        *(cut((mark, *body), width) for mark, body in zip(marks, bodies, strict=True)),
    ]


def _fitted(
    columns: Sequence[GridColumn], rows: Sequence[Mapping[str, Piece]], room: int
) -> tuple[list[GridColumn], int, list[int]]:
    kept = [column for column in columns if column.rank == 0]
    for rank in sorted({column.rank for column in columns} - {0}):
        more = [column for column in columns if column in kept or column.rank == rank]
        if _gap_for(more, rows, room) is not None:
            kept = more
    gap = _gap_for(kept, rows, room) or 1
    return kept, gap, [_natural(column, rows) for column in kept]


def _gap_for(
    columns: Sequence[GridColumn], rows: Sequence[Mapping[str, Piece]], room: int
) -> int | None:
    """The widest gap at which the columns fit; None where they do not."""
    needed = sum(_natural(column, rows) for column in columns)
    gaps = (gap for gap in (_WIDE_GAP, 1) if needed + gap * (len(columns) - 1) <= room)
    return next(gaps, None)


def _natural(column: GridColumn, rows: Sequence[Mapping[str, Piece]]) -> int:
    cells = (line(cells[column.key]) for cells in rows if column.key in cells)
    widest = max(width_of(cell) for cell in (line(say(column.title)), *cells))
    return min(max(widest, _FLEXIBLE.start), _FLEXIBLE.stop - 1) if column.flexible else widest


def _row(
    columns: Sequence[GridColumn], widths: Sequence[int], gap: int, cells: Mapping[str, Piece]
) -> Line:
    pieces: list[Piece] = []
    for number, (column, width) in enumerate(zip(columns, widths, strict=True)):
        if number:
            pieces.append(Piece(" " * gap))
        cell = line(cells[column.key]) if column.key in cells else BLANK
        pieces.extend(cell if column.flexible else pad(cell, width, right=not column.left))
    return tuple(pieces)


def _captions(columns: Sequence[GridColumn], widths: Sequence[int], gap: int) -> Line:
    """Each group's caption on a rule over its columns."""
    pieces: list[Piece] = []
    for group, members in groupby(
        zip(columns, widths, strict=True), key=lambda each: each[0].group
    ):
        spans = [width for _, width in members]
        span = sum(spans) + gap * (len(spans) - 1)
        if pieces:
            pieces.append(Piece(" " * gap))
        if group:
            spaced = line(f" {say(group)} ")
            caption = cut(spaced if width_of(spaced) <= span else line(say(group)), span)
            rule = span - width_of(caption)
            before, after = "─" * (rule // 2), "─" * (rule - rule // 2)
            pieces += [piece(before, Tone.DIM), *_dim(caption), piece(after, Tone.DIM)]
        else:
            pieces.append(Piece(" " * span))
    return tuple(pieces)


def _dim(text: Line) -> Line:
    return tuple(piece(part.text, Tone.DIM) for part in text)

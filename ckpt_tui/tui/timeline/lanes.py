"""One figure over the time: a bar a column, filled from the bottom in eighths of a cell."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.tui.lines import Line, Piece, Tone, line, pad, piece
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ckpt_tui.tui.timeline.axis import Axis
    from ckpt_tui.tui.timeline.story import TimedSave

LABEL_CELLS = 11
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_ASCII_EIGHTHS = " ...::::#"


class Lane(NamedTuple):
    """What one plot shows.

    Attributes:
        name: At most eight letters, in English.
        value_of: The figure of a save; None where it has none.
        text_of: The figure for people, at most nine letters.
        worst_of: Which one counts where several saves share a column.
        tone: Of its bars.
    """

    name: str
    value_of: Callable[[TimedSave], float | None]
    text_of: Callable[[float], str]
    worst_of: Callable[[float, float], float]
    tone: Tone


class Signs(NamedTuple):
    """Characters of the plots."""

    side: str
    corner: str
    rule: str
    tick: str
    cursor: str
    pointer: str
    eighths: str


UNICODE_SIGNS = Signs("┤", "└", "─", "┴", "┊", "▲", _EIGHTHS)
ASCII_SIGNS = Signs("|", "+", "-", "+", ":", "^", _ASCII_EIGHTHS)


def signs_for(ascii_only: bool) -> Signs:
    """The characters that the terminal has."""
    return ASCII_SIGNS if ascii_only else UNICODE_SIGNS


class Canvas(NamedTuple):
    """Where a line of the picture is drawn.

    Attributes:
        cursor: Column of the save under the cursor; -1 where it is out of sight.
    """

    axis: Axis
    cursor: int
    signs: Signs


class _Bar(NamedTuple):
    """A column's figure; `faint` where it is a bound, or only remembered."""

    value: float
    faint: bool


def lane_lines(lane: Lane, saves: Sequence[TimedSave], canvas: Canvas, rows: int) -> list[Line]:
    """The plot of one figure, from zero to its greatest value in sight.

    Args:
        lane: The figure.
        saves: All of them, those out of sight too.
        canvas: Columns, cursor and characters.
        rows: Lines, at least one.
    """
    bars = _bars(lane, saves, canvas.axis)
    top = max((bar.value for bar in bars.values()), default=0.0)
    side = canvas.signs.side
    return [
        (*_label(lane, top, row, rows, side), *_row(lane, bars, top, (row, rows), canvas))
        for row in range(rows)
    ]


def _bars(lane: Lane, saves: Sequence[TimedSave], axis: Axis) -> dict[int, _Bar]:
    bars: dict[int, _Bar] = {}
    for save in saves:
        value, column = lane.value_of(save), axis.column(save.at)
        if value is None or not 0 < value < math.inf or not 0 <= column < axis.columns:
            continue
        faint = save.verdict is None or (lane.name != "size" and save.is_lower_bound)
        before = bars.get(column)
        if before is None or lane.worst_of(value, before.value) == value:
            bars[column] = _Bar(value, faint)
    return bars


def _label(lane: Lane, top: float, row: int, rows: int, side: str) -> Line:
    text = ""
    if row == (1 if rows > 1 else 0):
        text = say(lane.name)
    elif row == 0:
        text = lane.text_of(top) if top else ""
    label = pad(line(piece(text, Tone.DIM)), LABEL_CELLS - 2, right=True)
    return (*label, piece(f" {side}", Tone.DIM))


def _row(
    lane: Lane, bars: Mapping[int, _Bar], top: float, place: tuple[int, int], canvas: Canvas
) -> Line:
    """One line of a plot; `place` is its row, and how many there are."""
    cells: list[Piece] = []
    for column in range(canvas.axis.columns):
        bar = bars.get(column)
        at_cursor = column == canvas.cursor
        filled = _filled(bar.value / top, *place) if bar is not None and top else 0
        if filled and bar is not None:
            tone = Tone.ACCENT if at_cursor else Tone.DIM if bar.faint else lane.tone
            cells.append(Piece(canvas.signs.eighths[filled], tone))
        else:
            cells.append(Piece(canvas.signs.cursor, Tone.DIM) if at_cursor else Piece(" "))
    return merged(cells)


def _filled(share: float, row: int, rows: int) -> int:
    """Eighths of the cell in that row (0 is the top); whatever is above nothing shows one.

    The greatest leaves one eighth free, so that a plot does not touch the one above it.
    """
    eighths = max(1, round(share * (rows * 8 - 1))) - 8 * (rows - 1 - row)
    return max(0, min(8, eighths))


def merged(cells: Sequence[Piece]) -> Line:
    """Neighbours of one tone as one piece; blanks at the end are left to the screen."""
    pieces = [
        Piece("".join(cell.text for cell in group), tone)
        for tone, group in groupby(cells, key=lambda cell: cell.tone)
    ]
    if pieces:
        last = pieces.pop()
        pieces.append(Piece(last.text.rstrip(), last.tone))
    return tuple(each for each in pieces if each.text)

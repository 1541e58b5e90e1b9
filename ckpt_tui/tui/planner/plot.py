"""A curve as dots in terminal cells: braille with 2 x 4 dots a cell, or one `*` a cell."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_BRAILLE = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bit of the dot at (row, column) of a braille cell (Unicode block U+2800)."""


class Scale(NamedTuple):
    """What the plot's corners stand for; x is logarithmic, y linear."""

    left: float
    right: float
    bottom: float
    top: float

    def across(self, x: float) -> float:
        """Where x lies, from 0 (left edge) to 1 (right edge); outside it is out of sight."""
        return math.log(x / self.left) / math.log(self.right / self.left)

    def up(self, y: float) -> float:
        """Where y lies, from 0 (bottom edge) to 1 (top edge)."""
        return (y - self.bottom) / (self.top - self.bottom)


def scale_for(points: Sequence[tuple[float, float]]) -> Scale:
    """A scale that shows the valley: what is far above its floor runs out at the top.

    Args:
        points: (x, y) by ascending x > 0, at least two of them.
    """
    ys = sorted(y for _, y in points)
    low = ys[0]
    high = min(ys[-1], max(4 * low, ys[len(ys) * 3 // 4]))
    room = (high - low) or max(0.01, high)
    return Scale(points[0][0], points[-1][0], max(0.0, low - 0.06 * room), high + 0.06 * room)


def heights_across(
    points: Sequence[tuple[float, float]], scale: Scale, columns: int
) -> list[float]:
    """The curve's height (0 bottom to 1 top) in the middle of each column, by straight lines."""
    places = [(scale.across(x), scale.up(y)) for x, y in points]
    heights: list[float] = []
    segment = 0
    for column in range(columns):
        x = (column + 0.5) / columns
        while segment < len(places) - 2 and places[segment + 1][0] < x:
            segment += 1
        (x0, y0), (x1, y1) = places[segment], places[segment + 1]
        share = (x - x0) / (x1 - x0) if x1 > x0 else 0.0
        heights.append(y0 + (y1 - y0) * share)
    return heights


def braille_rows(heights: Sequence[float], rows: int) -> list[str]:
    """Rows of braille characters, top first; two heights a character."""
    cells = [[0] * (len(heights) // 2) for _ in range(rows)]
    for column, (first, last) in enumerate(_spans(heights, rows * 4)):
        if column // 2 >= len(heights) // 2:
            break
        for dot in range(first, last + 1):
            row, part = divmod(rows * 4 - 1 - dot, 4)
            cells[row][column // 2] |= _DOTS[part][column % 2]
    return ["".join(chr(_BRAILLE + bits) if bits else " " for bits in row) for row in cells]


def ascii_rows(heights: Sequence[float], rows: int) -> list[str]:
    """Rows of `*`, top first; one height a character."""
    cells = [[" "] * len(heights) for _ in range(rows)]
    for column, (first, last) in enumerate(_spans(heights, rows)):
        for dot in range(first, last + 1):
            cells[rows - 1 - dot][column] = "*"
    return ["".join(row) for row in cells]


def row_of(height: float, rows: int) -> int | None:
    """The row (0 is the top) that a height lies in; None where it is out of sight."""
    if not 0 <= height <= 1:
        return None
    return rows - 1 - min(rows - 1, int(height * rows))


def _spans(heights: Sequence[float], dots: int) -> list[tuple[int, int]]:
    """First and last dot of each column, so that a steep line has no holes; (0, -1) is none."""
    if not heights:
        return []
    levels = [math.floor(max(-1.0, min(2.0, height)) * dots) for height in heights]
    spans = [_seen(levels[0], levels[0], dots)]
    for before, level in pairwise(levels):
        toward = before + (level > before) - (level < before)
        spans.append(_seen(min(toward, level), max(toward, level), dots))
    return spans


def _seen(low: int, high: int, dots: int) -> tuple[int, int]:
    if high < 0 or low >= dots:
        return 0, -1
    return max(0, low), min(dots - 1, high)

"""The cost curve as lines: legend, plot with its scale, axis with the listed intervals."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, cut, flowed, line, piece
from ckpt_tui.tui.planner import plot
from ckpt_tui.tui.planner.figures import interval_text
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.planner.result import Plan
    from ckpt_tui.tui.planner.plot import Scale

    Points = Sequence[tuple[float, float]]

_SCALE_WIDTH = 9
_LEAST_PLOT_WIDTH = 16
AROUND_PLOT = 3
"""Lines of legend and axis, where the legend takes one."""
_FINE_BELOW = 0.1
_COARSE_FROM = 100
_TOO_FEW = later("no curve: the job does not finish at any interval near these")


class Signs(NamedTuple):
    """Characters of the plot."""

    best: str
    now: str
    rule: str
    band: str
    tick: str
    corner: str
    side: str
    from_here: str
    to_here: str


UNICODE_SIGNS = Signs("▲", "●", "─", "━", "┴", "└", "┤", "├", "┤")
ASCII_SIGNS = Signs("^", "@", "-", "=", "+", "+", "|", "[", "]")


class Mark(NamedTuple):
    """A sign on the curve at one interval."""

    sign: str
    interval_minutes: float
    tone: Tone


def curve_lines(
    plan: Plan,
    points: Points,
    width: int,
    height: int,
    ascii_only: bool = False,
    credible: tuple[float, float] | None = None,
) -> list[Line]:
    """Draws the overhead over the interval.

    Args:
        plan: Gives the best interval, the present one, the listed ones and the band.
        points: (interval in minutes, overhead as a share), ascending.
        width: Cells there are.
        height: Lines of the plot itself; legend and axis come on top of them.
        ascii_only: Draw with ASCII characters.
        credible: Credible interval of the best interval, minutes; it gets a line of its own.
    """
    signs = ASCII_SIGNS if ascii_only else UNICODE_SIGNS
    columns = width - _SCALE_WIDTH
    if len(points) < 2 or columns < _LEAST_PLOT_WIDTH:
        return [BLANK, cut(line(piece(f" {say(_TOO_FEW)}", Tone.DIM)), width)]
    scale = plot.scale_for(points)
    dots = plot.heights_across(points, scale, columns if ascii_only else 2 * columns)
    drawn = plot.ascii_rows(dots, height) if ascii_only else plot.braille_rows(dots, height)
    marks = _marks(plan, signs)
    band = _band_columns(plan, scale, columns)
    heights = plot.heights_across(points, scale, columns)
    overlay = _overlay(marks, heights, scale, height)
    legend = _legend(plan, marks, scale, signs)
    if credible:
        sign = f"{signs.from_here}{signs.rule}{signs.to_here}"
        text = f"{sign} {say('best with 90 %')}"
        legend.append(line(piece(text, Tone.ACCENT)))
    return [
        *flowed(legend, width, "  "),
        *(
            (
                _scale_piece(row, height, scale, signs),
                *_toned(text, band, Tone.BUSY, overlay.get(row, {})),
            )
            for row, text in enumerate(drawn)
        ),
        *_axis(plan, scale, columns, band, signs),
        *(_credible_lines(credible, scale, columns, signs) if credible else ()),
    ]


def _credible_lines(
    credible: tuple[float, float], scale: Scale, columns: int, signs: Signs
) -> list[Line]:
    """From where to where the best interval lies; ends out of sight have no sign."""
    first, last = (_column(scale, edge, columns) for edge in credible)
    start, stop = max(0, first), min(columns, last + 1)
    if start >= stop:
        return []
    span = [signs.rule] * (stop - start)
    if first == start:
        span[0] = signs.from_here
    if last == stop - 1 and len(span) > 1:
        span[-1] = signs.to_here
    bar = piece("".join(span), Tone.ACCENT)
    return [cut((Piece(" " * (_SCALE_WIDTH + start)), bar), columns + _SCALE_WIDTH)]


def _marks(plan: Plan, signs: Signs) -> list[Mark]:
    marks = []
    if plan.optimum:
        marks.append(Mark(signs.best, plan.optimum.interval_minutes, Tone.OK))
    if plan.inputs.current_interval_minutes is not None:
        marks.append(Mark(signs.now, plan.inputs.current_interval_minutes, Tone.WARN))
    return marks


def _legend(plan: Plan, marks: list[Mark], scale: Scale, signs: Signs) -> list[Line]:
    parts = [line(piece(f" {say('overhead of a long run')}", Tone.DIM))]
    for mark, name in zip(marks, _mark_names(plan), strict=True):
        text = f"{mark.sign} {name} {interval_text(mark.interval_minutes)}"
        across = scale.across(mark.interval_minutes)
        if across < 0:
            text += say(" (left of the plot)")
        elif across > 1:
            text += say(" (right of the plot)")
        parts.append(line(piece(text, mark.tone)))
    if plan.optimum and plan.optimum.within_5_percent_minutes:
        parts.append(line(piece(f"{signs.band * 2} {say('within 5 %')}", Tone.FAIR)))
    return parts


def _mark_names(plan: Plan) -> list[str]:
    names = [say("best")] if plan.optimum else []
    return names + (
        [say("of intervals\4now")] if plan.inputs.current_interval_minutes is not None else []
    )


def _band_columns(plan: Plan, scale: Scale, columns: int) -> range:
    band = plan.optimum.within_5_percent_minutes if plan.optimum else None
    if band is None:
        return range(0)
    first, last = (_column(scale, edge, columns) for edge in band)
    return range(max(0, first), min(columns, last + 1))


def _column(scale: Scale, interval: float, columns: int) -> int:
    """May lie outside 0 to columns - 1."""
    across = scale.across(interval)
    return columns - 1 if across == 1 else int(across * columns // 1)


def _overlay(
    marks: list[Mark], heights: Sequence[float], scale: Scale, rows: int
) -> dict[int, dict[int, Piece]]:
    """Signs by row and column; one drawn later covers an earlier one."""
    overlay: dict[int, dict[int, Piece]] = {}
    for mark in marks:
        column = _column(scale, mark.interval_minutes, len(heights))
        if not 0 <= column < len(heights):
            continue
        row = plot.row_of(heights[column], rows)
        overlay.setdefault(0 if row is None else row, {})[column] = Piece(mark.sign, mark.tone)
    return overlay


def _toned(text: str, band: range, outside: Tone, signs: Mapping[int, Piece]) -> Line:
    """One row of the plot: the part inside the band in its own tone, signs in place.

    Blank parts have no tone, so that a row without dots stays the same whatever the band is.
    """
    edges = {0, band.start, band.stop, len(text)}
    edges.update(signs, (column + 1 for column in signs))
    pieces: list[Piece] = []
    for start, end in pairwise(sorted(edge for edge in edges if edge <= len(text))):
        part = text[start:end]
        if start in signs:
            pieces.append(signs[start])
        elif part.isspace():
            pieces.append(Piece(part))
        else:
            pieces.append(Piece(part, Tone.FAIR if start in band else outside))
    return _merged(pieces)


def _merged(pieces: list[Piece]) -> Line:
    """Neighbours of one tone as one piece; blanks at the end are left to the screen."""
    merged: list[Piece] = []
    for tone, parts in groupby(pieces, key=lambda part: part.tone):
        merged.append(Piece("".join(part.text for part in parts), tone))
    if merged:
        last = merged.pop()
        merged.append(Piece(last.text.rstrip(), last.tone))
    return tuple(part for part in merged if part.text)


def _scale_piece(row: int, rows: int, scale: Scale, signs: Signs) -> Piece:
    label = ""
    if row in {0, rows // 2, rows - 1}:
        share = scale.top - (row + 0.5) / rows * (scale.top - scale.bottom)
        label = _scale_text(share, scale.top)
    return Piece(f"{label:>{_SCALE_WIDTH - 2}} {signs.side}", Tone.DIM)


def _scale_text(share: float, most: float) -> str:
    """At most seven characters."""
    if most < _FINE_BELOW:
        return f"{100 * share:.2f} %"
    return f"{100 * share:.0f} %" if most < _COARSE_FROM else f"{100 * share:.0e} %"


def _axis(plan: Plan, scale: Scale, columns: int, band: range, signs: Signs) -> list[Line]:
    rule = [signs.band if column in band else signs.rule for column in range(columns)]
    labels = [" "] * columns
    for interval in sorted(plan.inputs.intervals_minutes):
        column = _column(scale, interval, columns)
        if not 0 <= column < columns:
            continue
        rule[column] = signs.tick
        _put(labels, column, interval_text(interval))
    whole = "".join(rule)
    return [
        (piece(f"{signs.corner:>{_SCALE_WIDTH}}", Tone.DIM), *_toned(whole, band, Tone.DIM, {})),
        cut(
            (Piece(" " * _SCALE_WIDTH), piece("".join(labels).rstrip(), Tone.DIM)),
            columns + _SCALE_WIDTH,
        ),
    ]


def _put(labels: list[str], column: int, text: str) -> None:
    """Writes a label centred on its tick, unless it would touch another."""
    start = max(0, min(len(labels) - len(text), column - len(text) // 2))
    around = labels[max(0, start - 1) : start + len(text) + 1]
    if len(text) <= len(labels) and not "".join(around).strip():
        labels[start : start + len(text)] = text

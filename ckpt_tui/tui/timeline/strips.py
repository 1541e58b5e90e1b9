"""The lines below the plots: what became of the saves, restarts and gaps, and the axis itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from ckpt_tui.core.text import duration_text
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.icons import RESUME_MARK, VERDICT_LOOKS
from ckpt_tui.tui.lines import Line, Piece, Tone, clean, line, pad, piece
from ckpt_tui.tui.timeline.axis import ticks_of
from ckpt_tui.tui.timeline.lanes import LABEL_CELLS, merged
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.restarts import Restart
    from ckpt_tui.tui.timeline.lanes import Canvas
    from ckpt_tui.tui.timeline.story import Outage, Story, TimedSave

GONE_SIGN = "×"
RESTART_SIGN = "↻"
_LOUDEST_FIRST = (
    Verdict.CORRUPT, Verdict.INCOMPLETE, Verdict.UNKNOWN, Verdict.UNCOMMITTED, Verdict.SAVING,
    Verdict.EXACT, Verdict.INEXACT, Verdict.WEIGHTS_ONLY, None,
)  # fmt: skip


def look_of(save: TimedSave) -> Piece:
    """The sign of what became of a save."""
    if save.is_resume:
        return piece(RESUME_MARK, Tone.OK)
    if save.verdict is None:
        return piece(GONE_SIGN, Tone.DIM)
    look = VERDICT_LOOKS[save.verdict]
    return piece(look.icon, look.tone)


def saves_line(saves: Sequence[TimedSave], canvas: Canvas) -> Line:
    """A sign a column; of several saves the resume point, else the one most amiss."""
    chosen: dict[int, TimedSave] = {}
    for save in saves:
        column = canvas.axis.column(save.at)
        if 0 <= column < canvas.axis.columns:
            before = chosen.get(column)
            chosen[column] = save if before is None else min(before, save, key=_quietness)
    signs = {column: look_of(save) for column, save in chosen.items()}
    return _strip(say("saves"), signs, canvas)


def _quietness(save: TimedSave) -> tuple[bool, int]:
    return not save.is_resume, _LOUDEST_FIRST.index(save.verdict)


def events_line(story: Story, canvas: Canvas) -> Line:
    """Restarts, and the times without a save as spans with their length."""
    signs: dict[int, Piece] = {}
    for outage in story.outages:
        signs.update(_span(outage, canvas))
    for restart in story.restarts:
        signs.update(_restart(restart, canvas))
    return _strip(say("events"), signs, canvas)


def _span(outage: Outage, canvas: Canvas) -> dict[int, Piece]:
    """Between the two saves, as far as it is in sight; its length where that fits."""
    axis = canvas.axis
    begin, end = axis.column(outage.begin) + 1, axis.column(outage.end) - 1
    first, last = max(0, begin), min(axis.columns - 1, end)
    cells = last - first + 1
    if cells < 1:
        return {}
    text = clean(say(" gap {time} ", time=duration_text(outage.end - outage.begin)))
    if cell_len(text) > cells:
        text = ""
    taken = [part for sign in text for part in (sign, *[""] * (cell_len(sign) - 1))]
    left = (cells - len(taken) + (cells & 1 & ~len(taken))) // 2
    rule = canvas.signs.rule
    padded = [*rule * left, *taken, *rule * (cells - len(taken) - left)]
    return {first + place: Piece(sign, Tone.WARN) for place, sign in enumerate(padded)}


def _restart(restart: Restart, canvas: Canvas) -> dict[int, Piece]:
    column = canvas.axis.column(restart.at)
    shown = 0 <= column < canvas.axis.columns
    return {column: piece(RESTART_SIGN, Tone.WARN)} if shown else {}


def _strip(name: str, signs: dict[int, Piece], canvas: Canvas) -> Line:
    cells = [
        signs.get(column)
        or (Piece(canvas.signs.cursor, Tone.DIM) if column == canvas.cursor else Piece(" "))
        for column in range(canvas.axis.columns)
    ]
    label = pad(line(piece(name, Tone.DIM)), LABEL_CELLS - 2, right=True)
    return (*label, Piece("  "), *merged(cells))


def axis_lines(canvas: Canvas) -> list[Line]:
    """A rule with ticks, the cursor on it, and the times below."""
    axis, signs = canvas.axis, canvas.signs
    rule = [Piece(signs.rule, Tone.DIM)] * axis.columns
    texts = [" "] * axis.columns
    for column, text in ticks_of(axis):
        rule[column] = Piece(signs.tick, Tone.DIM)
        start = max(0, min(axis.columns - len(text), column - len(text) // 2))
        around = "".join(texts[max(0, start - 1) : start + len(text) + 1])
        if around.isspace() and len(text) <= axis.columns:
            texts[start : start + len(text)] = text
    if canvas.cursor >= 0:
        rule[canvas.cursor] = Piece(signs.pointer, Tone.ACCENT)
    corner = piece(f"{signs.corner:>{LABEL_CELLS}}", Tone.DIM)
    times = piece("".join(texts).rstrip(), Tone.DIM)
    return [(corner, *merged(rule)), (piece(f"{'UTC':>{LABEL_CELLS - 2}}  ", Tone.DIM), times)]

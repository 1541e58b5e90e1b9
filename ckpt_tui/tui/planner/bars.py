"""Where a run's wall time goes: a bar of five parts for each interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.tui.icons import RESUME_MARK
from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, cut, flowed, line, pad, piece, text_of
from ckpt_tui.tui.planner.figures import coarse_percent, interval_text
from ckpt_tui.tui.planner.results import DOES_NOT_FINISH, NEVER
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.result import Plan

_NAME_CELLS = 11
_SHARE_CELLS = 8
_LEAST_BAR = 12
_FLOORS = (0.98, 0.95, 0.9, 0.8, 0.7, 0.5)
"""Shares at which the bars may begin, so that small losses are seen beside much work."""
_LEAST_WORK = 0.2
"""Least part of the longest loss's bar that is still work."""


class Part(NamedTuple):
    """One part of the wall time; its name is said where it is shown."""

    name: str
    field: str
    sign: str
    ascii_sign: str
    tone: Tone


PARTS = (
    Part(later("work"), "work_minutes", "█", "#", Tone.DONE),
    Part(later("save"), "save_minutes", "▓", "s", Tone.BUSY),
    Part(later("rollback"), "rollback_minutes", "▒", "r", Tone.WARN),
    Part(later("down"), "down_minutes", "░", "d", Tone.BAD),
    Part(later("reload"), "reload_minutes", "▚", "l", Tone.PLAIN),
)


def bar_lines(plan: Plan, width: int, ascii_only: bool = False) -> list[Line]:
    """A legend, a bar a listed interval, and one for no checkpoints.

    Args:
        plan: The plan.
        width: Cells there are; nothing is drawn where no bar fits.
        ascii_only: Draw with ASCII characters.
    """
    cells = width - _NAME_CELLS - _SHARE_CELLS
    if cells < _LEAST_BAR:
        return []
    floor = _floor([row.budget for row in plan.exact_rows if row.budget is not None])
    lines = _legend(floor, width, ascii_only)
    for row in plan.exact_rows:
        best = row.interval_minutes == plan.best_exact_minutes
        bar = _bar(row.budget, floor, cells, ascii_only)
        lines.append((*_head(interval_text(row.interval_minutes), best), *bar))
    lines.append((*_head(say(NEVER)), *_bar(plan.unsaved, floor, cells, ascii_only)))
    return [cut(each, width) for each in lines]


def _head(name: str, best: bool = False) -> Line:
    tone = Tone.OK if best else Tone.PLAIN
    mark = f"{RESUME_MARK} " if best else "  "
    padded = text_of(pad(line(name), _NAME_CELLS - 2))
    return line(piece(mark, tone), piece(padded, tone))


def _floor(budgets: Sequence[Budget]) -> float:
    """The highest beginning at which every bar still shows work."""
    least = min((budget.goodput for budget in budgets), default=0.0)
    return next((f for f in _FLOORS if least - f >= _LEAST_WORK * (1 - f)), 0.0)


def _legend(floor: float, width: int, ascii_only: bool) -> list[Line]:
    text = say("wall time")
    if floor:
        text = say("wall time, from {share} on", share=f"{100 * floor:.0f} %")
    parts = [line(piece(f"  {text}", Tone.DIM))]
    parts += [
        line(piece(f"{_sign(part, ascii_only)} {say(part.name)}", part.tone)) for part in PARTS
    ]
    return flowed(parts, width, " ")


def _sign(part: Part, ascii_only: bool) -> str:
    return part.ascii_sign if ascii_only else part.sign


def _bar(budget: Budget | None, floor: float, cells: int, ascii_only: bool) -> Line:
    if budget is None:
        return line(piece(say(DOES_NOT_FINISH), Tone.BAD))
    pieces: list[Piece] = []
    end = 0.0
    drawn = 0
    for part in PARTS:
        end += getattr(budget, part.field) / budget.wall_minutes
        reach = min(cells, max(0, round((end - floor) / (1 - floor) * cells)))
        if reach > drawn:
            pieces.append(Piece(_sign(part, ascii_only) * (reach - drawn), part.tone))
            drawn = reach
    share = f" {coarse_percent(budget.goodput):>{_SHARE_CELLS - 1}}"
    return (*pieces, Piece(" " * (cells - drawn)), piece(share, Tone.DIM)) if pieces else BLANK

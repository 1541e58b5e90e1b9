"""The table of a plan: one row a listed interval, and one for no checkpoints at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.saver_settings import steps_of
from ckpt_tui.planner.storage import storage_of
from ckpt_tui.tui.icons import RESUME_MARK
from ckpt_tui.tui.lines import Line, Piece, Tone, piece
from ckpt_tui.tui.planner.figures import UNKNOWN, faults_cell, interval_text, minutes_cell, percent
from ckpt_tui.tui.planner.grid import GridColumn, grid_lines
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.rows import ExactRow, LessonRow

_LESSON = later("lesson, minutes a run")
_EXACT = later("of costs\4exact")
_EXACT_MINUTES = later("exact, minutes a run")
_OF_RUN = later("shares")
_WRITTEN = later("written")

_INTERVAL = GridColumn("interval", later("interval"), left=True)
_STEPS = GridColumn("steps", later("steps"), rank=8)
_SHARES = (
    GridColumn("x-save", later("save"), _EXACT, rank=5),
    GridColumn("x-rollback", later("rollback"), _EXACT, rank=5),
    GridColumn("x-down", later("down"), _EXACT, rank=5),
    GridColumn("x-reload", later("reload"), _EXACT, rank=5),
)
_TAIL = (
    GridColumn("storage", later("a day"), _WRITTEN, rank=2),
    GridColumn("in-all", later("in all"), _WRITTEN, rank=6),
    GridColumn("note", "", left=True, flexible=True),
)
_LESSON_COLUMNS = (
    _INTERVAL,
    _STEPS,
    GridColumn("faults", later("faults"), _LESSON, rank=7),
    GridColumn("save", later("save"), _LESSON),
    GridColumn("rollback", later("rollback"), _LESSON),
    GridColumn("reload", later("reload"), _LESSON),
    GridColumn("total", later("total"), _LESSON),
    *_SHARES,
    GridColumn("overhead", later("overhead"), _EXACT),
    GridColumn("goodput", later("goodput"), _EXACT),
    *_TAIL,
)
_EXACT_COLUMNS = (
    _INTERVAL,
    _STEPS,
    GridColumn("faults", later("faults"), _EXACT_MINUTES, rank=3),
    GridColumn("save", later("save"), _EXACT_MINUTES),
    GridColumn("rollback", later("rollback"), _EXACT_MINUTES),
    GridColumn("down", later("down"), _EXACT_MINUTES, rank=1),
    GridColumn("reload", later("reload"), _EXACT_MINUTES),
    GridColumn("total", later("total"), _EXACT_MINUTES),
    GridColumn("overhead", later("overhead"), _OF_RUN),
    GridColumn("goodput", later("goodput"), _OF_RUN),
    GridColumn("level2", later("L2 every"), rank=4),
    *_TAIL,
)

NEVER = later("no saves")
DOES_NOT_FINISH = later("no end")


class ResultRow(NamedTuple):
    """One row: its cells by column, and whether it is the best of the list."""

    cells: Mapping[str, Piece]
    best: bool


def result_lines(plan: Plan, width: int) -> list[Line]:
    """Titles, a line a listed interval, and the line without checkpoints.

    With synchronous saves the minutes are the lesson's and the shares the exact model's; the
    lesson knows no other saves, so in the other modes all of it is exact.
    """
    columns = _LESSON_COLUMNS if plan.inputs.mode is PlanMode.SYNC else _EXACT_COLUMNS
    rows = result_rows(plan)
    marks = [piece(f"{RESUME_MARK} " if row.best else "  ", Tone.OK) for row in rows]
    filled = [c for c in columns if c.key == "note" or any(c.key in row.cells for row in rows)]
    return grid_lines(filled, [row.cells for row in rows], marks, width)


def result_rows(plan: Plan) -> list[ResultRow]:
    """The listed intervals in their order, then no checkpoints at all."""
    synchronous = plan.inputs.mode is PlanMode.SYNC
    rows = []
    for lesson, exact in zip(plan.lesson_rows, plan.exact_rows, strict=True):
        best = exact.interval_minutes == plan.best_exact_minutes
        cells = {"interval": piece(interval_text(exact.interval_minutes), _tone(best))}
        cells |= _lesson_cells(plan, lesson) if synchronous else _minutes_cells(exact.budget)
        cells |= _share_cells(exact.budget, best) | _extra_cells(plan, exact)
        note = _note(plan, exact.interval_minutes)
        rows.append(ResultRow(cells | {"note": note}, best))
    return [*rows, ResultRow(_unsaved_cells(plan, synchronous), best=False)]


def _tone(best: bool) -> Tone:
    return Tone.OK if best else Tone.PLAIN


def _lesson_cells(plan: Plan, row: LessonRow) -> dict[str, Piece]:
    best = row.interval_minutes == plan.best_lesson_minutes
    return {
        "faults": piece(faults_cell(row.expected_faults)),
        "save": piece(minutes_cell(row.save_overhead_minutes)),
        "rollback": piece(minutes_cell(row.expected_rollback_minutes)),
        "reload": piece(minutes_cell(row.expected_reload_minutes)),
        "total": piece(minutes_cell(row.total_overhead_minutes), _tone(best)),
    }


def _minutes_cells(budget: Budget | None) -> dict[str, Piece]:
    if budget is None:
        return _dashes("faults", "save", "rollback", "down", "reload", "total")
    return {
        "faults": piece(faults_cell(budget.failures)),
        "save": piece(minutes_cell(budget.save_minutes)),
        "rollback": piece(minutes_cell(budget.rollback_minutes)),
        "down": piece(minutes_cell(budget.down_minutes)),
        "reload": piece(minutes_cell(budget.reload_minutes)),
        "total": piece(minutes_cell(max(0.0, budget.wall_minutes - budget.work_minutes))),
    }


def _share_cells(budget: Budget | None, best: bool) -> dict[str, Piece]:
    """The exact model's shares of the useful work; goodput is a share of the wall time."""
    if budget is None:
        cells = _dashes("x-save", "x-rollback", "x-down", "x-reload", "goodput")
        return cells | {"overhead": piece(say(DOES_NOT_FINISH), Tone.BAD)}
    work = budget.work_minutes
    return {
        "x-save": piece(percent(budget.save_minutes / work)),
        "x-rollback": piece(percent(budget.rollback_minutes / work)),
        "x-down": piece(percent(budget.down_minutes / work)),
        "x-reload": piece(percent(budget.reload_minutes / work)),
        "overhead": piece(percent(budget.overhead), _tone(best)),
        "goodput": piece(percent(budget.goodput), _tone(best)),
    }


def _extra_cells(plan: Plan, row: ExactRow) -> dict[str, Piece]:
    cells = {}
    if plan.inputs.step_seconds is not None:
        steps = steps_of(row.interval_minutes, plan.inputs.step_seconds)
        cells["steps"] = piece(f"{steps:,}")
    storage = storage_of(plan.inputs, row)
    if storage is not None and storage.bytes_per_day is not None:
        cells["storage"] = piece(bytes_text(storage.bytes_per_day))
        cells["in-all"] = piece(bytes_text(storage.written_bytes))
    if row.level2_every_saves is not None:
        cells["level2"] = piece(str(row.level2_every_saves))
    return cells


def _note(plan: Plan, interval_minutes: float) -> Piece:
    is_exact = interval_minutes == plan.best_exact_minutes
    if plan.inputs.mode is PlanMode.SYNC:
        whose = plan.note_said(interval_minutes)
    else:
        whose = say("best") if is_exact else ""
    now = (
        say("of intervals\4now") if interval_minutes == plan.inputs.current_interval_minutes else ""
    )
    both = say("{best}, {now}", best=whose, now=now) if whose and now else whose or now
    return piece(both, _tone(is_exact))


def _unsaved_cells(plan: Plan, synchronous: bool) -> dict[str, Piece]:
    cells = {"interval": piece(say(NEVER))}
    if synchronous:
        cells |= _dashes("faults", "save", "rollback", "reload", "total")
    else:
        cells |= _minutes_cells(plan.unsaved)
    return cells | _share_cells(plan.unsaved, best=False)


def _dashes(*keys: str) -> dict[str, Piece]:
    return dict.fromkeys(keys, piece(UNKNOWN, Tone.DIM))

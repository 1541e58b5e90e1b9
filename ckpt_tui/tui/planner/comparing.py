"""Two plans side by side: what was changed, and what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.run_cost import run_cost
from ckpt_tui.tui.lines import Line, Piece, Tone, flowed, line, piece
from ckpt_tui.tui.planner.fields import PANEL_FIELDS, entry_text, label_of
from ckpt_tui.tui.planner.figures import (
    UNKNOWN,
    amount,
    faults_cell,
    interval_text,
    percent,
    precise_time,
    span_text,
)
from ckpt_tui.tui.planner.grid import GridColumn, grid_lines
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.result import Plan

_COLUMNS = (
    GridColumn("what", "", left=True),
    GridColumn("a", later("A (pinned)")),
    GridColumn("b", later("B (now)")),
    GridColumn("difference", "B - A"),
)
_INDENT = "  "
_TINY = 1e-9


class _Figure(NamedTuple):
    """A figure of a plan, how it is written, and whether less of it is better (None: neither).

    Attributes:
        name: Said where it is shown.
        indent: What stands before the name.
    """

    name: str
    value: Callable[[Plan], float | None]
    text: Callable[[float], str]
    less_is_better: bool | None = True
    indent: str = ""


def comparison_lines(pinned: Plan, present: Plan, width: int) -> list[Line]:
    """The inputs that differ, then a line a figure: A, B, and the difference.

    Args:
        pinned: Plan A.
        present: Plan B.
        width: Cells there are.
    """
    changes = changed_inputs(pinned.inputs, present.inputs)
    parts = [line(piece(" A → B", Tone.BOLD))]
    parts += [line(text) for text in changes]
    if not changes:
        parts.append(line(piece(say("nothing is changed yet"), Tone.DIM)))
    parts.append(line(piece(say("a unpins"), Tone.DIM)))
    made = (_row(figure, pinned, present) for figure in _FIGURES)
    rows = [row for row in made if row is not None]
    band = {
        "what": piece(say("within 5 %")),
        "a": piece(_band_text(pinned)),
        "b": piece(_band_text(present)),
    }
    rows.insert(1, band)
    marks = [piece("  ")] * len(rows)
    _, *table = grid_lines(_COLUMNS, rows, marks, width)
    return [*flowed(parts, width), *table]


def changed_inputs(pinned: PlanInputs, present: PlanInputs) -> list[str]:
    """Each field that differs, as "label A → B"; only those that the mode uses."""
    texts = []
    for field in PANEL_FIELDS:
        before, after = entry_text(pinned, field.name), entry_text(present, field.name)
        if before != after and present.mode in field.modes:
            label = label_of(field, present.mode)
            texts.append(f"{label} {before or UNKNOWN} → {after or UNKNOWN}")
    return texts


def _row(figure: _Figure, pinned: Plan, present: Plan) -> dict[str, Piece] | None:
    a, b = figure.value(pinned), figure.value(present)
    if a is None and b is None:
        return None
    return {
        "what": piece(figure.indent + say(figure.name)),
        "a": piece(UNKNOWN if a is None else figure.text(a)),
        "b": piece(UNKNOWN if b is None else figure.text(b)),
        "difference": _difference(figure, a, b),
    }


def _difference(figure: _Figure, a: float | None, b: float | None) -> Piece:
    if a is None or b is None:
        return piece(UNKNOWN, Tone.DIM)
    change = b - a
    if abs(change) <= _TINY * max(abs(a), abs(b)):
        return piece(say("the same"), Tone.DIM)
    text = f"{'+' if change > 0 else '-'}{figure.text(abs(change))}"
    if figure.less_is_better is None:
        return piece(text)
    return piece(text, Tone.OK if (change < 0) is figure.less_is_better else Tone.WARN)


def _band_text(plan: Plan) -> str:
    band = plan.optimum.within_5_percent_minutes if plan.optimum else None
    return UNKNOWN if band is None else span_text(*band)


def _best(plan: Plan) -> float | None:
    return plan.optimum.interval_minutes if plan.optimum else None


def _goodput(plan: Plan) -> float | None:
    return plan.optimum.goodput if plan.optimum else None


def _minutes(name: str) -> Callable[[Plan], float | None]:
    def of(plan: Plan) -> float | None:
        row = plan.best_row
        budget: Budget | None = row.budget if row else None
        return None if budget is None else float(getattr(budget, name))

    return of


def _storage(plan: Plan) -> float | None:
    row = plan.best_row
    return row.storage_bytes_per_day if row else None


def _gpu_hours(plan: Plan) -> float | None:
    cost = run_cost(plan)
    return cost.gpu_hours if cost else None


def _money(plan: Plan) -> float | None:
    cost = run_cost(plan)
    return cost.cost if cost else None


_OF_THE_BEST = (
    _Figure(later("wall time"), _minutes("wall_minutes"), precise_time),
    _Figure(later("saves"), _minutes("save_minutes"), precise_time),
    _Figure(later("rolled back"), _minutes("rollback_minutes"), precise_time),
    _Figure(later("down"), _minutes("down_minutes"), precise_time),
    _Figure(later("reloads"), _minutes("reload_minutes"), precise_time),
    _Figure(later("faults"), _minutes("failures"), faults_cell),
    _Figure(later("written a day"), _storage, bytes_text),
    _Figure(later("GPU-hours"), _gpu_hours, amount),
    _Figure(later("money"), _money, amount),
)
_FIGURES = (
    _Figure(later("best interval"), _best, interval_text, None),
    _Figure(later("goodput at it"), _goodput, percent, less_is_better=False),
    _Figure(later("best of the list"), lambda plan: plan.best_exact_minutes, interval_text, None),
    *(figure._replace(indent=_INDENT) for figure in _OF_THE_BEST),
)

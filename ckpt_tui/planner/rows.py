"""The rows of a plan: one listed interval under the lesson's rules and under the exact model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.budget import cut_run
from ckpt_tui.planner.lesson import checkpoint_interval_cost, expected_failure_overhead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.models import CostModel

_NORMAL_95 = 1.645
_MINUTES_PER_DAY = 1440


class LessonRow(NamedTuple):
    """One interval by the lesson's first-order rules, rounded as the lesson rounds."""

    interval_minutes: float
    save_count: int
    save_overhead_minutes: float
    expected_faults: float
    expected_rollback_minutes: float
    expected_reload_minutes: float
    failure_overhead_minutes: float
    total_overhead_minutes: float


class ExactRow(NamedTuple):
    """One interval by the exact model of its save mode.

    Attributes:
        interval_minutes: Useful work between two saves, as listed.
        save_count: Saves of the run, the one at its end included.
        level2_every_saves: Saves per level-2 save; None where there is one level.
        budget: Expected budget of the run; None where it does not finish.
        wall_band_minutes: 5 % to 95 % of the wall time; None where no variance is known.
        storage_bytes_per_day: Durable bytes written per day of wall time, level 2 only where
            there are two; None where size or wall time is unknown.
    """

    interval_minutes: float
    save_count: int
    level2_every_saves: int | None
    budget: Budget | None
    wall_band_minutes: tuple[float, float] | None
    storage_bytes_per_day: float | None


def lesson_row(inputs: PlanInputs, interval_minutes: float) -> LessonRow:
    """Asks the lesson's own functions; synchronous saves of `save_minutes`, whatever the mode.

    Raises:
        ValueError: If the inputs are out of the lesson's range.
    """
    cost = checkpoint_interval_cost(
        inputs.run_minutes,
        interval_minutes,
        inputs.save_minutes,
        inputs.fault_rate_per_hour,
        inputs.reload_minutes,
    )
    faults = expected_failure_overhead(
        inputs.run_minutes / 60,
        inputs.fault_rate_per_hour,
        interval_minutes,
        inputs.reload_minutes,
    )
    return LessonRow(
        interval_minutes,
        cost["save_count"],
        cost["save_overhead_minutes"],
        faults["expected_faults"],
        faults["expected_rollback_minutes"],
        faults["expected_reload_minutes"],
        cost["failure_overhead_minutes"],
        cost["total_overhead_minutes"],
    )


def exact_row(inputs: PlanInputs, model: CostModel, interval_minutes: float) -> ExactRow:
    """Asks the exact model for the run at one interval."""
    budget = model.run_budget(inputs.run_minutes, interval_minutes)
    interval = max(interval_minutes, model.shortest_interval_minutes)
    save_count = cut_run(inputs.run_minutes, interval).save_count
    every = model.level2_every_saves(min(interval, inputs.run_minutes))
    storage = None
    if budget and inputs.checkpoint_bytes is not None:
        durable_saves = math.ceil(save_count / (every or 1))
        days = budget.wall_minutes / _MINUTES_PER_DAY
        storage = durable_saves * inputs.checkpoint_bytes / days
    return ExactRow(interval_minutes, save_count, every, budget, _wall_band(budget), storage)


def best_lesson_row(rows: Sequence[LessonRow]) -> LessonRow:
    """The row of the least total; ties go to the one listed first."""
    return min(rows, key=lambda row: row.total_overhead_minutes)


def best_exact_row(rows: Sequence[ExactRow]) -> ExactRow | None:
    """The row of the least wall time, the first of equals; None where no run finishes."""
    finishing = [row for row in rows if row.budget]
    return min(finishing, key=_wall_minutes, default=None)


def _wall_minutes(row: ExactRow) -> float:
    return row.budget.wall_minutes if row.budget else math.inf


def _wall_band(budget: Budget | None) -> tuple[float, float] | None:
    if budget is None or budget.wall_variance is None:
        return None
    half = _NORMAL_95 * math.sqrt(budget.wall_variance)
    undisturbed = budget.work_minutes + budget.save_minutes
    return max(undisturbed, budget.wall_minutes - half), budget.wall_minutes + half

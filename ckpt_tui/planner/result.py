"""What a plan holds: the rows of the listed intervals, the optima, and the warnings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.planner.advice import Regret, StepChoice
    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.input_warnings import PlanWarning
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.rows import ExactRow, LessonRow

FIRST_ORDER_HOLDS = 0.05
"""A first-order gap below this share does not matter."""


class Optimum(NamedTuple):
    """The best interval of the exact model in a long run, not bound to a list.

    Attributes:
        interval_minutes: Useful work between two saves.
        level2_every_saves: Saves per level-2 save; None where there is one level.
        goodput: Useful work over wall time at that interval.
        within_5_percent_minutes: The intervals around it whose saves and rolled-back time cost
            at most 5 % more; None where the job does not finish even at the best.
    """

    interval_minutes: float
    level2_every_saves: int | None
    goodput: float
    within_5_percent_minutes: tuple[float, float] | None


class Plan(NamedTuple):
    """Everything that a planner shows of one set of inputs.

    Attributes:
        lesson_rows: Listed intervals by the lesson's first-order rules (synchronous saves).
        exact_rows: Listed intervals by the exact model; a run saves at its end, too. Under
            Weibull failures they are long-run averages.
        best_exact_minutes: Listed interval of the least wall time; None where no run finishes.
        optimum: None where there is none: no failures, or free saves.
        young_minutes: Young's interval for the mode's own stall per save (snapshot and slowdown;
            level-1 save and the failures it covers); None where the optimum is 0 or infinite.
        daly_minutes: Daly's interval, likewise.
        unsaved: The run without any checkpoint; None where it does not finish.
        fault_probabilities: Chances of 0, 1, 2, and 3 or more faults in the run's useful time;
            None under Weibull failures.
    """

    inputs: PlanInputs
    lesson_rows: tuple[LessonRow, ...]
    best_lesson_minutes: float
    exact_rows: tuple[ExactRow, ...]
    best_exact_minutes: float | None
    optimum: Optimum | None
    young_minutes: float | None
    daly_minutes: float | None
    unsaved: Budget | None
    fault_probabilities: tuple[float, float, float, float] | None
    steps: StepChoice | None
    regret: Regret | None
    warnings: tuple[PlanWarning, ...]

    @property
    def follows_run(self) -> bool:
        """Whether exact rows are this run's expectation, not long-run averages scaled to it."""
        return self.inputs.exponential or math.isinf(self.inputs.mtbf_minutes)

    @property
    def interval_to_set(self) -> float:
        """The interval to give a saver: whole steps, else the best, else the best of the list."""
        if self.steps is not None:
            return self.steps.interval_minutes
        if self.optimum is not None:
            return self.optimum.interval_minutes
        return self.best_exact_minutes or self.best_lesson_minutes

    @property
    def best_row(self) -> ExactRow | None:
        """The listed interval of the least wall time; None where no run finishes."""
        rows = self.exact_rows
        return next((r for r in rows if r.interval_minutes == self.best_exact_minutes), None)

    @property
    def first_order_gap(self) -> float | None:
        """How much less than the exact model the lesson expects at its best interval, as a share.

        None where they cannot be compared: other saves than synchronous ones, no end of the run,
        an interval beyond it, or no overhead at all.
        """
        index = self.inputs.intervals_minutes.index(self.best_lesson_minutes)
        budget = self.exact_rows[index].budget
        if self.inputs.mode is not PlanMode.SYNC or budget is None:
            return None
        exact_minutes = budget.wall_minutes - budget.work_minutes
        if exact_minutes <= 0 or self.best_lesson_minutes > self.inputs.run_minutes:
            return None
        return 1 - self.lesson_rows[index].total_overhead_minutes / exact_minutes

    def note_of(self, interval_minutes: float) -> str:
        """Whose best of the list an interval is: "best" of both, "exact", "lesson", or ""."""
        is_exact = interval_minutes == self.best_exact_minutes
        if interval_minutes == self.best_lesson_minutes:
            return "best" if is_exact else "lesson"
        return "exact" if is_exact else ""

    def note_said(self, interval_minutes: float) -> str:
        """The same in the language in use."""
        notes = {"best": say("best"), "exact": say("of costs\4exact"), "lesson": say("lesson")}
        return notes.get(self.note_of(interval_minutes), "")

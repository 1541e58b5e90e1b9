"""What to beware of in a plan, one sentence each; the lesson's defaults give none."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.planner.input_warnings import PlanWarning, durations_text, input_warnings
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.numerics import SMALLEST_GOODPUT
from ckpt_tui.planner.result import FIRST_ORDER_HOLDS
from ckpt_tui.planner.units import format_duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.planner.result import Plan

_HIGH_STALL_RATIO = 0.5


def warnings_of(plan: Plan) -> tuple[PlanWarning, ...]:
    """Everything worth saying about a plan: its inputs first, then its results."""
    return (
        *input_warnings(plan.inputs),
        *_about_optimum(plan),
        *_about_finishing(plan),
        *_about_no_saves(plan),
        *_about_lesson(plan),
        *_about_basis(plan),
    )


def _about_optimum(plan: Plan) -> Iterator[PlanWarning]:
    inputs, best = plan.inputs, plan.optimum
    if math.isinf(inputs.mtbf_minutes):
        message = "no failures assumed: no finite interval is best; cap it at the run's length."
        yield PlanWarning("no-failures", "fault_rate_per_hour", message)
        return
    if best is None:
        message = "saves cost nothing: the best interval tends to 0; save at every step."
        yield PlanWarning("free-save", "save_minutes", message)
        return
    if best.interval_minutes > inputs.run_minutes:
        message = (
            f"the best interval ({format_duration(best.interval_minutes)}) is longer than the run: "
            "one save at its end is enough."
        )
        yield PlanWarning("optimum-exceeds-run", None, message)
    floor = inputs.async_save.lag_minutes
    if inputs.mode is PlanMode.ASYNC and best.interval_minutes <= floor:
        message = (
            f"persist-bound: no interval below {format_duration(floor)} can be kept, "
            "and a shorter one would be best."
        )
        yield PlanWarning("persist-bound-optimum", "persist_minutes", message)
    if inputs.stall_minutes > _HIGH_STALL_RATIO * inputs.mtbf_minutes:
        message = (
            "a save takes more than half of the MTBF: "
            f"no interval exceeds a goodput of {best.goodput:.1%}."
        )
        yield PlanWarning("save-near-mtbf", "save_minutes", message)


def _about_finishing(plan: Plan) -> Iterator[PlanWarning]:
    if plan.optimum and plan.optimum.goodput < SMALLEST_GOODPUT:
        message = "the job does not finish at any interval: its failures come too fast."
        yield PlanWarning("does-not-finish", None, message)
        return
    stuck = [row.interval_minutes for row in plan.exact_rows if row.budget is None]
    if stuck:
        message = f"the job does not finish at {durations_text(stuck)}."
        yield PlanWarning("does-not-finish", "intervals_minutes", message)


def _about_no_saves(plan: Plan) -> Iterator[PlanWarning]:
    """A run without any save beats every listed interval: saves cost more than failures do."""
    finishing = [row.budget.wall_minutes for row in plan.exact_rows if row.budget is not None]
    no_failures = math.isinf(plan.inputs.mtbf_minutes)
    if plan.unsaved is None or not plan.follows_run or no_failures:
        return
    if not finishing or plan.unsaved.wall_minutes < min(finishing):
        message = (
            f"a run without any save would reach a goodput of {plan.unsaved.goodput:.1%}, more than"
            " at any listed interval: saves cost more here than failures do."
        )
        yield PlanWarning("saves-cost-more", "save_minutes", message)


def _about_lesson(plan: Plan) -> Iterator[PlanWarning]:
    inputs = plan.inputs
    if inputs.mode is not PlanMode.SYNC:
        save = format_duration(inputs.save_minutes)
        message = f"the lesson's rows count synchronous saves of {save}, not {inputs.mode} ones."
        yield PlanWarning("lesson-is-synchronous", "mode", message)
        return
    gap = plan.first_order_gap
    if gap is not None and gap >= FIRST_ORDER_HOLDS:
        message = (
            f"the lesson's totals are first-order, {gap:.0%} too low "
            f"at {format_duration(plan.best_lesson_minutes)}: they leave out down time and faults "
            "during saves, reloads and redone work."
        )
        yield PlanWarning("first-order", None, message)


def _about_basis(plan: Plan) -> Iterator[PlanWarning]:
    if not plan.follows_run:
        message = "Weibull rows are long-run averages scaled to the run, not its own expectation."
        yield PlanWarning("long-run", "weibull_shape", message)

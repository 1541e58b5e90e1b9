"""A plan: every listed interval's cost, the optima, and what to beware of."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.planner import advice, rows
from ckpt_tui.planner.curve import band_within
from ckpt_tui.planner.first_order import daly_minutes, young_minutes
from ckpt_tui.planner.inputs import require_valid
from ckpt_tui.planner.models import model_for
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.numerics import SMALLEST_GOODPUT
from ckpt_tui.planner.plan_warnings import warnings_of
from ckpt_tui.planner.result import Optimum, Plan

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.models import CostModel

GOOD_ENOUGH = 0.05


def make_plan(inputs: PlanInputs) -> Plan:
    """Plans the checkpoint interval of a run.

    Duplicates among the listed intervals are dropped.

    Raises:
        PlanInputsError: If a field has no valid value; it names every such field.
    """
    require_valid(inputs)
    inputs = inputs._replace(intervals_minutes=tuple(dict.fromkeys(inputs.intervals_minutes)))
    model = model_for(inputs)
    lesson_rows = tuple(rows.lesson_row(inputs, each) for each in inputs.intervals_minutes)
    exact_rows = tuple(rows.exact_row(inputs, model, each) for each in inputs.intervals_minutes)
    best_exact = rows.best_exact_row(exact_rows)
    best_minutes = model.best_interval_minutes()
    has_optimum = 0 < best_minutes < math.inf
    young, daly = _first_order(inputs)
    plan = Plan(
        inputs,
        lesson_rows,
        rows.best_lesson_row(lesson_rows).interval_minutes,
        exact_rows,
        best_exact.interval_minutes if best_exact else None,
        _optimum(model, best_minutes) if has_optimum else None,
        young,
        daly,
        model.unsaved_run_budget(inputs.run_minutes),
        _fault_probabilities(inputs),
        None if math.isinf(best_minutes) else advice.step_choice(inputs, model, best_minutes),
        advice.regret(inputs, model, best_minutes) if best_minutes > 0 else None,
        (),
    )
    return plan._replace(warnings=warnings_of(plan))


def _optimum(model: CostModel, best_minutes: float) -> Optimum:
    goodput = model.goodput(best_minutes)
    band = None
    if goodput >= SMALLEST_GOODPUT:
        band = band_within(model, best_minutes, GOOD_ENOUGH)
    return Optimum(best_minutes, model.level2_every_saves(best_minutes), goodput, band)


def _first_order(inputs: PlanInputs) -> tuple[float | None, float | None]:
    """Young's and Daly's intervals, or None where they would be 0 or infinite."""
    stall, mtbf = inputs.stall_minutes, inputs.mtbf_minutes
    if inputs.mode is PlanMode.TWO_LEVEL:
        if inputs.level1_coverage > 0:
            mtbf /= inputs.level1_coverage
        else:
            stall = inputs.save_minutes
    if stall == 0 or math.isinf(mtbf):
        return None, None
    young = young_minutes(stall, mtbf)
    # Next to no coverage puts the failures that level 1 covers beyond any finite time.
    return (None, None) if math.isinf(young) else (young, daly_minutes(stall, mtbf))


def _fault_probabilities(inputs: PlanInputs) -> tuple[float, float, float, float] | None:
    """Poisson chances of 0, 1, 2, and 3 or more faults in the run's useful time."""
    if not inputs.exponential:
        return None
    mean = inputs.run_minutes / inputs.mtbf_minutes
    none = math.exp(-mean)
    one, two = mean * none, mean * mean / 2 * none
    return none, one, two, max(0.0, 1 - none - one - two)

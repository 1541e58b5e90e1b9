"""What follows from a plan for a job that runs: the steps to set, and the price of not doing it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.numerics import SMALLEST_GOODPUT

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.models import CostModel


class StepChoice(NamedTuple):
    """The whole number of training steps between two saves of most goodput."""

    steps: int
    interval_minutes: float
    goodput: float


class Regret(NamedTuple):
    """What the current interval costs more than the best one, over the run.

    `extra_minutes` is None where the run does not finish at the current interval; GPU-hours and
    cost are None where the number or the price of GPUs is not given.
    """

    current_interval_minutes: float
    extra_minutes: float | None
    extra_gpu_hours: float | None
    extra_cost: float | None


def step_choice(inputs: PlanInputs, model: CostModel, best_minutes: float) -> StepChoice | None:
    """Evaluates the whole numbers of steps next to the best interval; never fewer than 1.

    None without a step time. A best interval of 0 (free saves) gives one step.
    """
    if inputs.step_seconds is None:
        return None
    step_minutes = inputs.step_seconds / 60
    fewest = max(1, math.ceil(model.shortest_interval_minutes / step_minutes))
    real = best_minutes / step_minutes
    candidates = {max(fewest, math.floor(real)), max(fewest, math.ceil(real))}
    choices = (
        StepChoice(steps, steps * step_minutes, model.goodput(steps * step_minutes))
        for steps in sorted(candidates)
    )
    return max(choices, key=lambda choice: choice.goodput)


def regret(inputs: PlanInputs, model: CostModel, best_minutes: float) -> Regret | None:
    """Compares the current interval with the best; None where no current one is given."""
    current = inputs.current_interval_minutes
    if current is None:
        return None
    run = inputs.run_minutes
    goodput = model.goodput(min(current, run))
    best_goodput = model.goodput(min(best_minutes, run))
    if min(goodput, best_goodput) < SMALLEST_GOODPUT:
        return Regret(current, None, None, None)
    minutes = max(0.0, run / goodput - run / best_goodput)
    gpu_hours = None if inputs.gpus is None else minutes / 60 * inputs.gpus
    cost = None
    if gpu_hours is not None and inputs.gpu_hour_price is not None:
        cost = gpu_hours * inputs.gpu_hour_price
    return Regret(current, minutes, gpu_hours, cost)

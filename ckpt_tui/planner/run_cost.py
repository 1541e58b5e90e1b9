"""What the run of a plan takes in GPU-hours and money, and how much of that is overhead."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.planner.result import Plan


class RunCost(NamedTuple):
    """GPU-hours of the run at the best listed interval, and their price where it is given.

    Overhead is everything but the useful work.
    """

    gpu_hours: float
    overhead_gpu_hours: float
    cost: float | None
    overhead_cost: float | None


def run_cost(plan: Plan) -> RunCost | None:
    """None where the number of GPUs is not given, or the run does not finish."""
    row, gpus, price = plan.best_row, plan.inputs.gpus, plan.inputs.gpu_hour_price
    if row is None or row.budget is None or gpus is None:
        return None
    hours = row.budget.wall_minutes / 60 * gpus
    overhead = max(0.0, row.budget.wall_minutes - row.budget.work_minutes) / 60 * gpus
    if price is None:
        return RunCost(hours, overhead, None, None)
    return RunCost(hours, overhead, hours * price, overhead * price)

"""What an observed rate means for the plan: the range that the best interval lies in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.planner.models import model_for

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.rate import RatePosterior

WIDE = 3.0
"""From this ratio of its ends on, a credible interval is too wide to speak of one best."""


def best_interval_range(inputs: PlanInputs, rate: RatePosterior) -> tuple[float, float] | None:
    """The best interval at both ends of the rate's credible interval, minutes, shortest first.

    None where an end has no optimum (free saves, or a rate that is as good as 0).
    """
    ends = [_best_at(inputs, per_hour) for per_hour in (rate.high, rate.low)]
    low, high = ends
    return (low, high) if low is not None and high is not None else None


def _best_at(inputs: PlanInputs, per_hour: float) -> float | None:
    best = model_for(inputs._replace(fault_rate_per_hour=per_hour)).best_interval_minutes()
    return best if 0 < best < math.inf else None

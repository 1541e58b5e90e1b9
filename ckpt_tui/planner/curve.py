"""The cost over a range of intervals: points of the curve, and the band that is good enough."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.planner.inputs import require_valid
from ckpt_tui.planner.models import model_for
from ckpt_tui.planner.numerics import SMALLEST_GOODPUT
from ckpt_tui.planner.optimise import log_spaced

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.models import CostModel

_MARGIN = 4.0
_WIDENING = 1.25
_MOST_WIDENINGS = 200
_BISECTIONS = 50


def cost_curve(inputs: PlanInputs, points: int = 200) -> tuple[tuple[float, float], ...]:
    """(interval in minutes, long-run overhead as a share of useful work), ready to draw.

    Evenly spaced on a log scale from well below to well above the listed intervals and the
    optimum. Intervals at which the job does not finish are left out.

    Args:
        inputs: Valid inputs.
        points: Number of intervals tried, at least 2.

    Raises:
        PlanInputsError: If the inputs are not valid.
    """
    require_valid(inputs)
    model = model_for(inputs)
    marks = [*inputs.intervals_minutes]
    best = model.best_interval_minutes()
    if 0 < best < math.inf:
        marks += [best / _MARGIN, best * _MARGIN]
    low, high = min(marks), max(marks)
    if low == high:
        low, high = low / _MARGIN, high * _MARGIN
    curve = ((interval, model.goodput(interval)) for interval in log_spaced(low, high, points))
    return tuple(
        (interval, 1 / goodput - 1) for interval, goodput in curve if goodput >= SMALLEST_GOODPUT
    )


def band_within(model: CostModel, best_minutes: float, tolerance: float) -> tuple[float, float]:
    """The intervals around the best whose tunable overhead is within `tolerance` of its.

    Tunable is what the interval decides, saves and rolled-back time; reload and down time cost
    the same at every interval. First order, 5 % gives 0.73 to 1.37 times the best.
    """
    share = model.tunable_share(best_minutes)
    threshold = model.goodput(best_minutes) / (1 + tolerance * share)

    def good_enough(interval: float) -> bool:
        return model.goodput(interval) >= threshold

    shortest = model.shortest_interval_minutes
    reaches_shortest = shortest > 0 and good_enough(shortest)
    low = shortest if reaches_shortest else _edge(good_enough, best_minutes, 1 / _WIDENING)
    return low, _edge(good_enough, best_minutes, _WIDENING)


def _edge(good_enough: Callable[[float], bool], inside: float, factor: float) -> float:
    """The last good interval when going from `inside` in steps of `factor`."""
    outside = inside * factor
    for _ in range(_MOST_WIDENINGS):
        if not good_enough(outside):
            break
        inside, outside = outside, outside * factor
    for _ in range(_BISECTIONS):
        middle = math.sqrt(inside * outside)
        if good_enough(middle):
            inside = middle
        else:
            outside = middle
    return inside

"""A smooth minimum over a positive variable, where no closed form exists."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_GOLDEN = (math.sqrt(5) - 1) / 2
_FIRST_FACTOR = 1.5
_LOG_TOLERANCE = 1e-3
_LOG_STEP = 5e-3
_MOST_EXPANSIONS = 200


def minimum_near(cost: Callable[[float], float], guess: float) -> float:
    """Returns where `cost` is least, searching outwards from `guess` on a log scale.

    Golden section brackets the minimum; the root of a central-difference derivative then
    gives more digits than comparing nearly equal costs can. `cost` may be infinite.
    """

    def log_cost(x: float) -> float:
        return cost(math.exp(x))

    low, high = _bracket(log_cost, math.log(guess))
    return math.exp(_polish(log_cost, _golden_section(log_cost, low, high)))


def best_of_grid(cost: Callable[[float], float], low: float, high: float, points: int) -> float:
    """Returns the point of least cost among `points` spaced evenly on a log scale."""
    return min(log_spaced(low, high, points), key=cost)


def log_spaced(low: float, high: float, points: int) -> list[float]:
    """Returns `points` (at least 2) values from `low` to `high`, evenly on a log scale."""
    ratio = math.log(high / low) / (points - 1)
    return [low * math.exp(ratio * index) for index in range(points)]


def _bracket(cost: Callable[[float], float], start: float) -> tuple[float, float]:
    """Widens around the start until both ends cost more than the middle."""
    width = math.log(_FIRST_FACTOR)
    middle, middle_cost = start, cost(start)
    for _ in range(_MOST_EXPANSIONS):
        left, right = cost(middle - width), cost(middle + width)
        if middle_cost <= left and middle_cost <= right:
            break
        middle, middle_cost = min((middle - width, left), (middle + width, right), key=_second)
    return middle - width, middle + width


def _second(pair: tuple[float, float]) -> float:
    return pair[1]


def _golden_section(cost: Callable[[float], float], low: float, high: float) -> float:
    inner_low, inner_high = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    low_cost, high_cost = cost(inner_low), cost(inner_high)
    while high - low > _LOG_TOLERANCE:
        if low_cost <= high_cost:
            high, inner_high, high_cost = inner_high, inner_low, low_cost
            inner_low = high - _GOLDEN * (high - low)
            low_cost = cost(inner_low)
        else:
            low, inner_low, low_cost = inner_low, inner_high, high_cost
            inner_high = low + _GOLDEN * (high - low)
            high_cost = cost(inner_high)
    return (low + high) / 2


def _polish(cost: Callable[[float], float], start: float) -> float:
    """Two Newton steps on fourth-order central differences; keeps the start if they run off."""
    point = start
    for _ in range(2):
        far_left, left, here, right, far_right = (
            cost(point + shift * _LOG_STEP) for shift in (-2, -1, 0, 1, 2)
        )
        slope = (far_left - far_right + 8 * (right - left)) / (12 * _LOG_STEP)
        curvature = (16 * (left + right) - far_left - far_right - 30 * here) / (12 * _LOG_STEP**2)
        if not (math.isfinite(curvature) and curvature > 0):
            return start
        point -= slope / curvature
    return point if abs(point - start) <= 10 * _LOG_TOLERANCE else start

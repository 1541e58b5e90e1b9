"""The Weibull law of failures: shape below 1 clusters them early, 1 is exponential."""

from __future__ import annotations

import math
from typing import NamedTuple

from ckpt_tui.planner.gamma import gamma_shares

_SURE_TO_FAIL = 60.0  # e^-60: no term beyond matters
_EULER_MACLAURIN = (1 / 12, -1 / 720, 1 / 30240)
_BINOMIALS = tuple(tuple(math.comb(n, i) for i in range(n + 1)) for n in range(5))


class WeibullLaw(NamedTuple):
    """S(t) = exp(-(t/scale)^shape), with the scale that gives the stated mean."""

    shape: float
    mtbf_minutes: float

    @property
    def scale_minutes(self) -> float:
        """Scale, M / Gamma(1 + 1/k), in minutes."""
        return self.mtbf_minutes / math.gamma(1 + 1 / self.shape)

    def hazard_sum(self, minutes: float) -> float:
        """(t/scale)^k, the exponent of the survival function."""
        return math.pow(minutes / self.scale_minutes, self.shape)

    def survival(self, minutes: float) -> float:
        """Chance that no failure comes within `minutes`."""
        return math.exp(-min(self.hazard_sum(minutes), 1e3))

    def mean_until(self, minutes: float) -> float:
        """Mean of min(X, minutes), in minutes."""
        return self.mtbf_minutes * gamma_shares(1 / self.shape, self.hazard_sum(minutes))[0]

    def mean_beyond(self, minutes: float) -> float:
        """Mean of max(X - minutes, 0): the integral of S from `minutes` on, in minutes."""
        return self.mtbf_minutes * gamma_shares(1 / self.shape, self.hazard_sum(minutes))[1]


def survival_sum(law: WeibullLaw, offset_minutes: float, period_minutes: float) -> float:
    """Returns the mean number of periods completed before a failure, sum over n >= 1 S(o + n P).

    The first terms are added one by one; the smooth rest is an integral with Euler-Maclaurin
    corrections, so that a short period costs no more than a long one.
    """
    scale, shape = law.scale_minutes, law.shape
    total = 0.0
    counted = int(20 + 6 * shape)
    for index in range(1, counted):
        hazard_sum = ((offset_minutes + index * period_minutes) / scale) ** shape
        if hazard_sum > _SURE_TO_FAIL:
            return total
        total += math.exp(-hazard_sum)
    return total + _smooth_rest(law, offset_minutes + counted * period_minutes, period_minutes)


def _smooth_rest(law: WeibullLaw, start_minutes: float, period_minutes: float) -> float:
    """Sum of S(start + j P) over j >= 0."""
    if law.hazard_sum(start_minutes) > _SURE_TO_FAIL:
        return 0.0
    slopes = _survival_slopes(law, start_minutes)
    total = law.mean_beyond(start_minutes) / period_minutes + slopes[0] / 2
    power = period_minutes
    for index, factor in enumerate(_EULER_MACLAURIN):
        total -= factor * power * slopes[2 * index + 1]
        power *= period_minutes * period_minutes
    return total


def _survival_slopes(law: WeibullLaw, minutes: float) -> list[float]:
    """S and its first five derivatives at `minutes` > 0, from S' = -h S."""
    hazard = law.shape * law.hazard_sum(minutes) / minutes
    hazards = [hazard]
    slopes = [law.survival(minutes)]
    for order, binomials in enumerate(_BINOMIALS, 1):
        terms = zip(binomials, hazards, reversed(slopes), strict=True)
        slopes.append(-sum(count * rate * slope for count, rate, slope in terms))
        hazard *= (law.shape - order) / minutes
        hazards.append(hazard)
    return slopes

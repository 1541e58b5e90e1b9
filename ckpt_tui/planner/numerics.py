"""Numbers that naive formulas lose to cancellation when a time is short against the MTBF."""

from __future__ import annotations

import math

_SERIES_BELOW = 0.5
_MOMENT_SERIES_BELOW = 0.1
_LINEAR_BELOW = 1e-16

# Above this exponent, or below this goodput, a job "does not finish".
LARGEST_EXPONENT = 700.0
SMALLEST_GOODPUT = 1e-6


def exp_excess(x: float) -> float:
    """Returns e^x - 1 - x, to full precision near zero too."""
    if abs(x) >= _SERIES_BELOW:
        return math.expm1(x) - x
    term = x * x / 2
    total = term
    order = 2
    while abs(term) > 1e-17 * total:
        order += 1
        term *= x / order
        total += term
    return total


def growth(minutes: float, mtbf_minutes: float) -> float:
    """Returns M (e^(t/M) - 1), which is t itself when failures never come.

    For t > 0 it is the mean time to get through t uninterrupted minutes when a failure costs
    only the lost part. `-growth(-t, M)` is the mean of min(time to failure, t).
    """
    ratio = minutes / mtbf_minutes
    if abs(ratio) < _LINEAR_BELOW:
        return minutes
    return mtbf_minutes * math.expm1(ratio)


def mean_exposed(minutes: float, mtbf_minutes: float) -> float:
    """Returns the mean of min(time to failure, `minutes`), in minutes."""
    return -growth(-minutes, mtbf_minutes)


def lost_mean(minutes: float, mtbf_minutes: float) -> float:
    """Returns the mean time to a failure that is known to come within `minutes`."""
    y = minutes / mtbf_minutes
    if y < _MOMENT_SERIES_BELOW:
        return minutes * (1 / 2 - y / 12 + y**3 / 720 - y**5 / 30240 + y**7 / 1209600)
    return mtbf_minutes - minutes / math.expm1(y)


def lost_variance(minutes: float, mtbf_minutes: float) -> float:
    """Returns the variance of the time to a failure that is known to come within `minutes`."""
    y = minutes / mtbf_minutes
    if y < _MOMENT_SERIES_BELOW:
        return minutes**2 * (1 / 12 - y**2 / 240 + y**4 / 6048 - y**6 / 172800)
    return mtbf_minutes**2 - (minutes / (2 * math.sinh(y / 2))) ** 2

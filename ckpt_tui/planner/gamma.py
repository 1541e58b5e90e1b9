"""The incomplete gamma function and the quantiles of a gamma distribution.

Series below a + 1 and Lentz's continued fraction above it (NIST DLMF 8.11.4 and 8.9.2).
"""

from __future__ import annotations

import math

_PRECISION = 1e-17
_MOST_TERMS = 10_000
_LARGEST_STEP = 5.0


def gamma_shares(shape: float, x: float) -> tuple[float, float]:
    """Returns the lower and upper regularised incomplete gamma functions P(a, x), Q(a, x)."""
    if x <= 0:
        return 0.0, 1.0
    scale = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        lower = scale * _series(shape, x)
        return lower, 1 - lower
    upper = scale * _fraction(shape, x)
    return 1 - upper, upper


def gamma_quantile(probability: float, shape: float) -> float:
    """Returns x with P(shape, x) = probability, for a probability strictly between 0 and 1.

    Newton's method on ln x, kept inside a bracket.
    """
    low, high = 0.0, shape + 1
    while gamma_shares(shape, high)[0] < probability:
        low, high = high, 2 * high
    x = _first_quantile(probability, shape, low, high)
    for _ in range(_MOST_TERMS):
        lower, _ = gamma_shares(shape, x)
        if lower < probability:
            low = x
        else:
            high = x
        log_density = shape * math.log(x) - x - math.lgamma(shape)
        # Far from the quantile the density may be 0 to all digits: then the bracket is halved.
        density = math.exp(log_density)
        step = (probability - lower) / density if density > 0 else math.inf
        moved = x * math.exp(min(max(step, -_LARGEST_STEP), _LARGEST_STEP))
        if not low <= moved <= high:
            moved = (low + high) / 2
        if abs(moved - x) <= 1e-15 * x:
            return moved
        x = moved
    return x


def _first_quantile(probability: float, shape: float, low: float, high: float) -> float:
    """Where P(a, x) ~ x^a / Gamma(a + 1) is small, that inverted; else the bracket's middle."""
    small = math.exp((math.log(probability) + math.lgamma(shape + 1)) / shape)
    return small if low < small < high else (low + high) / 2


def _series(shape: float, x: float) -> float:
    term = total = 1 / shape
    for index in range(1, _MOST_TERMS):
        term *= x / (shape + index)
        total += term
        if term < _PRECISION * total:
            break
    return total


def _fraction(shape: float, x: float) -> float:
    b = x + 1 - shape
    c = math.inf
    d = 1 / b
    result = d
    for index in range(1, _MOST_TERMS):
        numerator = -index * (index - shape)
        b += 2
        d = 1 / (numerator * d + b)
        c = b + numerator / c
        change = c * d
        result *= change
        if abs(change - 1) < 1e-16:
            break
    return result

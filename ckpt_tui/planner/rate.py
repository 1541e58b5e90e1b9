"""Failure rates: of a whole job from its nodes, and of a job from its observed failures."""

from __future__ import annotations

import math
from typing import NamedTuple

from ckpt_tui.planner.gamma import gamma_quantile

JEFFREYS_SHAPE = 0.5


class RatePosterior(NamedTuple):
    """What n failures in T hours say about a rate; every rate is per hour.

    `low` and `high` bound the central credible interval; `upper_95` is one-sided;
    `rule_of_three` is -ln(0.05)/T and None once a failure was seen.
    """

    failures: int
    exposure_hours: float
    prior_shape: float
    prior_hours: float
    mean: float
    median: float
    low: float
    high: float
    upper_95: float
    most_likely: float
    rule_of_three: float | None

    def to_plan_with(self, present_per_hour: float) -> float | None:
        """The mean, which a plan is best made with; None where the present rate should stay.

        That is where no failure was seen in a time too short to contradict it: the mean of so
        little says only how short it was.
        """
        if not self.failures and self.upper_95 >= present_per_hour:
            return None
        return self.mean

    def young_hours(self, stall_hours: float) -> float:
        """Returns the best first-order interval under this uncertainty, in hours.

        The first-order cost is linear in the rate, so it is Young's at the posterior mean.
        """
        return math.sqrt(2 * stall_hours / self.mean)


def job_mtbf_hours(nodes: int, failures_per_1000_node_days: float) -> float:
    """Returns the MTBF of a job on `nodes` independent nodes, in hours."""
    return 24_000 / (nodes * failures_per_1000_node_days)


def rate_posterior(
    failures: int,
    exposure_hours: float,
    prior_shape: float = JEFFREYS_SHAPE,
    prior_hours: float = 0.0,
    level: float = 0.9,
) -> RatePosterior:
    """Returns the posterior of a Poisson rate, Gamma(a + n, b + T).

    Args:
        failures: Failures seen, n >= 0.
        exposure_hours: Hours watched, T > 0.
        prior_shape: a > 0; Jeffreys' prior is 0.5 with b = 0.
        prior_hours: b >= 0, hours.
        level: Credible level strictly between 0 and 1.

    Raises:
        ValueError: If an argument is outside its range.
    """
    _check(failures, exposure_hours, prior_shape, prior_hours, level)
    shape = prior_shape + failures
    hours = prior_hours + exposure_hours
    tail = (1 - level) / 2
    return RatePosterior(
        failures,
        exposure_hours,
        prior_shape,
        prior_hours,
        mean=shape / hours,
        median=gamma_quantile(0.5, shape) / hours,
        low=gamma_quantile(tail, shape) / hours,
        high=gamma_quantile(1 - tail, shape) / hours,
        upper_95=gamma_quantile(0.95, shape) / hours,
        most_likely=failures / exposure_hours,
        rule_of_three=None if failures else -math.log(0.05) / exposure_hours,
    )


def _check(failures: int, exposure: float, shape: float, hours: float, level: float) -> None:
    if failures < 0:
        raise ValueError(f"failures must not be negative, got {failures}")
    if not 0 < exposure < math.inf:
        raise ValueError(f"exposure_hours must be above 0 and finite, got {exposure}")
    if not 0 < shape < math.inf:
        raise ValueError(f"prior_shape must be above 0 and finite, got {shape}")
    if not 0 <= hours < math.inf:
        raise ValueError(f"prior_hours must not be negative, got {hours}")
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level}")

"""Synchronous saves, exactly: exponential failures in compute, save, down time and reload.

Symbols: t useful work between two saves, d stall of a save, M MTBF, R reload (exposed to
failures), D down time (nothing can fail in it). Follows J. T. Daly, FGCS 22(3), 2006, with D
kept apart from R; the optimum is the closed form of the same model.
"""

from __future__ import annotations

import math

from ckpt_tui.planner.budget import NOTHING, Budget, cut_run, finished, repeated
from ckpt_tui.planner.numerics import (
    LARGEST_EXPONENT,
    SMALLEST_GOODPUT,
    exp_excess,
    growth,
    lost_mean,
    lost_variance,
)


def optimal_interval_minutes(stall_minutes: float, mtbf_minutes: float) -> float:
    """Returns the work between two saves that gives the most goodput, in minutes.

    M (1 + W0(-e^(-1 - d/M))), whatever R, D and the run's length. With g = (t + d)/M it is
    the root of g - 1 + e^-g = d/M, found by Newton's method from above; then t = M (1 - e^-g),
    which loses no digits for a short save. 0 for d = 0; infinite where failures never come.
    """
    if math.isinf(mtbf_minutes):
        return math.inf
    ratio = stall_minutes / mtbf_minutes
    if ratio == 0:
        return 0.0
    g = ratio + min(1.0, math.sqrt(2 * ratio))
    step = g
    # Each step doubles the digits, so one after a step of 1e-9 would change nothing.
    while step > 1e-9 * g:
        step = (exp_excess(-g) - ratio) / -math.expm1(-g)
        g -= step
    return -mtbf_minutes * math.expm1(-g)


def cycle_wall_minutes(
    period_minutes: float, exposed_minutes: float, mtbf_minutes: float, down_minutes: float
) -> float:
    """Returns the mean wall time to get through one period, in minutes.

    (M + D) e^(o/M) (e^(P/M) - 1), o the exposed time before a period that is tried again.
    Infinite where the exponent says that the job does not finish.
    """
    if (period_minutes + exposed_minutes) / mtbf_minutes > LARGEST_EXPONENT:
        return math.inf
    base = growth(period_minutes, mtbf_minutes)
    base += down_minutes * math.expm1(period_minutes / mtbf_minutes)
    return math.exp(exposed_minutes / mtbf_minutes) * base


def goodput(
    interval_minutes: float,
    stall_minutes: float,
    mtbf_minutes: float,
    reload_minutes: float,
    down_minutes: float,
) -> float:
    """Returns useful work over wall time in a long run, from 0 (does not finish) to 1."""
    period = interval_minutes + stall_minutes
    wall = cycle_wall_minutes(period, reload_minutes, mtbf_minutes, down_minutes)
    return min(1.0, interval_minutes / wall)


def segment_budget(
    interval_minutes: float,
    stall_minutes: float,
    mtbf_minutes: float,
    reload_minutes: float,
    down_minutes: float,
) -> Budget | None:
    """Returns the expected budget of one segment of work and its save, with its variance.

    None where the job does not finish. With a = e^((t+d)/M) - 1: wall (M + D) a e^(R/M),
    failures a e^(R/M), rolled back M a - t - d, down D a e^(R/M), reload a M (e^(R/M) - 1).
    """
    period = interval_minutes + stall_minutes
    wall = cycle_wall_minutes(period, reload_minutes, mtbf_minutes, down_minutes)
    if wall * SMALLEST_GOODPUT > period:
        return None
    if math.isinf(mtbf_minutes):
        return Budget(period, interval_minutes, stall_minutes, 0.0, 0.0, 0.0, 0.0, 0.0)
    attempts_failed = math.expm1(period / mtbf_minutes)
    failures = attempts_failed * math.exp(reload_minutes / mtbf_minutes)
    return Budget(
        wall,
        interval_minutes,
        stall_minutes,
        mtbf_minutes * exp_excess(period / mtbf_minutes),
        failures * down_minutes,
        attempts_failed * growth(reload_minutes, mtbf_minutes),
        failures,
        _segment_variance(period, mtbf_minutes, reload_minutes, down_minutes),
    )


def run_budget(
    run_minutes: float,
    interval_minutes: float,
    stall_minutes: float,
    mtbf_minutes: float,
    reload_minutes: float,
    down_minutes: float,
) -> Budget | None:
    """Returns the expected budget of a run that also saves at its end.

    The run is cut into whole segments and a shorter last one. None where it does not finish.
    """
    cut = cut_run(run_minutes, interval_minutes)
    costs = (stall_minutes, mtbf_minutes, reload_minutes, down_minutes)
    full = segment_budget(cut.full_minutes, *costs)
    last = segment_budget(cut.last_minutes, *costs) if cut.last_minutes else NOTHING
    if full is None or last is None:
        return None
    return finished(repeated(cut.full_count, full, last))


def unsaved_run_budget(
    run_minutes: float, mtbf_minutes: float, reload_minutes: float, down_minutes: float
) -> Budget | None:
    """Returns the budget of a run without checkpoints: a failure loses all since its start.

    One segment as long as the run, without a save. None where it does not finish.
    """
    whole = segment_budget(run_minutes, 0.0, mtbf_minutes, reload_minutes, down_minutes)
    return finished(whole) if whole else None


def overhead_ratio(interval_ratio: float, stall_over_mtbf: float) -> float:
    """Returns the save and rollback overhead at `interval_ratio` times the optimum, best = 1."""
    best = optimal_interval_minutes(stall_over_mtbf, 1.0)
    return tunable_overhead(interval_ratio * best, stall_over_mtbf, 1.0) / tunable_overhead(
        best, stall_over_mtbf, 1.0
    )


def tunable_overhead(interval_minutes: float, stall_minutes: float, mtbf_minutes: float) -> float:
    """Returns the overhead that the choice of interval decides: saves and rolled-back time.

    The overhead with R = D = 0, as a share of the useful work; R and D multiply every
    interval's wall time by one factor. Infinite where the job does not finish.
    """
    period = interval_minutes + stall_minutes
    if period / mtbf_minutes > LARGEST_EXPONENT:
        return math.inf
    if math.isinf(mtbf_minutes):
        return stall_minutes / interval_minutes
    lost = mtbf_minutes * exp_excess(period / mtbf_minutes)
    return (stall_minutes + lost) / interval_minutes


def _segment_variance(
    period_minutes: float, mtbf_minutes: float, reload_minutes: float, down_minutes: float
) -> float:
    """Variance of a geometric number of truncated attempts, each followed by a recovery."""
    mean, variance = _retries(reload_minutes, mtbf_minutes, down_minutes, 0.0)
    _, result = _retries(
        period_minutes, mtbf_minutes, down_minutes + reload_minutes + mean, variance
    )
    return result


def _retries(
    minutes: float, mtbf_minutes: float, pause_minutes: float, pause_variance: float
) -> tuple[float, float]:
    """Mean and variance of what failed tries at `minutes` of uninterrupted time add.

    The number of failed tries is geometric; each costs the time to its failure and a pause.
    """
    failed = math.expm1(minutes / mtbf_minutes)
    failed_variance = failed * math.exp(minutes / mtbf_minutes)
    each = lost_mean(minutes, mtbf_minutes) + pause_minutes
    each_variance = lost_variance(minutes, mtbf_minutes) + pause_variance
    return failed * each, failed * each_variance + failed_variance * each**2

"""Where the wall time of a run goes, in the five parts that a plan shows."""

from __future__ import annotations

import math
from typing import NamedTuple

from ckpt_tui.planner.numerics import SMALLEST_GOODPUT

_WHOLE_WITHIN = 1e-9


class Budget(NamedTuple):
    """Expected wall time and its parts, in minutes; the parts add up to the wall time.

    `rollback_minutes` is every minute of compute or save that a failure threw away.
    `wall_variance` (minutes squared) is None where the model gives none.
    """

    wall_minutes: float
    work_minutes: float
    save_minutes: float
    rollback_minutes: float
    down_minutes: float
    reload_minutes: float
    failures: float
    wall_variance: float | None = None

    @property
    def goodput(self) -> float:
        """Useful work over wall time, from 0 to 1."""
        return min(1.0, self.work_minutes / self.wall_minutes)

    @property
    def overhead(self) -> float:
        """Wall time over useful work, minus 1."""
        return max(0.0, self.wall_minutes - self.work_minutes) / self.work_minutes


NOTHING = Budget(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Segments(NamedTuple):
    """A run cut into equal segments of work and a shorter last one (0 where it divides)."""

    full_count: int
    full_minutes: float
    last_minutes: float

    @property
    def save_count(self) -> int:
        """Saves of the run, the one at its end included."""
        return self.full_count + (self.last_minutes > 0)


def cut_run(run_minutes: float, interval_minutes: float) -> Segments:
    """Cuts a run into segments of `interval_minutes` of work; a longer interval gives one.

    A remainder that is only rounding makes no segment of its own.
    """
    interval = min(interval_minutes, run_minutes)
    ratio = run_minutes / interval
    nearest = round(ratio)
    if abs(ratio - nearest) <= _WHOLE_WITHIN * ratio:
        return Segments(nearest, run_minutes / nearest, 0.0)
    full_count = math.floor(ratio)
    return Segments(full_count, interval, run_minutes - full_count * interval)


def repeated(count: int, each: Budget, then: Budget) -> Budget:
    """Adds up `count` independent budgets and one more."""
    variance = None
    if each.wall_variance is not None and then.wall_variance is not None:
        variance = count * each.wall_variance + then.wall_variance
    return Budget(
        count * each.wall_minutes + then.wall_minutes,
        count * each.work_minutes + then.work_minutes,
        count * each.save_minutes + then.save_minutes,
        count * each.rollback_minutes + then.rollback_minutes,
        count * each.down_minutes + then.down_minutes,
        count * each.reload_minutes + then.reload_minutes,
        count * each.failures + then.failures,
        variance,
    )


def finished(budget: Budget) -> Budget | None:
    """Returns the budget, or None when the run in effect does not finish."""
    return budget if budget.goodput >= SMALLEST_GOODPUT else None

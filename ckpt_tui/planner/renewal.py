"""Synchronous or asynchronous saves under Weibull failures, exactly in the long run.

If the time to failure X starts afresh at each recovery, goodput = w sum S(o + n P) /
(E[X] + D) over n >= 1 (renewal-reward), with S the survival function, w useful work per period
P and o the exposed time before the first segment. A renewal of the whole job per failure is
optimistic about early failures when one node of many is replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.budget import Budget, finished
from ckpt_tui.planner.exact import optimal_interval_minutes
from ckpt_tui.planner.optimise import best_of_grid, minimum_near
from ckpt_tui.planner.weibull import WeibullLaw, survival_sum

if TYPE_CHECKING:
    from ckpt_tui.planner.asynchronous import AsyncSave

_SEARCH_FACTOR = 8
_SEARCH_POINTS = 120


class Renewal(NamedTuple):
    """A save (a synchronous one persists for 0 minutes) and its costs in minutes."""

    law: WeibullLaw
    save: AsyncSave
    reload_minutes: float
    down_minutes: float

    def goodput(self, interval_minutes: float) -> float:
        """Returns useful work over wall time in a long run."""
        interval = max(interval_minutes, self.save.lag_minutes)
        cycle = self.law.mtbf_minutes + self.down_minutes
        return min(1.0, interval * self._periods(interval) / cycle)

    def optimal_interval_minutes(self) -> float:
        """Returns the work between two saves that gives the most goodput, in minutes.

        A shape far above 1 makes several maxima, so a grid comes first. 0 for a free save.
        """
        stall = self.save.stall_minutes
        if stall == 0:
            return self.save.lag_minutes
        guess = optimal_interval_minutes(stall, self.law.mtbf_minutes)
        low, high = guess / _SEARCH_FACTOR, guess * _SEARCH_FACTOR
        start = best_of_grid(self._cost, low, high, _SEARCH_POINTS)
        return max(self.save.lag_minutes, minimum_near(self._cost, start))

    def long_run_budget(self, run_minutes: float, interval_minutes: float) -> Budget | None:
        """Returns the long-run average budget for `run_minutes` of useful work.

        Shares of the mean cycle from one failure to the next; no finite run is followed.
        None where the job does not finish.
        """
        interval = min(max(interval_minutes, self.save.lag_minutes), run_minutes)
        periods = self._periods(interval)
        if periods == 0:
            return None
        mtbf = self.law.mtbf_minutes
        first = self.law.survival(self._offset + interval + self.save.stall_minutes)
        slowed = self.save.slowdown * self.save.persist_minutes * max(0.0, periods - first)
        work = interval * periods
        saving = self.save.snapshot_minutes * periods + slowed
        reload = self.law.mean_until(self.reload_minutes)
        scale = run_minutes / work
        return finished(
            Budget(
                scale * (mtbf + self.down_minutes),
                run_minutes,
                scale * saving,
                scale * max(0.0, mtbf - reload - work - saving),
                scale * self.down_minutes,
                scale * reload,
                scale,
            )
        )

    def unsaved_run_budget(self, run_minutes: float) -> Budget | None:
        """Returns the exact budget of a run without checkpoints; None where it does not finish.

        The first try needs X > T, every later one X > R + T.
        """
        later_succeeds = self.law.survival(self.reload_minutes + run_minutes)
        if later_succeeds == 0:
            return None
        failures = (1 - self.law.survival(run_minutes)) / later_succeeds
        later = self.law.mean_until(self.reload_minutes + run_minutes)
        reload = failures * self.law.mean_until(self.reload_minutes)
        exposed = self.law.mean_until(run_minutes) + failures * later
        down = failures * self.down_minutes
        rollback = max(0.0, exposed - reload - run_minutes)
        wall = exposed + down
        return finished(Budget(wall, run_minutes, 0.0, rollback, down, reload, failures))

    @property
    def _offset(self) -> float:
        return self.reload_minutes + self.save.lag_minutes

    def _periods(self, interval_minutes: float) -> float:
        """Mean number of checkpoints completed per failure."""
        period = interval_minutes + self.save.stall_minutes
        return survival_sum(self.law, self._offset, period)

    def _cost(self, interval_minutes: float) -> float:
        periods = self._periods(interval_minutes)
        return 1 / (interval_minutes * periods) if periods else float("inf")

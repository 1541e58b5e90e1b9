"""Asynchronous saves, exactly: a short blocking snapshot, then a persist behind training.

Symbols: w useful work per period, s snapshot, p persist, c share of speed lost while
persisting, P = w + s + c p from the start of a save to the start of the next. A checkpoint is
usable only after s + p, so a failure before that falls back one checkpoint further; one
persist runs at a time, so P >= s + p. In the long run this equals the synchronous model with
d = s + c p and R + (1 - c) p in place of R.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ckpt_tui.planner.budget import Budget, cut_run, finished
from ckpt_tui.planner.exact import cycle_wall_minutes, optimal_interval_minutes
from ckpt_tui.planner.numerics import SMALLEST_GOODPUT, mean_exposed


class AsyncSave(NamedTuple):
    """One asynchronous save: minutes, minutes, and the share of speed lost (0 <= c < 1)."""

    snapshot_minutes: float
    persist_minutes: float
    slowdown: float

    @property
    def stall_minutes(self) -> float:
        """Training time that one save costs without failures: s + c p."""
        return self.snapshot_minutes + self.slowdown * self.persist_minutes

    @property
    def lag_minutes(self) -> float:
        """Work done while the persist runs, (1 - c) p; also the shortest possible interval."""
        return (1 - self.slowdown) * self.persist_minutes

    @property
    def durable_minutes(self) -> float:
        """Time from the start of a save until its checkpoint is usable: s + p."""
        return self.snapshot_minutes + self.persist_minutes


def optimal_async_interval_minutes(save: AsyncSave, mtbf_minutes: float) -> float:
    """Returns the work between two saves that gives the most goodput, in minutes.

    The period is max(s + p, t*(s + c p) + s + c p): never shorter than a persist.
    """
    return max(save.lag_minutes, optimal_interval_minutes(save.stall_minutes, mtbf_minutes))


def async_cycle_wall_minutes(
    interval_minutes: float,
    save: AsyncSave,
    mtbf_minutes: float,
    reload_minutes: float,
    down_minutes: float,
) -> float:
    """Returns the mean wall time per durable checkpoint in a long run, in minutes.

    Infinite where the job does not finish.
    """
    return cycle_wall_minutes(
        interval_minutes + save.stall_minutes,
        reload_minutes + save.lag_minutes,
        mtbf_minutes,
        down_minutes,
    )


def async_run_budget(
    run_minutes: float,
    interval_minutes: float,
    save: AsyncSave,
    mtbf_minutes: float,
    reload_minutes: float,
    down_minutes: float,
) -> Budget | None:
    """Returns the budget from a cold start until the checkpoint at the run's end is durable.

    None where the run does not finish. Saving is what the kept path spends on it: the
    snapshot, the slowdown of kept work and every wait for a persist, the last one included.
    """
    run = _Run(save, mtbf_minutes, reload_minutes, down_minutes)
    cut = cut_run(run_minutes, max(interval_minutes, save.lag_minutes))
    steps = cut.full_count - 1
    wall = run.first_wall(cut.full_minutes)
    saving = save.snapshot_minutes
    if steps:
        wall += steps * run.next_wall(cut.full_minutes)
        saving += steps * run.next_saving(cut.full_minutes)
    if cut.last_minutes:
        wall += run.next_wall(cut.last_minutes)
        saving += run.next_saving(cut.last_minutes)
    saving += save.persist_minutes
    if wall * SMALLEST_GOODPUT > run_minutes:
        return None
    failures = wall / (mtbf_minutes + down_minutes)
    reload = failures * mean_exposed(reload_minutes, mtbf_minutes)
    down = failures * down_minutes
    rollback = max(0.0, wall - run_minutes - saving - down - reload)
    if math.isinf(mtbf_minutes):
        rollback = 0.0
    return finished(Budget(wall, run_minutes, saving, rollback, down, reload, failures))


class _Run(NamedTuple):
    """The chain from one durable checkpoint to the next, failures included."""

    save: AsyncSave
    mtbf_minutes: float
    reload_minutes: float
    down_minutes: float

    def first_wall(self, work_minutes: float) -> float:
        """Mean wall time from a cold start to the first durable checkpoint."""
        return self._through(work_minutes + self.save.durable_minutes, self.reload_minutes)

    def next_wall(self, work_minutes: float) -> float:
        """Mean wall time from one durable checkpoint to the next, training on meanwhile.

        A failure on the way also loses the work done while the last persist ran.
        """
        lag_work = min(work_minutes, self.save.lag_minutes)
        return self._through(self._unbroken(work_minutes), self.reload_minutes + lag_work)

    def next_saving(self, work_minutes: float) -> float:
        """Mean saving time on the kept path: the persist slows work only if it was kept."""
        kept = math.exp(-self._unbroken(work_minutes) / self.mtbf_minutes)
        lag_work = min(work_minutes, self.save.lag_minutes)
        return self.save.snapshot_minutes + kept * (self.save.persist_minutes - lag_work)

    def _unbroken(self, work_minutes: float) -> float:
        return self.save.durable_minutes + max(0.0, work_minutes - self.save.lag_minutes)

    def _through(self, minutes: float, exposed_minutes: float) -> float:
        return cycle_wall_minutes(minutes, exposed_minutes, self.mtbf_minutes, self.down_minutes)

"""Runs with one kind of checkpoint, saved synchronously or behind training.

A run is a row of saves. From a recovery (or the cold start) the first checkpoint is usable after
its interval's work, the snapshot and the persist; each later one a snapshot, a persist and what
of its interval's work did not fit behind the persist before it. A failure falls back to the last
usable checkpoint, waits the down time and reloads, which can fail, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ckpt_tui.planner.simulation.books import Books

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.planner.asynchronous import AsyncSave
    from ckpt_tui.planner.simulation.books import Minutes

    TimesToFailure = Callable[[np.random.Generator, int], Minutes]
    """(generator, how many) → minutes of exposed time until the next failure."""


class OneLevelRun(NamedTuple):
    """A run to simulate.

    Attributes:
        works_minutes: Useful work before each save, in order.
        save: A synchronous save is a snapshot without a persist.
    """

    works_minutes: Minutes
    save: AsyncSave
    reload_minutes: float
    down_minutes: float
    times_to_failure: TimesToFailure

    def simulate(self, generator: np.random.Generator, runs: int) -> Books:
        """Steps `runs` runs from failure to failure until each has its last checkpoint."""
        books = Books.opened(runs)
        usable_at, worked = self._path()
        last = len(self.works_minutes)
        at = np.zeros(runs, np.int64)  # the checkpoint that each run has
        running = np.arange(runs)
        reload = np.zeros(runs)  # a cold start reloads nothing
        while running.size:
            here, reloading = at[running], reload[running]
            exposed = self.times_to_failure(generator, running.size)
            books.reload_minutes[running] += np.minimum(exposed, reloading)
            left = exposed - reloading
            first = self.works_minutes[here] + self.save.durable_minutes
            origin = usable_at[here + 1] - first
            reached = np.searchsorted(usable_at, origin + left, "right") - 1
            reached = np.where(left < first, here, np.minimum(reached, last))
            kept = np.where(reached > here, usable_at[reached] - origin, 0.0)
            done = reached == last
            # Only the last persist is kept as such: behind the others ran work that is lost.
            kept -= np.where((reached > here) & ~done, self.save.persist_minutes, 0.0)
            books.save_minutes[running] += kept - (worked[reached] - worked[here])
            failed = running[~done]
            books.rollback_minutes[failed] += np.maximum(left[~done], 0.0) - kept[~done]
            books.failures[failed] += 1
            books.down_minutes[failed] += self.down_minutes
            at[running] = reached
            reload[failed] = self.reload_minutes
            running = failed
        return books

    def _path(self) -> tuple[Minutes, Minutes]:
        """By checkpoint: when it is usable on an unbroken path, and the work that it holds."""
        behind = np.maximum(0.0, self.works_minutes - self.save.lag_minutes)
        steps = self.save.durable_minutes + behind
        return _from_zero(steps), _from_zero(self.works_minutes)


def _from_zero(steps: Minutes) -> Minutes:
    return np.concatenate([[0.0], np.cumsum(steps)])

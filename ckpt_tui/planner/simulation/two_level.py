"""Runs with two levels of checkpoints: frequent cheap ones, and every k-th a durable one.

A failure that level 1 covers goes on from the last save of either level; any other one, and any
failure while level 2 reloads, goes back to the last save of level 2. The run's last save is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ckpt_tui.planner.simulation.books import Books

if TYPE_CHECKING:
    from ckpt_tui.planner.simulation.books import Minutes
    from ckpt_tui.planner.two_level import TwoLevels

_COLD, _LEVEL1, _LEVEL2 = 0, 1, 2


class TwoLevelRun(NamedTuple):
    """A run to simulate.

    Attributes:
        works_minutes: Useful work before each save, in order.
        every: Saves per level-2 save.
    """

    works_minutes: Minutes
    every: int
    levels: TwoLevels

    def simulate(self, generator: np.random.Generator, runs: int) -> Books:
        """Steps `runs` runs from failure to failure until each has its last checkpoint."""
        levels, books = self.levels, Books.opened(runs)
        ends = self._ends()
        last = len(self.works_minutes)
        reloads = np.array([0.0, levels.reload1_minutes, levels.reload2_minutes])
        at = np.zeros(runs, np.int64)
        level = np.full(runs, _COLD)
        running = np.arange(runs)
        while running.size:
            here, reloading = at[running], reloads[level[running]]
            exposed = generator.exponential(levels.mtbf_minutes, running.size)
            books.reload_minutes[running] += np.minimum(exposed, reloading)
            left = np.maximum(0.0, exposed - reloading)
            reached = np.searchsorted(ends, ends[here] + left, "right") - 1
            reached = np.minimum(reached, last)
            done = reached == last
            covered = generator.random(running.size) < levels.coverage1
            # Level 2 was asked for because level 1 is lost: it stays lost while that reloads.
            covered &= ~((level[running] == _LEVEL2) & (exposed < reloading))
            back = np.where(covered, reached, reached // self.every * self.every)
            lost = left - (ends[reached] - ends[here]) + (ends[reached] - ends[back])
            failed = running[~done]
            books.rollback_minutes[failed] += lost[~done]
            books.failures[failed] += 1
            down = np.where(covered, levels.down1_minutes, levels.down2_minutes)
            books.down_minutes[failed] += down[~done]
            at[running] = np.where(done, reached, back)
            level[failed] = np.where(covered, _LEVEL1, _LEVEL2)[~done]
            running = failed
        books.save_minutes[:] = ends[-1] - self.works_minutes.sum()
        return books

    def _ends(self) -> Minutes:
        """By save: when it ends on an unbroken path."""
        number = np.arange(1, len(self.works_minutes) + 1)
        durable = (number % self.every == 0) | (number == len(self.works_minutes))
        saves = np.where(durable, self.levels.save2_minutes, self.levels.save1_minutes)
        return np.concatenate([[0.0], np.cumsum(self.works_minutes + saves)])

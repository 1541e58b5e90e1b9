"""What a simulated batch of runs has spent so far, one entry a run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Minutes = np.ndarray[tuple[int], np.dtype[np.float64]]
Counts = np.ndarray[tuple[int], np.dtype[np.int64]]


class Books(NamedTuple):
    """Minutes and failures of each run; arrays of one length, added to in place."""

    save_minutes: Minutes
    rollback_minutes: Minutes
    down_minutes: Minutes
    reload_minutes: Minutes
    failures: Counts

    @classmethod
    def opened(cls, runs: int) -> Books:
        """Books of runs that have not begun."""

        def zeros() -> Minutes:
            return np.zeros(runs)

        return cls(zeros(), zeros(), zeros(), zeros(), np.zeros(runs, np.int64))

    def wall_minutes(self, work_minutes: float) -> Minutes:
        """Wall time of runs that have done all their work, in minutes."""
        spent = self.save_minutes + self.rollback_minutes + self.down_minutes
        return work_minutes + spent + self.reload_minutes

"""What goes wrong in the simulated job, and when."""

from __future__ import annotations

import zlib
from enum import StrEnum
from typing import NamedTuple


class FaultKind(StrEnum):
    """One thing that goes wrong in or after a save."""

    RANK_KILLED = "rank-killed"
    """A rank dies by SIGKILL in mid-save; the job restarts from its last good checkpoint."""
    SHARD_TRUNCATED = "shard-truncated"
    """After the commit a file loses its last third."""
    SAVE_STALLED = "save-stalled"
    """In mid-save one rank writes nothing for a while."""
    POINTER_BEHIND = "pointer-behind"
    """The pointer keeps naming the checkpoint before."""
    POINTER_AHEAD = "pointer-ahead"
    """The pointer names the checkpoint before it is written, and then a rank is killed."""
    WEIGHTS_ONLY = "weights-only"
    """A committed checkpoint holds the model and nothing else."""


KILLS = frozenset({FaultKind.RANK_KILLED, FaultKind.POINTER_AHEAD})


class FaultPlan(NamedTuple):
    """Which save attempt of a run goes wrong; attempts count from 1, restarts included.

    Attributes:
        scheduled: The fault of each attempt that has one. A second run is one attempt later,
            a third two, so that they do not all fail at once.
        random_rate: The share of the other attempts that get a random fault, from 0 to 1.
        seed: What the random faults follow from.
    """

    scheduled: tuple[tuple[int, FaultKind], ...] = ()
    random_rate: float = 0.0
    seed: int = 0

    def at(self, attempt: int, run_index: int = 0) -> FaultKind | None:
        """The fault of a run's attempt, if it has one."""
        planned = dict(self.scheduled).get(attempt - run_index)
        if planned is not None:
            return planned
        drawn = zlib.crc32(f"{self.seed}/{run_index}/{attempt}".encode())
        kinds = tuple(FaultKind)
        return kinds[drawn % len(kinds)] if drawn / 2**32 < self.random_rate else None

    def last_attempt(self, run_index: int = 0) -> int:
        """The attempt of a run's last scheduled fault; 0 if none is scheduled."""
        return max((attempt + run_index for attempt, _kind in self.scheduled), default=0)


def default_faults() -> FaultPlan:
    """Each fault once, within about a minute at the default speed; then all goes well."""
    # Kills come first: a job that goes back writes over what it left behind.
    return FaultPlan(
        (
            (3, FaultKind.RANK_KILLED),
            (4, FaultKind.SAVE_STALLED),
            (6, FaultKind.POINTER_AHEAD),
            (8, FaultKind.SHARD_TRUNCATED),
            (9, FaultKind.POINTER_BEHIND),
            (10, FaultKind.WEIGHTS_ONLY),
        )
    )

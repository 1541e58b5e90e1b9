"""What alarms are judged from: one picture, how the watching goes, the time, the limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.status import Status

IDLE_FACTOR = 20.0
"""After this many intervals without a save the job has ended: it is no longer late, only old."""
IDLE_SECONDS = 86400.0
"""The same where the saves show no interval."""


class Sight(NamedTuple):
    """One moment. `wall` is seconds since the epoch, the other times are monotonic seconds.

    Attributes:
        look_error: Why the last look failed; "" where it did not.
        last_look: When the last look ended; None before the first.
        hanging_since: Since when a look waits for an answer; None where none hangs.
        hanging_path: What it waits for; "" where that is not known.
    """

    snapshot: Snapshot
    wall: float
    monotonic: float
    look_error: str = ""
    last_look: float | None = None
    hanging_since: float | None = None
    hanging_path: str = ""

    @classmethod
    def of(cls, snapshot: Snapshot, status: Status, wall: float, monotonic: float) -> Sight:
        """What is seen at a moment of both clocks."""
        return cls(
            snapshot,
            wall,
            monotonic,
            status.error or "",
            status.last_look_monotonic,
            status.hanging_since_monotonic,
            status.hanging_path,
        )

    @property
    def blind(self) -> bool:
        """Whether the picture is not of this moment: looks fail, hang, or do not find the root."""
        hangs = self.hanging_since is not None
        return bool(self.snapshot.error or self.look_error or hangs)


class Limits(NamedTuple):
    """What an operator calls too few, too slow and too late.

    Attributes:
        min_good: Resumable checkpoints that a run should have; 0 for any number.
        stalled_seconds: A save in which nothing has grown for so long is stalled.
        slow_factor: A save is slow that takes so many times the usual.
        late_intervals: A save is overdue after so many usual intervals.
        disk_saves: Free space for fewer saves than this is a warning.
    """

    min_good: int = 2
    stalled_seconds: float = 30.0
    slow_factor: float = 2.0
    late_intervals: float = 2.0
    disk_saves: float = 3.0


DEFAULT_LIMITS = Limits()

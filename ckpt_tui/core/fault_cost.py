"""What a fault right now would cost, from the resume point's age."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint


class FaultCost(NamedTuple):
    """Cost of a fault at this moment, minutes.

    Attributes:
        rollback_minutes: Work since the state of the resume point was taken; None where there is
            no resume point (everything since step 0 is lost).
        reload_minutes: Reading the checkpoint back.
        down_minutes: Detection, requeue and start.
    """

    rollback_minutes: float | None
    reload_minutes: float
    down_minutes: float

    @property
    def total_minutes(self) -> float | None:
        """Sum of the three, or None where the rollback is not known."""
        if self.rollback_minutes is None:
            return None
        return self.rollback_minutes + self.reload_minutes + self.down_minutes


def fault_cost(
    resume: Checkpoint | None, now: float, reload_minutes: float, down_minutes: float
) -> FaultCost:
    """The cost of a fault at `now` (seconds since the epoch).

    The state was taken when its save began, so the rollback counts from there where the start is
    known, else from the commit.
    """
    taken = None
    if resume is not None:
        taken = resume.facts.started_at or resume.committed_at
    rollback = None if taken is None else max(0.0, now - taken) / 60
    return FaultCost(rollback, reload_minutes, down_minutes)

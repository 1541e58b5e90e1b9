"""What a fault right now would cost, from the resume point's age; and how likely one is soon."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

_LARGEST_EXPONENT = 700.0


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
    resume: Checkpoint | None,
    now: float,
    reload_minutes: float,
    down_minutes: float,
    faults_per_hour: float = 0.0,
) -> FaultCost:
    """The cost of a fault at `now` (seconds since the epoch).

    The state was taken when its save began, so the rollback counts from there where the start is
    known, else from the commit. A reload can fail as well and then begins anew, with its down time:
    with M the MTBF, R minutes of reload become M (e^(R/M) - 1) and D of down time D e^(R/M), as in
    the planner's exact model.

    Args:
        resume: What a restart would load, or None.
        now: Seconds since the epoch.
        reload_minutes: Of one reload that nothing disturbs.
        down_minutes: Of one fault.
        faults_per_hour: The job's rate; 0 leaves reload and down time as they are.
    """
    taken = None
    if resume is not None:
        taken = resume.facts.started_at or resume.committed_at
    rollback = None if taken is None else max(0.0, now - taken) / 60
    exposed = reload_minutes * faults_per_hour / 60
    if exposed > _LARGEST_EXPONENT:
        return FaultCost(rollback, math.inf, math.inf if down_minutes else 0.0)
    if exposed > 0:
        reload_minutes *= math.expm1(exposed) / exposed
        down_minutes *= math.exp(exposed)
    return FaultCost(rollback, reload_minutes, down_minutes)


def next_commit_minutes(run: Run, now: float, interval_minutes: float | None) -> float | None:
    """Time until the next save should be complete, minutes.

    The rest of the save in flight at its own speed, else what is left of the usual interval since
    the newest commit.

    Args:
        run: The run.
        now: Seconds since the epoch.
        interval_minutes: Usual time from commit to commit; None where unknown.

    Returns:
        0 where a commit is overdue; None where nothing says when it comes.
    """
    saving = run.in_flight
    left = saving.progress.left_seconds if saving is not None and saving.progress else None
    if left is not None:
        return left / 60
    last = run.last_commit_at
    if last is None or interval_minutes is None:
        return None
    return max(0.0, interval_minutes - (now - last) / 60)


def fault_chance(minutes: float, faults_per_hour: float) -> float:
    """Chance of at least one fault within `minutes`, 1 - e^(-rate t), from 0 to 1."""
    return -math.expm1(-max(0.0, minutes) / 60 * faults_per_hour)

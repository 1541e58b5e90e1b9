"""What the header answers from: the picture, the run in question, the watching, the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.tui.rows.present import run_key

if TYPE_CHECKING:
    from ckpt_tui.core.alarms.values import Alarm
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.status import Status


class View(NamedTuple):
    """One moment of the dashboard.

    Attributes:
        run: The run that the answers are about; None where there is none.
        now: Seconds since the epoch.
        monotonic: The clock that the status counts by.
        paused_for: Seconds since the picture was frozen; None while it is live.
        fault_rate_per_hour: Of the whole job; None where it is not known.
        alarms: What holds now, the loudest first, also while the picture is frozen.
        reload_assumed: Whether nobody has said how long a reload takes.
    """

    snapshot: Snapshot
    run: Run | None
    status: Status
    now: float
    monotonic: float
    reload_minutes: float
    down_minutes: float
    paused_for: float | None = None
    fault_rate_per_hour: float | None = None
    alarms: tuple[Alarm, ...] = ()
    reload_assumed: bool = False

    @property
    def first_look(self) -> bool:
        """True until the first look has shown anything."""
        picture = self.snapshot
        under_way = not picture.looked_at or picture.reading is not None
        return under_way and not picture.runs and not picture.error


def primary_run(snapshot: Snapshot) -> Run | None:
    """The run that a screen shows first: the one that is written to, else the youngest."""

    def liveliness(run: Run) -> tuple[bool, float]:
        return run.in_flight is not None, max(
            (c.committed_at or 0.0 for c in run.attempts), default=0
        )

    return max(snapshot.runs, key=liveliness, default=None)


def titled(snapshot: Snapshot, checkpoint: Checkpoint) -> str:
    """What a message calls a checkpoint: with its run, where there are several on the screen."""
    path = checkpoint.path
    if len(snapshot.runs) < 2:
        return checkpoint.title
    runs = (run for run in snapshot.runs if any(c.path == path for c in run.checkpoints))
    run = next(runs, None)
    return checkpoint.title if run is None else f"{run.name}: {checkpoint.title}"


def run_of(snapshot: Snapshot, key: str | None) -> Run | None:
    """The run of that key, or None."""
    return next((run for run in snapshot.runs if run_key(run) == key), None)

"""Recordings made without threads: pictures at chosen times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.recording.output import RecordingFile
from ckpt_tui.recording.recorder import FrameWriter
from ckpt_tui.recording.told import RecordedStatus
from tests.tui.builders import FrozenClock, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot

STATUS = RecordedStatus("inotify", "local file system", 1000.0)


def night() -> list[Snapshot]:
    """A job saves, a save dies, an old checkpoint is removed."""
    first = [facts(100, age=4000.0), facts(200, age=3000.0)]
    flying = saving(facts(300, age=1.0, met=False, absent=(2, 3), took=None))
    dead = facts(300, age=2000.0, met=False, absent=(2, 3), took=None)
    return [
        snapshot_of(run_of(first), version=1),
        snapshot_of(run_of(first, in_flight=[flying]), version=2),
        snapshot_of(run_of([*first, dead]), version=3),
        snapshot_of(run_of([first[1], dead]), version=4),
        snapshot_of(run_of([first[1], dead, facts(400, age=1000.0)]), version=5),
    ]


def record(
    path: Path, pictures: Sequence[Snapshot], apart: float = 60.0, ends: bool = True
) -> FrozenClock:
    """Records pictures so many seconds apart; returns the clock as it stands then."""
    clock = FrozenClock()
    with RecordingFile(str(path)) as file:
        writer = FrameWriter(file, clock)
        for picture in pictures:
            writer.tell(picture, STATUS)
            clock.advance(apart)
        if ends:
            writer.end(STATUS)
    return clock

"""What the store hands out: one immutable picture of all runs below the root."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

_ARCHIVE = re.compile(r"run_\d{1,9}")


class Reading(NamedTuple):
    """How far a look is that is not over.

    Attributes:
        read: Checkpoints that have been read.
        recognised: Checkpoints that were found by now.
        searching: True while more may be found.
    """

    read: int
    recognised: int
    searching: bool


class Snapshot(NamedTuple):
    """A picture of the root at one look.

    Attributes:
        root: Absolute path that was asked for.
        runs: In path order.
        looked_at: Seconds since the epoch of the look.
        version: Counts pictures that differ; equal versions of one store are equal pictures.
        error: Why the root could not be read, or "".
        free_bytes: Free space of the file system that holds the root; None where unknown.
        tried: Format names that were looked for.
        problems: (absolute path, reason) of directories below the root that could not be listed.
        single: True where the root itself is one checkpoint.
        remarks: (absolute path, reason) of what was ignored without an effect on any verdict.
        world_size: World size of the job that the verdicts were asked for; None for the writers'.
        reading: Set while a look is not over: what is not read yet is not in the runs, and what
            siblings say of a checkpoint may still change its verdict.
    """

    root: str
    runs: tuple[Run, ...] = ()
    looked_at: float = 0.0
    version: int = 0
    error: str = ""
    free_bytes: int | None = None
    tried: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    single: bool = False
    remarks: tuple[tuple[str, str], ...] = ()
    world_size: int | None = None
    reading: Reading | None = None

    @property
    def current(self) -> tuple[Run, ...]:
        """The runs without those that were put aside: `run_N/` below another run's directory.

        A job that is told not to resume moves what is there into such a directory, and begins
        anew beside it.
        """
        places = {run.path for run in self.runs}
        return tuple(run for run in self.runs if not _is_archived(run.path, places))

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Checkpoints of all runs, run by run."""
        return tuple(c for run in self.runs for c in run.checkpoints)


def _is_archived(path: str, places: set[str]) -> bool:
    above, name = os.path.split(path)
    return above in places and _ARCHIVE.fullmatch(name) is not None

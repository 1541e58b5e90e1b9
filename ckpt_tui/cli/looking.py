"""A one-shot look at directories: twice where a second look can change a verdict, never forever."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli.judging import Asked
from ckpt_tui.cli.patience import within
from ckpt_tui.formats.shared.roles import use_synonyms
from ckpt_tui.fs.calls import is_file
from ckpt_tui.store.index import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.cli.judging import Judging
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot


class Look(NamedTuple):
    """How to look.

    Attributes:
        asked: How to judge; the file beside the checkpoints is read in the look itself.
        settle_seconds: Time between two looks at something unfinished that was written lately.
        timeout_seconds: When to give up; None never.
    """

    asked: Asked = Asked()
    settle_seconds: float = 2.0
    timeout_seconds: float | None = None


def look_at(paths: Sequence[str], how: Look) -> tuple[Snapshot, ...]:
    """Looks at each path; one that is not there gives a snapshot with `error`.

    Raises:
        TimedOutError: The time is up. The hung look stays behind on a daemon thread.
    """
    if how.timeout_seconds is None:
        return _look_twice(paths, how)
    return within(how.timeout_seconds, lambda: _look_twice(paths, how), ", ".join(paths))


def _look_twice(paths: Sequence[str], how: Look) -> tuple[Snapshot, ...]:
    places = [_Place(path, how.asked.judging_of(path)) for path in paths]
    for place in places:
        place.look()
    unsettled = [place for place in places if place.store.unsettled()]
    if unsettled and how.settle_seconds > 0:
        time.sleep(how.settle_seconds)
        for place in unsettled:
            place.look()
    return tuple(_told(place.snapshot()) for place in places)


class _Place:
    """One path, which is looked at as its own configuration says."""

    def __init__(self, path: str, judging: Judging) -> None:
        self.store = Store(os.path.abspath(path), judging.options)
        self._judging = judging

    def look(self) -> None:
        use_synonyms(self._judging.synonyms)
        self.store.look()

    def snapshot(self) -> Snapshot:
        return self.store.snapshot()._replace(remarks=self._judging.remarks)


def _told(snapshot: Snapshot) -> Snapshot:
    """A file that was named by itself and is no checkpoint is a mistake, not an empty directory."""
    if snapshot.error or snapshot.runs or snapshot.problems or not is_file(snapshot.root):
        return snapshot
    return snapshot._replace(error="a file, and no checkpoint of a known format")


def runs_named(snapshot: Snapshot, name: str) -> tuple[Run, ...]:
    """The runs that a name means: NAME, PATH, or with the format behind it, NAME:FORMAT."""
    return tuple(
        run
        for run in snapshot.runs
        if name in (run.name, run.path, f"{run.name}:{run.format}", f"{run.path}:{run.format}")
    )


def names_of(runs: Iterable[Run]) -> str:
    """What each run may be called, for a message; "none" for no run."""
    return ", ".join(f"{run.name}:{run.format}" for run in runs) or "none"


def complaints(snapshots: Sequence[Snapshot]) -> tuple[str, ...]:
    """What could not be read or was ignored, a line each, for stderr."""
    lines = (
        f"{path}: {message}"
        for snapshot in snapshots
        for said in (((snapshot.root, snapshot.error),), snapshot.problems, snapshot.remarks)
        for path, message in said
        if message
    )
    return tuple(dict.fromkeys(lines))

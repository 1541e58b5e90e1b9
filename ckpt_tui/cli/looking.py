"""A one-shot look at directories: twice where a second look can change a verdict, never forever."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli.judging import Asked, asked_by
from ckpt_tui.cli.patience import within
from ckpt_tui.cli.sources import check_number
from ckpt_tui.config.settings import SETTLE_SECONDS
from ckpt_tui.formats.named_paths import checkpoint_of
from ckpt_tui.formats.shared.roles import use_synonyms
from ckpt_tui.fs.calls import is_file
from ckpt_tui.store.index import Store
from ckpt_tui.store.remembered_results import users_remembered

if TYPE_CHECKING:
    import argparse
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
    settle_seconds: float = SETTLE_SECONDS
    timeout_seconds: float | None = None


def look_of(arguments: argparse.Namespace) -> Look:
    """How the command line and the configuration ask to look."""
    settle = check_number(arguments, "settle")
    return Look(
        asked_by(arguments),
        SETTLE_SECONDS if settle is None else settle,
        check_number(arguments, "timeout"),
    )


def look_at(paths: Sequence[str], how: Look) -> tuple[Snapshot, ...]:
    """Looks at each path; one that is not there gives a snapshot with `error`.

    Raises:
        TimedOutError: The time is up. The hung look stays behind on a daemon thread.
    """
    return tuple(snapshot for snapshot, _ in look_and_judge(paths, how))


def look_and_judge(paths: Sequence[str], how: Look) -> tuple[tuple[Snapshot, Judging], ...]:
    """The same, each with how it was judged.

    Raises:
        TimedOutError: As above.
    """
    places: list[_Place] = []
    return within(
        how.timeout_seconds,
        lambda: _look_twice(paths, how, places),
        ", ".join(paths),
        lambda: _read_so_far(places),
    )


def _read_so_far(places: Sequence[_Place]) -> tuple[int, int]:
    """How many checkpoints of all places are read, and of how many."""
    counts = [place.store.read_so_far() for place in tuple(places)]
    return sum(read for read, _ in counts), sum(known for _, known in counts)


def _look_twice(
    paths: Sequence[str], how: Look, places: list[_Place]
) -> tuple[tuple[Snapshot, Judging], ...]:
    """Looks at each path, and puts what looks at it into `places` before it begins."""
    for path in paths:
        places.append(_Place(path, how.asked.judging_of(path)))
        places[-1].look()
    unsettled = [place for place in places if place.store.unsettled()]
    if unsettled and how.settle_seconds > 0:
        time.sleep(how.settle_seconds)
        for place in unsettled:
            place.look()
    return tuple((_told(place.snapshot()), place.judging) for place in places)


class _Place:
    """One path, which is looked at as its own configuration says."""

    def __init__(self, path: str, judging: Judging) -> None:
        self._results = users_remembered()
        self.store = Store(
            checkpoint_of(os.path.abspath(path)), judging.options, results=self._results
        )
        self.judging = judging

    def look(self) -> None:
        use_synonyms(self.judging.synonyms)
        self.store.look()

    def snapshot(self) -> Snapshot:
        remarks = self.judging.remarks + self._results.remarks
        return self.store.snapshot()._replace(remarks=remarks)


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


def hint_where_lost(snapshots: Sequence[Snapshot], command: str) -> None:
    """Says on stderr what may have been meant, where nothing that a job left is seen.

    Args:
        snapshots: What was seen.
        command: The command that was typed.
    """
    lost = [snapshot for snapshot in snapshots if _is_lost(snapshot)]
    if lost:
        from ckpt_tui.cli.hints import hint  # only where there is something to say

        hint(lost, command)


def _is_lost(snapshot: Snapshot) -> bool:
    """Whether there is nothing, only exports, or one checkpoint that cannot be resumed."""
    if snapshot.problems and not snapshot.runs:
        return False
    found = snapshot.checkpoints
    alone = snapshot.single and not any(checkpoint.resumable for checkpoint in found)
    return alone or all(checkpoint.facts.export for checkpoint in found)


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

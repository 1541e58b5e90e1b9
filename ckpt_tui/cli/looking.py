"""A one-shot look at directories: twice where a second look can change a verdict, never forever."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.store.index import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.store.assemble import Options


class TimedOutError(Exception):
    """A look did not come back in time, as on a hung mount; the text names the path."""


class Look(NamedTuple):
    """How to look.

    Attributes:
        settle_seconds: Time between two looks at something unfinished that was written lately.
        timeout_seconds: When to give up; None never.
    """

    options: Options
    settle_seconds: float = 2.0
    timeout_seconds: float | None = None


def look_at(paths: Sequence[str], how: Look) -> tuple[Snapshot, ...]:
    """Looks at each path; one that is not there gives a snapshot with `error`.

    Raises:
        TimedOutError: The time is up. The hung look stays behind on a daemon thread.
    """
    answers: list[Snapshot] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            answers.extend(_look_twice(paths, how))
        except BaseException as error:  # handed to the caller's thread
            failures.append(error)

    if how.timeout_seconds is None:
        return _look_twice(paths, how)
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(how.timeout_seconds)
    if worker.is_alive():
        raise TimedOutError(f"no answer from {', '.join(paths)} in {how.timeout_seconds:g} s")
    if failures:
        raise failures[0]
    return tuple(answers)


def _look_twice(paths: Sequence[str], how: Look) -> tuple[Snapshot, ...]:
    stores = [Store(os.path.abspath(path), how.options) for path in paths]
    for store in stores:
        store.look()
    open_stores = [store for store in stores if store.unsettled()]
    if open_stores and how.settle_seconds > 0:
        time.sleep(how.settle_seconds)
        for store in open_stores:
            store.look()
    return tuple(_told(store.snapshot()) for store in stores)


def _told(snapshot: Snapshot) -> Snapshot:
    """A file that was named by itself and is no checkpoint is a mistake, not an empty directory."""
    if snapshot.error or snapshot.runs or snapshot.problems or not os.path.isfile(snapshot.root):
        return snapshot
    return snapshot._replace(error="a file, and no checkpoint of a known format")


def runs_named(snapshot: Snapshot, name: str) -> tuple[Run, ...]:
    """The runs that a name means: NAME, PATH, or with the format behind it, NAME:FORMAT."""
    return tuple(
        run
        for run in snapshot.runs
        if name in (run.name, run.path, f"{run.name}:{run.format}", f"{run.path}:{run.format}")
    )


def complaints(snapshots: Sequence[Snapshot]) -> tuple[str, ...]:
    """What could not be read, a line each, for stderr."""
    lines = (
        f"{path}: {message}"
        for snapshot in snapshots
        for path, message in ((snapshot.root, snapshot.error), *snapshot.problems)
        if message
    )
    return tuple(dict.fromkeys(lines))

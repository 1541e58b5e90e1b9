"""A one-shot look at directories: twice where a second look can change a verdict, never forever."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.store.index import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    return tuple(store.snapshot() for store in stores)

"""Work that may hang in a dead mount, with a limit to how long it is waited for."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from ckpt_tui.fs.asking import longest_asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ckpt_tui.fs.asking import Asked

T = TypeVar("T")

_THREAD = "ckpt-tui-patience"
_HANGING_SECONDS = 5.0
_HANGING_SHARE = 0.25
"""A path is named only where one answer has been waited for so long, or for this share of the
limit where that is shorter: else a server that answers is blamed for what takes long as a whole."""


class TimedOutError(Exception):
    """Work did not come back in time; the text names the path that hangs, where one does."""


def _nothing_known() -> tuple[int, int]:
    return 0, 0


def within(
    seconds: float | None,
    work: Callable[[], T],
    places: str,
    read_so_far: Callable[[], tuple[int, int]] = _nothing_known,
) -> T:
    """Does work on a thread of its own and returns its answer.

    Args:
        seconds: How long it is waited for; None for ever: then it is done on this thread.
        work: What may hang; it then stays behind on a daemon thread.
        places: What it is about, to be named where no path hangs.
        read_so_far: How many checkpoints are read, and of how many; called when the time is up.

    Raises:
        TimedOutError: The time is up.
        BaseException: What the work raised.
    """
    if seconds is None:
        return work()
    answers: list[T] = []
    failures: list[BaseException] = []

    def do() -> None:
        try:
            answers.append(work())
        except BaseException as error:  # handed to the caller's thread
            failures.append(error)

    worker = threading.Thread(target=do, name=_THREAD, daemon=True)
    worker.start()
    worker.join(min(seconds, threading.TIMEOUT_MAX))
    if worker.is_alive():
        raise TimedOutError(_told(seconds, longest_asked(), places, read_so_far()))
    if failures:
        raise failures[0]
    return answers[0]


@contextmanager
def set_after(seconds: float | None, over: threading.Event) -> Iterator[None]:
    """Sets an event when the time is up, for work that looks at it; None sets it never."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), over.set)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _told(limit_seconds: float, asked: Asked | None, places: str, counts: tuple[int, int]) -> str:
    """What is said when the time is up."""
    from ckpt_tui.words import say  # only where something has to be said

    waited_seconds = monotonic() - asked.since_monotonic if asked is not None else 0.0
    limit, (read, known) = f"{limit_seconds:g}", counts
    if asked is not None and waited_seconds >= min(
        _HANGING_SECONDS, limit_seconds * _HANGING_SHARE
    ):
        return say(
            "no answer from {path} for {waited} s; the time is up after {limit} s",
            path=asked.path,
            waited=f"{waited_seconds:.1f}",
            limit=limit,
        )
    if known:
        return say(
            "the time is up after {limit} s while {read} of {known} checkpoints below {places} were"
            " read; the file system answers, so a longer --timeout helps",
            limit=limit,
            read=read,
            known=known,
            places=places,
        )
    return say(
        "the time is up after {limit} s while it was not yet known which checkpoints there are"
        " below {places}; the file system answers, so more time helps",
        limit=limit,
        places=places,
    )

"""Work that may hang in a dead mount, with a limit to how long it is waited for."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from ckpt_tui.fs.asking import asked_by

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class TimedOutError(Exception):
    """Work did not come back in time, as on a hung mount; the text names the path."""


def within(seconds: float, work: Callable[[], T], places: str) -> T:
    """Does work on a thread of its own and returns its answer.

    Args:
        seconds: How long it is waited for.
        work: What may hang; it then stays behind on a daemon thread.
        places: What it is about, to be named where it is not known which path hangs.

    Raises:
        TimedOutError: The time is up.
        BaseException: What the work raised.
    """
    answers: list[T] = []
    failures: list[BaseException] = []

    def do() -> None:
        try:
            answers.append(work())
        except BaseException as error:  # handed to the caller's thread
            failures.append(error)

    worker = threading.Thread(target=do, daemon=True)
    worker.start()
    worker.join(min(seconds, threading.TIMEOUT_MAX))
    if worker.is_alive():
        asked = asked_by(worker.ident)
        path = asked.path if asked is not None else ""
        raise TimedOutError(f"no answer from {path or places} in {seconds:g} s")
    if failures:
        raise failures[0]
    return answers[0]

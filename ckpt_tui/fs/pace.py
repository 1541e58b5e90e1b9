"""Asks one question after the other, and many at once as soon as waiting is what takes the time."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Q = TypeVar("Q")
A = TypeVar("A")

SAMPLE = 8
"""So many are asked one after the other first: what they took says how to ask the rest."""
LEAST_SECONDS = 0.5
"""Where less is left to do, reading ahead is not worth it."""
LEAST_ASKING_SECONDS = 0.05
"""Where less waiting is left, threads that only ask are not worth it."""
MOST = 8
VARIABLE = "CKPT_TUI_READERS"


def most_readers() -> int:
    """The most processes that may read ahead; 0 keeps everything on one thread of this process."""
    try:
        return max(0, min(64, int(os.environ.get(VARIABLE, MOST))))
    except ValueError:
        return MOST


def many_worth(
    left: int, wall_seconds: float, cpu_seconds: float, least_seconds: float = LEAST_SECONDS
) -> bool:
    """Whether to ask for many at once: a slow file server answers them as quickly as one.

    Args:
        left: How many questions are left.
        wall_seconds: What one took on the wall.
        cpu_seconds: What one took of this thread's CPU time; the rest was spent waiting.
        least_seconds: Where less waiting is left, it is not worth it.
    """
    waits = wall_seconds - cpu_seconds
    return waits > wall_seconds / 2 and left * waits > least_seconds and most_readers() > 0


class Pace:
    """How long answers take, over all that was asked with it so far."""

    def __init__(self) -> None:
        self._asked = 0
        self._wall = 0.0
        self._cpu = 0.0

    def in_turn(
        self,
        questions: Sequence[Q],
        ask: Callable[[Q], A],
        path_of: Callable[[Q], str],
        ask_ahead: Callable[[Q], A] | None = None,
    ) -> Iterator[A]:
        """The answers in the order of the questions; where that pays, many are asked ahead.

        Args:
            questions: In the order in which the answers are wanted.
            ask: Called on other threads too, several at once.
            path_of: The path that a question is about.
            ask_ahead: Called instead of `ask` where many are asked: it may ask for more with it.

        Raises:
            BaseException: What `ask` raised, when that answer's turn comes.
        """
        for place, question in enumerate(questions):
            if self._many_worth(len(questions) - place):
                from ckpt_tui.fs.many import ask_many  # threads are paid for only where they pay

                yield from ask_many(questions[place:], ask_ahead or ask, path_of)
                return
            began, used = time.monotonic(), time.thread_time()
            answer = ask(question)  # what the caller does with it is not counted
            self._wall += time.monotonic() - began
            self._cpu += time.thread_time() - used
            self._asked += 1
            yield answer

    def _many_worth(self, left: int) -> bool:
        asked = self._asked
        return (
            left > 1
            and asked >= SAMPLE
            and many_worth(left, self._wall / asked, self._cpu / asked, LEAST_ASKING_SECONDS)
        )

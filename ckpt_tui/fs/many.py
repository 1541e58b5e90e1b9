"""Many questions to a slow file server at the same time: it answers many as quickly as one.

On a local disk the threads lose against one (the interpreter lets one run at a time); where each
call waits for a network they gain nearly their number. Worth it where most of the time is waiting.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

from ckpt_tui.fs.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

THREADS = 32
KEPT_AHEAD = 64
"""So many answers are kept that are not wanted yet: they take memory."""

Q = TypeVar("Q")
A = TypeVar("A")


def ask_many(
    questions: Sequence[Q],
    ask: Callable[[Q], A],
    path_of: Callable[[Q], str],
    threads: int = THREADS,
) -> Iterator[A]:
    """Asks ahead on daemon threads, and gives the answers in the order of the questions.

    A thread that hangs in a dead mount is left behind. While the caller waits for an answer, it
    counts as asking that question's path (`fs.asking`).

    Args:
        questions: In the order in which the answers are wanted.
        ask: Called on many threads at once.
        path_of: The path that a question is about.
        threads: How many at most.

    Raises:
        BaseException: What `ask` raised, when that answer's turn comes.
    """
    line = _Line(questions, ask)
    for _ in range(min(threads, len(questions))):
        threading.Thread(target=line.work, name="ckpt-tui-many", daemon=True).start()
    try:
        for place, question in enumerate(questions):
            with Asking(path_of(question), calls=0):
                answer = line.answer(place)
            yield answer
    finally:
        line.close()


class _Line(Generic[Q, A]):
    """Questions that wait for a thread, and answers that wait for the caller."""

    def __init__(self, questions: Sequence[Q], ask: Callable[[Q], A]) -> None:
        self._questions = questions
        self._ask = ask
        self._state = threading.Condition()
        self._next = 0
        self._wanted = 0
        self._closed = False
        self._answers: dict[int, A] = {}
        self._failures: dict[int, BaseException] = {}

    def work(self) -> None:
        """One thread's part: answers questions until there are none."""
        while (place := self._take()) is not None:
            try:
                answer = self._ask(self._questions[place])
            except BaseException as error:  # handed to the caller's thread
                self._failures[place] = error
            else:
                self._answers[place] = answer
            with self._state:
                self._state.notify_all()

    def answer(self, place: int) -> A:
        """Waits for one answer; each is given once."""
        with self._state:
            self._wanted = place
            self._state.notify_all()
            while place not in self._answers and place not in self._failures:
                self._state.wait()
        if place in self._failures:
            raise self._failures[place]
        return self._answers.pop(place)

    def close(self) -> None:
        """Lets the threads end after the question that each is at."""
        with self._state:
            self._closed = True
            self._state.notify_all()

    def _take(self) -> int | None:
        with self._state:
            while not self._closed and self._next - self._wanted >= KEPT_AHEAD:
                self._state.wait()
            if self._closed or self._next >= len(self._questions):
                return None
            self._next += 1
            return self._next - 1

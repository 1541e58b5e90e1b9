"""Processes that examine checkpoints in the order in which they are wanted."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Pipe
from pickle import PickleError
from typing import TYPE_CHECKING, Self

from ckpt_tui.children import import_environment
from ckpt_tui.fs.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ckpt_tui.formats.base import Claim
    from ckpt_tui.store.ahead.examine import Examined, Terms
    from ckpt_tui.store.moment import Moment

MOST_WAITING = 64
"""So many answers are kept that are not wanted yet: they take memory."""


class Processes:
    """A few processes, and one thread for each that hands it one claim after the other.

    A process that cannot be started or dies costs its claim's place nothing but time: it counts as
    not examined. None is waited for when the block ends: one may hang in a dead mount for ever.

    Args:
        count: How many.
        claims: In the order in which they are wanted.
        terms: How they are read.
        clock: The present moment.
    """

    def __init__(
        self,
        count: int,
        claims: Sequence[Claim],
        terms: Terms,
        clock: Callable[[], Moment],
    ) -> None:
        self._claims = claims
        self._terms = terms
        self._clock = clock
        self._state = threading.Condition()
        self._next = 0
        self._given = 0
        self._working = count
        self._closed = False
        self._answers: dict[int, tuple[Examined, Moment]] = {}
        self._lost: set[int] = set()
        self._children: list[subprocess.Popen[bytes]] = []
        self._threads = [
            threading.Thread(target=self._feed, name="ckpt-tui-ahead", daemon=True)
            for _ in range(count)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        with self._state:
            self._closed = True
            self._state.notify_all()
        for child in self._children:
            child.kill()

    def answers(self) -> Iterator[tuple[Claim, Moment, Examined | None]]:
        """Each claim, a moment before its listing began, and what was found of it.

        What was found is None where no process could tell.
        """
        for place, claim in enumerate(self._claims):
            with Asking(claim.path), self._state:
                while place not in self._answers and not self._is_lost(place):
                    self._state.wait()
                found = self._answers.pop(place, None)
                self._given = place + 1
                self._state.notify_all()
            examined, moment = found or (None, self._clock())
            yield claim, moment, examined

    def _is_lost(self, place: int) -> bool:
        return place in self._lost or (not self._working and place >= self._next)

    def _feed(self) -> None:
        try:
            with suppress(OSError, EOFError, PickleError):
                self._talk()
        finally:
            with self._state:
                self._working -= 1
                self._state.notify_all()

    def _talk(self) -> None:
        ours, theirs = Pipe()
        with theirs:
            child = self._start(theirs.fileno())
        with child, ours:
            ours.send(self._terms)
            while (place := self._take()) is not None:
                moment = self._clock()
                try:
                    ours.send(self._claims[place])
                    examined = ours.recv()
                except BaseException:
                    self._lose(place)
                    raise
                with self._state:
                    self._answers[place] = (examined, moment)
                    self._state.notify_all()

    def _start(self, descriptor: int) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-m", "ckpt_tui.store.ahead.child"],
            stdin=descriptor,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=import_environment(),
            start_new_session=True,  # an interrupt at the terminal is for this process alone
        )
        with self._state:
            self._children.append(child)
            if self._closed:
                child.kill()
        return child

    def _take(self) -> int | None:
        """The next place to work on; None when there is none any more."""
        with self._state:
            while not self._closed and self._next - self._given >= MOST_WAITING:
                self._state.wait()
            if self._closed or self._next >= len(self._claims):
                return None
            self._next += 1
            return self._next - 1

    def _lose(self, place: int) -> None:
        with self._state:
            self._lost.add(place)
            self._state.notify_all()

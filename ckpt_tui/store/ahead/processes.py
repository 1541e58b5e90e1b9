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
from ckpt_tui.fs.many import ask_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection

    from ckpt_tui.formats.base import Claim
    from ckpt_tui.store.ahead.examine import Terms, Turn
    from ckpt_tui.store.moment import Moment

_REAP_SECONDS = 0.1


class _Mine(threading.local):
    """What each thread has of its own."""

    connection: Connection | None = None


class Processes:
    """A few processes, each with a thread that hands it one claim after the other.

    What a process that dies was at counts as not examined; the next claim gets another process.
    None is waited for in earnest when the block ends: one may hang in a dead mount for ever.

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
        self._count = count
        self._claims = claims
        self._terms = terms
        self._clock = clock
        self._state = threading.Lock()
        self._closed = False
        self._processes: list[subprocess.Popen[bytes]] = []
        self._mine = _Mine()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        with self._state:
            self._closed = True
        for process in self._processes:
            process.kill()
        for process in self._processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_REAP_SECONDS)

    def answers(self) -> Iterator[Turn]:
        """Each claim, a moment before its listing began, and what was found of it.

        What was found is None where no process could tell.
        """
        return ask_many(self._claims, self._ask, lambda claim: claim.path, self._count)

    def _ask(self, claim: Claim) -> Turn:
        moment = self._clock()
        mine = self._mine
        try:
            if mine.connection is None:
                mine.connection = self._start()
            mine.connection.send(claim)
            return claim, moment, mine.connection.recv()
        except (OSError, EOFError, PickleError):
            mine.connection = None
            return claim, moment, None

    def _start(self) -> Connection:
        """Starts a process; returns the connection to it, over which it is sent claims.

        Raises:
            OSError: It cannot be started, or none is wanted any more.
        """
        ours, theirs = Pipe()
        with theirs, self._state:
            if self._closed:
                raise OSError("the reading was given up")
            process = subprocess.Popen(
                [sys.executable, "-m", "ckpt_tui.store.ahead.child"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=import_environment(),
                start_new_session=True,  # an interrupt at the terminal is for this process alone
            )
            self._processes.append(process)
        ours.send(self._terms)
        return ours

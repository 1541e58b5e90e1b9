"""Which path each thread waits for, since when, and how many of the system's calls were made.

A call that hangs in a dead mount cannot be interrupted from within, so each thread leaves a note
for the others to read. The calls are counted as a file server counts them: whoever polls says how
much.
"""

from __future__ import annotations

import threading
from time import monotonic
from typing import NamedTuple, Self


class Asked(NamedTuple):
    """What a thread last did here.

    Attributes:
        path: The path that it waits for; "" where it waits for none.
        since_monotonic: Since when, in seconds of `time.monotonic`.
    """

    path: str
    since_monotonic: float


class _Asker(threading.local):
    """One thread's state, in a list that other threads may read: path, since, calls, asks."""

    def __init__(self) -> None:
        self.state: _State = _State()
        ident = threading.get_ident()
        ended = _states.get(ident)  # an ended thread's number is given again
        if ended is not None:
            self.state.calls = ended.calls
        _states[ident] = self.state


class _State:
    __slots__ = ("asks", "calls", "path", "since")

    def __init__(self) -> None:
        self.path = ""
        self.since = monotonic()
        self.calls = 0
        self.asks = False


_states: dict[int, _State] = {}
_asker = _Asker()


class Asking:
    """Marks what this thread waits for while its block runs; blocks may lie in each other.

    Args:
        path: The path that is asked.
        calls: How many of the system's calls that makes; 0 where another thread or process makes
            them and this one waits for it.
    """

    __slots__ = ("_asked_before", "_asks", "_before", "_path", "_state")

    def __init__(self, path: str, calls: int = 1) -> None:
        state = _asker.state
        self._path = path
        self._state = state
        self._before = state.path
        self._asks = calls > 0
        self._asked_before = state.asks
        state.calls += calls

    def __enter__(self) -> Self:
        state = self._state
        state.since = monotonic()  # first: who reads in between must not take it for a long wait
        state.asks = self._asks
        state.path = self._path
        return self

    def __exit__(self, *raised: object) -> None:
        state = self._state
        state.since = monotonic()
        state.asks = self._asked_before
        state.path = self._before


def answered(calls: int) -> None:
    """Counts calls that were answered one by one inside an `Asking`, such as a part of a scan."""
    state = _asker.state
    state.calls += calls
    state.since = monotonic()


def asked_by(thread: int | None) -> Asked | None:
    """What a thread, by its `ident`, waits for; None if it never asked anything."""
    state = _states.get(thread or 0)
    return Asked(state.path, state.since) if state is not None else None


def longest_asked() -> Asked | None:
    """What has been waited for the longest, of all threads, and still is; None where none waits.

    A thread that waits for another one's answer counts only where no thread asks the system: a
    question of many calls is no call that hangs.
    """
    waiting = [state for state in tuple(_states.values()) if state.path]
    asking = [state for state in waiting if state.asks] or waiting
    oldest = min(asking, key=lambda state: state.since, default=None)
    return Asked(oldest.path, oldest.since) if oldest is not None else None


def call_count() -> int:
    """How many calls all threads have made so far."""
    return sum(state.calls for state in tuple(_states.values()))

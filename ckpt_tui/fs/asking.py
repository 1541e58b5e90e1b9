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
    """One thread's state, in a list that other threads may read: path, since, calls."""

    def __init__(self) -> None:
        self.state: _State = _State()
        ident = threading.get_ident()
        ended = _states.get(ident)  # an ended thread's number is given again
        if ended is not None:
            self.state.calls = ended.calls
        _states[ident] = self.state


class _State:
    __slots__ = ("calls", "path", "since")

    def __init__(self) -> None:
        self.path = ""
        self.since = monotonic()
        self.calls = 0


_states: dict[int, _State] = {}
_asker = _Asker()


class Asking:
    """Marks what this thread waits for while its block runs; blocks may lie in each other.

    Args:
        path: The path that is asked.
        calls: How many of the system's calls that makes.
    """

    __slots__ = ("_before", "_path", "_state")

    def __init__(self, path: str, calls: int = 1) -> None:
        state = _asker.state
        self._path = path
        self._state = state
        self._before = state.path
        state.calls += calls

    def __enter__(self) -> Self:
        self._state.path = self._path
        self._state.since = monotonic()
        return self

    def __exit__(self, *raised: object) -> None:
        self._state.path = self._before
        self._state.since = monotonic()


def answered(calls: int) -> None:
    """Counts calls that were answered one by one inside an `Asking`, such as a part of a scan."""
    state = _asker.state
    state.calls += calls
    state.since = monotonic()


def asked_by(thread: int | None) -> Asked | None:
    """What a thread, by its `ident`, waits for; None if it never asked anything."""
    state = _states.get(thread or 0)
    return Asked(state.path, state.since) if state is not None else None


def call_count() -> int:
    """How many calls all threads have made so far."""
    return sum(state.calls for state in tuple(_states.values()))

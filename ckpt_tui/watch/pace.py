"""When to look without having been told: the pace of polls, sweeps and retries. Pure.

Events are hints and may never come, so looking by the clock goes on in every mode. Each pace backs
off when a look takes long: the watcher must not become the load on a slow file server.
"""

from __future__ import annotations

from enum import StrEnum

SAVING_SECONDS = 0.25
"""Pace while a save is in flight: a burst of events arrives up to seconds late."""

_POLLS_PER_SWEEP = 10
_REST_PER_LOOK = 10.0
_LONGEST_REST_SECONDS = 60.0
_FIRST_RETRY_SECONDS = 0.5
_LONGEST_RETRY_SECONDS = 30.0
_LONGEST_EVENT_REST_SECONDS = 1.0


class Scope(StrEnum):
    """How much a look takes in."""

    FULL = "full"
    HOT = "hot"
    PATHS = "paths"
    """Just the paths that events named."""
    ROOTS = "roots"
    """Nothing but whether each root is still the directory that is watched."""


class Pace:
    """The pace of looks. All times are seconds of the caller's monotonic clock.

    Attributes:
        polling: True while no events can be relied on; the caller sets it.
    """

    def __init__(self, *, poll_seconds: float, sweep_seconds: float) -> None:
        self.polling = True
        self._poll_seconds = poll_seconds
        self._sweep_seconds = sweep_seconds
        self._saving = False
        self._polls = 0
        self._full_at = 0.0
        self._looked_at: float | None = None
        self._took_seconds = 0.0
        self._events_from = 0.0
        self._checked_at = 0.0
        self._failures = 0
        self._retry_at = 0.0

    def looked(self, scope: Scope, started: float, ended: float, *, saving: bool) -> None:
        """Records a look that succeeded, and whether it saw a save in flight."""
        took = ended - started
        self._saving = saving
        self._failures = 0
        self._checked_at = ended
        self._events_from = ended + min(took, _LONGEST_EVENT_REST_SECONDS)
        if scope is Scope.FULL:
            self._polls = 0
            self._full_at = ended + _rest(self._sweep_seconds, took, _LONGEST_REST_SECONDS)
        elif scope is Scope.HOT:
            self._polls += 1
        if scope is not Scope.PATHS:
            self._looked_at = ended
            # With events, a sweep says nothing about the price of a look at a save in flight.
            if scope is Scope.HOT or self.polling:
                self._took_seconds = took

    def failed(self, now: float) -> None:
        """Records a look that raised: the next one is full, after a growing pause."""
        pause = _FIRST_RETRY_SECONDS * 2.0 ** min(self._failures, 10)
        self._failures += 1
        self._checked_at = now
        self._retry_at = now + min(pause, _LONGEST_RETRY_SECONDS)

    def checked(self, now: float) -> None:
        """Records a check of the roots."""
        self._checked_at = now

    def due_at(self) -> float:
        """When the next look or check falls due."""
        return min(self._look_at(), self._checked_at + self._poll_seconds)

    def due(self, now: float) -> Scope | None:
        """The look that is due at `now`, if any."""
        if now >= self._look_at():
            return self._scope(now)
        return Scope.ROOTS if now >= self._checked_at + self._poll_seconds else None

    def events_from(self) -> float:
        """From when on a batch of events may be looked at.

        Looking takes at most about half of the time, however fast events come.
        """
        return self._retry_at if self._failures else self._events_from

    def _look_at(self) -> float:
        if self._failures:
            return self._retry_at
        if self._looked_at is None:
            return 0.0
        return self._hot_at() if self.polling else min(self._full_at, self._hot_at())

    def _hot_at(self) -> float:
        last = self._looked_at or 0.0
        if self.polling:
            return last + _rest(self._poll_seconds, self._took_seconds, _LONGEST_REST_SECONDS)
        if self._saving:
            return last + _rest(SAVING_SECONDS, self._took_seconds, self._poll_seconds)
        return float("inf")

    def _scope(self, now: float) -> Scope:
        if self._failures or self._looked_at is None:
            return Scope.FULL
        sweep = self._polls >= _POLLS_PER_SWEEP - 1 if self.polling else now >= self._full_at
        return Scope.FULL if sweep else Scope.HOT


def _rest(shortest: float, took: float, longest: float) -> float:
    """The pause after a look: ten times what it took, within bounds."""
    return max(shortest, min(_REST_PER_LOOK * took, longest))

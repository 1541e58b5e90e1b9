"""When to look without having been told: the pace of polls, sweeps and retries. Pure.

Events are hints and may never come, so looking by the clock goes on in every mode. Each pace backs
off when a look takes long: the watcher must not become the load on a slow file server, nor on the
machine that it runs on.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

SAVING_SECONDS = 0.25
"""Pace of looks at a save in flight: its events are not looked at one by one."""
MARKER_SECONDS = 0.1
"""Pace of asking whether the marker is there that commits a save in flight."""

_POLLS_PER_SWEEP = 10
_REST_PER_LOOK = 10.0
_LONGEST_REST_SECONDS = 60.0
_WORTH_TELLING = 2.0  # times the usual pause
_FIRST_RETRY_SECONDS = 0.5
_LONGEST_RETRY_SECONDS = 30.0
_LONGEST_EVENT_REST_SECONDS = 1.0


class Scope(StrEnum):
    """How much a look takes in."""

    FULL = "full"
    HOT = "hot"
    PATHS = "paths"
    """Just the paths that events named."""
    SWEEP = "sweep"
    """One stat of each directory, a look at those that differ, and at the next few checkpoints."""
    PEEK = "peek"
    """One stat of each marker that would commit a save in flight; of the hot paths where polled."""
    ROOTS = "roots"
    """Nothing but whether each root is still the directory that is watched."""


class _Rest(NamedTuple):
    """How long to rest after a look: a multiple of what it took, of the clock and of the CPU."""

    per_second: float
    per_cpu_second: float
    longest_seconds: float

    def after(self, shortest: float, took: float, cpu_seconds: float) -> float:
        asked = max(self.per_second * took, self.per_cpu_second * cpu_seconds)
        return max(shortest, min(asked, self.longest_seconds))


# Together below 1 % of a core where nothing happens: 0.1 % + 0.5 %, or 0.3 % where it is polled.
_AFTER_FULL = _Rest(_REST_PER_LOOK, 1000.0, 3600.0)
_AFTER_SWEEP = _Rest(_REST_PER_LOOK, 250.0, 900.0)
_AFTER_POLL = _Rest(_REST_PER_LOOK, 300.0, _LONGEST_REST_SECONDS)
_AFTER_SAVING = _Rest(_REST_PER_LOOK, 0.0, _LONGEST_REST_SECONDS)


class Pace:
    """The pace of looks. All times are seconds of the caller's monotonic clock.

    Attributes:
        polling: True while no events can be relied on; the caller sets it.
    """

    def __init__(self, *, poll_seconds: float, sweep_seconds: float) -> None:
        self.polling = True
        self._poll_seconds = poll_seconds
        self._events_sweep_seconds = sweep_seconds
        self._saving = False
        self._awaiting = False
        self._full_at = 0.0
        self._sweep_at = 0.0
        self._looked_at: float | None = None
        self._took_seconds = 0.0
        self._cpu_seconds = 0.0
        self._peek_at = 0.0
        self._events_from = 0.0
        self._checked_at = 0.0
        self._failures = 0
        self._retry_at = 0.0

    def looked(
        self,
        scope: Scope,
        started: float,
        ended: float,
        *,
        saving: bool,
        awaiting: bool = False,
        cpu_seconds: float = 0.0,
    ) -> None:
        """Records a look that succeeded.

        Args:
            scope: What was looked at.
            started: When it began.
            ended: When it ended.
            saving: Whether it saw a save in flight.
            awaiting: Whether there is a marker that would commit one.
            cpu_seconds: What it took of the processor.
        """
        took = ended - started
        self._saving, self._awaiting = saving, awaiting
        self._failures = 0
        self._checked_at = ended
        self._peek_at = ended + max(self._peek_seconds(), took)
        self._events_from = ended + min(took, _LONGEST_EVENT_REST_SECONDS)
        if scope is Scope.FULL:
            self._full_at = ended + _AFTER_FULL.after(self._sweep_seconds(), took, cpu_seconds)
            self._sweep_at = ended + max(self._sweep_seconds(), took)
        elif scope is Scope.SWEEP:
            self._sweep_at = ended + _AFTER_SWEEP.after(self._sweep_seconds(), took, cpu_seconds)
        if scope in (Scope.FULL, Scope.HOT):
            self._looked_at = ended
            # A full look says nothing about the price of one at what can change.
            if scope is Scope.HOT:
                self._took_seconds, self._cpu_seconds = took, cpu_seconds

    def failed(self, now: float) -> None:
        """Records a look that raised: the next one is full, after a growing pause."""
        pause = _FIRST_RETRY_SECONDS * 2.0 ** min(self._failures, 10)
        self._failures += 1
        self._checked_at = now
        self._retry_at = now + min(pause, _LONGEST_RETRY_SECONDS)

    def checked(self, now: float) -> None:
        """Records a check of the roots."""
        self._checked_at = now

    def peeked(self, started: float, ended: float) -> None:
        """Records a peek that found nothing new."""
        self._peek_at = ended + _AFTER_SAVING.after(self._peek_seconds(), ended - started, 0.0)

    def due_at(self) -> float:
        """When the next look or check falls due."""
        return min(self._look_at(), self._peek_due_at(), self._checked_at + self._poll_seconds)

    def due(self, now: float) -> Scope | None:
        """The look that is due at `now`, if any."""
        if now >= self._look_at():
            return self._scope(now)
        if now >= self._peek_due_at():
            return Scope.PEEK
        return Scope.ROOTS if now >= self._checked_at + self._poll_seconds else None

    def slowed_rest_seconds(self) -> float | None:
        """The pause after a look where a slow file system made it longer; None at the usual pace.

        A look that keeps the processor busy makes it longer, too, and is no fault of the server's.
        """
        rest, waited = self._poll_rest(), self._took_seconds - self._cpu_seconds
        slow = self.polling and waited > self._took_seconds / 2
        return rest if slow and rest >= _WORTH_TELLING * self._poll_seconds else None

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
        return min(self._full_at, self._sweep_at, self._hot_at())

    def _peek_due_at(self) -> float:
        peeks = (self._awaiting or self.polling) and self._looked_at is not None
        return self._peek_at if peeks and not self._failures else float("inf")

    def _peek_seconds(self) -> float:
        return MARKER_SECONDS if self._awaiting else self._poll_seconds

    def _hot_at(self) -> float:
        last = self._looked_at or 0.0
        if self.polling:
            return last + self._poll_rest()
        if self._saving:
            rest = _AFTER_SAVING.after(SAVING_SECONDS, self._took_seconds, 0.0)
            return last + min(rest, max(SAVING_SECONDS, self._poll_seconds))
        return float("inf")

    def _poll_rest(self) -> float:
        rest = _AFTER_SAVING if self._saving else _AFTER_POLL
        return rest.after(self._poll_seconds, self._took_seconds, self._cpu_seconds)

    def _sweep_seconds(self) -> float:
        if self.polling:
            return min(self._events_sweep_seconds, _POLLS_PER_SWEEP * self._poll_seconds)
        return self._events_sweep_seconds

    def _scope(self, now: float) -> Scope:
        if self._failures or self._looked_at is None or now >= self._full_at:
            return Scope.FULL
        return Scope.SWEEP if now >= self._sweep_at else Scope.HOT

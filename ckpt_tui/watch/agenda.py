"""What to look at next: joins the events' batches, the clock's pace and the user's wishes. Pure."""

from __future__ import annotations

from typing import NamedTuple

from ckpt_tui.watch.debounce import Debounce
from ckpt_tui.watch.pace import Pace, Scope


class Work(NamedTuple):
    """One look to take; `paths` only with `Scope.PATHS`."""

    scope: Scope
    paths: frozenset[str] = frozenset()


class Agenda:
    """Decides which look is next. The caller keeps the lock and tells the time.

    Attributes:
        pace: The pace, told by the caller how each look went.
    """

    def __init__(self, *, poll_seconds: float, sweep_seconds: float) -> None:
        self.pace = Pace(poll_seconds=poll_seconds, sweep_seconds=sweep_seconds)
        self._debounce = Debounce()
        self._asked: Scope | None = None

    def changed(self, path: str, now: float) -> bool:
        """Notes a path that an event named; True if nothing was waiting before it."""
        first = self._debounce.due_at() is None
        self._debounce.add(path, now)
        return first

    def lost_events(self, now: float) -> None:
        """Notes that events were lost, so that everything must be looked at."""
        self._debounce.add_full(now)

    def ask(self, scope: Scope) -> None:
        """The user wants a look at once; a full one outweighs a hot one."""
        if self._asked is not Scope.FULL:
            self._asked = scope

    def next_at(self) -> float:
        """When `take` will have something to give, as far as is known now."""
        if self._asked is not None:
            return 0.0
        batch_at = self._debounce.due_at()
        due_at = self.pace.due_at()
        if batch_at is None:
            return due_at
        return min(due_at, max(batch_at, self.pace.events_from()))

    def take(self, now: float) -> Work | None:
        """The look that is due at `now`; None if it is not yet time for any."""
        asked, self._asked = self._asked, None
        due = self.pace.due(now)
        if Scope.FULL in (asked, due):
            self._debounce.flush()
            return Work(Scope.FULL)
        # Hot looks rest longer than they take, so batches get their turn; not the other way round.
        if Scope.HOT in (asked, due):
            return Work(Scope.HOT)
        batch = self._debounce.take(now) if now >= self.pace.events_from() else None
        if batch is not None:
            return Work(Scope.FULL) if batch.full else Work(Scope.PATHS, batch.paths)
        return None if due is None else Work(due)

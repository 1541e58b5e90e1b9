"""What to look at next: joins the events' batches, the clock's pace and the user's wishes. Pure."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.watch.debounce import Debounce
from ckpt_tui.watch.pace import Pace, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable


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
        self._markers: frozenset[str] = frozenset()
        self._saves: frozenset[str] = frozenset()
        self._committed: set[str] = set()
        self._hurried: set[str] = set()

    def await_markers(self, markers: Iterable[str]) -> None:
        """Says which files would commit the saves in flight, by coming into their directories.

        The other events of these directories are not asked for any more: a save in flight is
        looked at by the clock, as its shards may come by thousands. Each marker's event is looked
        at without delay, but once: whoever writes it over and over is looked at by the clock, too.
        """
        self._markers = frozenset(markers)
        self._saves = frozenset(os.path.dirname(marker) for marker in self._markers)
        self._hurried &= self._markers
        self._debounce.drop_inside(self._saves)

    def changed(self, path: str, now: float) -> bool:
        """Notes a path that an event named; True if the caller waits for too long now."""
        if path in self._markers and path not in self._hurried:
            self._hurried.add(path)
            self._committed.add(os.path.dirname(path))
            return True
        if os.path.dirname(path) in self._saves:
            return False
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
        if self._asked is not None or self._committed:
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
            self._committed.clear()
            return Work(Scope.FULL)
        if self._committed:
            committed, self._committed = self._committed, set()
            self._asked = asked
            return Work(Scope.PATHS, frozenset(committed))
        # Hot looks rest longer than they take, so batches get their turn; not the other way round.
        if Scope.HOT in (asked, due):
            return Work(Scope.HOT)
        batch = self._debounce.take(now) if now >= self.pace.events_from() else None
        if batch is not None:
            return Work(Scope.FULL) if batch.full else Work(Scope.PATHS, batch.paths)
        return None if due is None else Work(due)

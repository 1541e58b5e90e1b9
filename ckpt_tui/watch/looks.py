"""Takes the looks: at everything, at what is hot, at what a stat says changed."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from ckpt_tui.fs.asking import call_count
from ckpt_tui.watch.pace import Scope
from ckpt_tui.watch.rounds import Rounds
from ckpt_tui.watch.signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ckpt_tui.watch.agenda import Work
    from ckpt_tui.watch.ports import Lookable

TURN_SECONDS = 2.0
"""Pace of looks at the next few of what is hot, besides the saves in flight."""
CALLS_PER_TURN = 200
SIGNS_PER_SECOND = 200
"""So many stats ask whether something hot changed: of a few hundred runs, at each poll."""
_CLOCKS_DIFFER_NS = 2_000_000_000
_NEVER_NS = 1 << 63


class Looks:
    """Looks at a store; remembers no more than the signs of what it asked for.

    Args:
        store: What is looked at.
        clock: Seconds, for how long a look takes.
    """

    def __init__(self, store: Lookable, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._rounds = Rounds()
        self._turns = Rounds(CALLS_PER_TURN)
        self._turn_at = 0.0
        self._signs_at = 0.0
        self._asked_ns = time.time_ns() - _CLOCKS_DIFFER_NS
        self._directories = Signs()
        self._markers = Signs()
        self._runs = Signs()
        self._hot = Signs()
        self._awaited: frozenset[str] = frozenset()
        self._repaired_ns = 0

    def take(self, work: Work, show: Callable[[object], None]) -> object:
        """Takes a look and returns the snapshot.

        Args:
            work: What to look at.
            show: Called with unfinished snapshots while the look takes long.
        """
        if work.scope is Scope.FULL:
            self._repaired_since()
            return self._store.look(show=show)
        if work.scope is Scope.SWEEP:
            return self._sweep(show)
        if work.scope is Scope.HOT:
            return self._look_at_hot(show)
        return self._store.look(work.paths or None, show)

    def await_markers(self, markers: Iterable[str]) -> None:
        """Says which files would commit the saves in flight.

        A save may also be committed by a new name of its directory: that changes the one above.
        """
        self._awaited = frozenset(markers)

    def peek(self) -> frozenset[str]:
        """The paths to look at, by one stat of each marker; where none is awaited, of what is hot.

        The latter is for polling: with thousands of checkpoints in one directory, a look at it
        costs far more than to ask whether it changed.
        """
        if not self._awaited:
            return self._changed(self._store.hot_paths())
        saves = {os.path.dirname(marker) for marker in self._markers.changed(self._awaited, 0)}
        above = {os.path.dirname(os.path.dirname(marker)) for marker in self._awaited}
        return frozenset(saves | self._runs.changed(above, _NEVER_NS))

    def _look_at_hot(self, show: Callable[[object], None]) -> object:
        """Looks at saves in flight, at what a stat tells of, and at the next few that are hot.

        The last is for what no stat tells: what is cut or overwritten in place. With many runs it
        is what costs most, and comes in turn.
        """
        hot = self._store.hot_paths()
        if not hot:
            return self._store.look(None, show)
        quick = self._changed(hot).union(self._store.growing_paths())
        some = self._next_of(hot) - quick
        if quick or not some:
            snapshot = self._store.look(quick, show)
        if some:
            before = call_count()
            snapshot = self._store.look(some, show)
            self._turns.took(len(some), call_count() - before)
        return snapshot

    def _next_of(self, hot: Sequence[str]) -> frozenset[str]:
        now = self._clock()
        if now < self._turn_at:
            return frozenset()
        self._turn_at = now + TURN_SECONDS
        return self._turns.next(hot)

    def _changed(self, hot: Sequence[str]) -> frozenset[str]:
        """What of it a stat tells of; nothing before these stats are due again.

        What is asked for the first time is told if it changed since the last stats.
        """
        now = self._clock()
        if now < self._signs_at:
            return frozenset()
        self._signs_at = now + len(hot) / SIGNS_PER_SECOND
        since_ns, self._asked_ns = self._asked_ns, time.time_ns() - _CLOCKS_DIFFER_NS
        return frozenset(self._hot.changed(hot, since_ns))

    def _sweep(self, show: Callable[[object], None]) -> object:
        """Looks at the directories that changed, and at the next few checkpoints as they are.

        The last is for what no directory tells: a file that was cut or overwritten in place.
        """
        since_ns = self._repaired_since()
        changed = frozenset(self._directories.changed(self._store.directories(), since_ns))
        if changed:
            self._store.look(changed, show)
        some = self._rounds.next((*self._store.checkpoint_paths(), *self._store.run_paths()))
        began = self._clock()
        snapshot = self._store.look(some or None, show)
        self._rounds.took(len(some), self._clock() - began)
        return snapshot

    def _repaired_since(self) -> int:
        """When the last look began that left nothing out; this one begins now.

        What was found since then may have changed before its first sign was taken.
        """
        before, self._repaired_ns = self._repaired_ns, time.time_ns() - _CLOCKS_DIFFER_NS
        return before

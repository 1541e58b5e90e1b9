"""Takes the looks: at everything, at what is hot, at what a stat says changed."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from ckpt_tui.watch.pace import Scope
from ckpt_tui.watch.rounds import Rounds
from ckpt_tui.watch.signs import Signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ckpt_tui.watch.agenda import Work
    from ckpt_tui.watch.ports import Lookable

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
        paths = frozenset(self._store.hot_paths()) if work.scope is Scope.HOT else work.paths
        return self._store.look(paths or None, show)

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
            return frozenset(self._hot.changed(self._store.hot_paths(), _NEVER_NS))
        saves = {os.path.dirname(marker) for marker in self._markers.changed(self._awaited, 0)}
        above = {os.path.dirname(os.path.dirname(marker)) for marker in self._awaited}
        return frozenset(saves | self._runs.changed(above, _NEVER_NS))

    def _sweep(self, show: Callable[[object], None]) -> object:
        """Looks at the directories that changed, and at the next few checkpoints as they are.

        The last is for what no directory tells: a file that was cut or overwritten in place.
        """
        since_ns = self._repaired_since()
        changed = frozenset(self._directories.changed(self._store.directories(), since_ns))
        if changed:
            self._store.look(changed, show)
        some = self._rounds.next(self._store.checkpoint_paths())
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

"""The one background thread: changes in, snapshots out.

Level-triggered: an event only says where to look, and the truth is what the look finds. Whatever
events miss, the looks by the clock repair.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.watch.agenda import Agenda, Work
from ckpt_tui.watch.choose import Choice, WatchMode
from ckpt_tui.watch.pace import Scope
from ckpt_tui.watch.root import RootWatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.watch.ports import Lookable

HANGING_SECONDS = 5.0
_NOTHING_SHOWN = object()


class WatchStatus(NamedTuple):
    """How the watching goes. Times are seconds of the service's monotonic clock.

    Attributes:
        mode: `starting`, `inotify`, `events` (systems other than Linux) or `poll`.
        reason: Why this mode, in words.
        last_look_monotonic: When the last look ended; None before the first.
        looks: How many looks have succeeded.
        error: What the last look failed with; None if it succeeded.
        hanging_since_monotonic: Since when a look has been running, if for more than 5 s.
    """

    mode: str
    reason: str
    last_look_monotonic: float | None = None
    looks: int = 0
    error: str | None = None
    hanging_since_monotonic: float | None = None


class WatchService:
    """Looks at a store whenever something may have changed, on one daemon thread.

    Args:
        store: What is looked at; only the service's thread calls it.
        on_change: Called on the service's thread with each snapshot that differs from the last.
        force_poll: Use no events, whatever the file system.
        sweep_seconds: Pace of full looks that repair what events missed.
        poll_seconds: Pace of looks at the hot paths where there are no events; every tenth is full.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        store: Lookable,
        on_change: Callable[[object], None],
        *,
        force_poll: bool = False,
        sweep_seconds: float = 30.0,
        poll_seconds: float = 2.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._on_change = on_change
        self._clock = clock
        self._roots = tuple(
            RootWatch(
                root, force_poll=force_poll, on_path=self._path_changed, on_lost=self._events_lost
            )
            for root in store.roots()
        )
        self._agenda = Agenda(poll_seconds=poll_seconds, sweep_seconds=sweep_seconds)
        self._wake = threading.Condition()
        self._stopping = False
        self._shown: object = _NOTHING_SHOWN
        self._busy_since: float | None = None
        self._status = WatchStatus(WatchMode.STARTING, "choosing how to watch")
        self._thread = threading.Thread(target=self._run, name="ckpt-tui-watch", daemon=True)

    def start(self) -> None:
        """Starts the thread; its first act is a full look."""
        self._thread.start()

    def stop(self, timeout: float = 1.0) -> bool:
        """Asks the thread to end and waits at most `timeout` seconds for it.

        Returns:
            True if it has ended. A thread that hangs in a dead mount is left behind; it is a
            daemon, so that it does not keep the program, and it reports nothing any more.
        """
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def request(self, full: bool = True) -> None:
        """Asks for a look at once: at everything, or at the hot paths only."""
        with self._wake:
            self._agenda.ask(Scope.FULL if full else Scope.HOT)
            self._wake.notify()

    def status(self) -> WatchStatus:
        """The state of the watching; cheap, and safe to call from any thread."""
        status, since = self._status, self._busy_since
        if since is not None and self._clock() - since > HANGING_SECONDS:
            return status._replace(hanging_since_monotonic=since)
        return status

    def _path_changed(self, path: str) -> None:
        with self._wake:
            if self._agenda.changed(path, self._clock()):
                self._wake.notify()

    def _events_lost(self) -> None:
        with self._wake:
            self._agenda.lost_events(self._clock())
            self._wake.notify()

    def _run(self) -> None:
        while (work := self._next_work()) is not None:
            self._busy_since = self._clock()
            try:
                self._do(work)
            except Exception as error:
                self._failed(error)
            self._busy_since = None
        for root in self._roots:
            root.close()

    def _next_work(self) -> Work | None:
        """Waits for the next look to fall due; None when the service is to stop."""
        with self._wake:
            while not self._stopping:
                now = self._clock()
                work = self._agenda.take(now)
                if work is not None:
                    return work
                self._wake.wait(max(0.0, self._agenda.next_at() - now))
            return None

    def _do(self, work: Work) -> None:
        if self._refresh_roots(complete=work.scope is Scope.FULL):
            work = Work(Scope.FULL)
        if work.scope is Scope.ROOTS:
            with self._wake:
                self._agenda.pace.checked(self._clock())
            return
        started = self._clock()
        snapshot = self._look(work)
        saving = self._store.saving()
        ended = self._clock()
        with self._wake:
            self._agenda.pace.looked(work.scope, started, ended, saving=saving)
        self._status = self._status._replace(
            last_look_monotonic=ended,
            looks=self._status.looks + 1,
            error=None,
        )
        self._show(snapshot)

    def _look(self, work: Work) -> object:
        if work.scope is Scope.FULL:
            return self._store.look()
        paths = frozenset(self._store.hot_paths()) if work.scope is Scope.HOT else work.paths
        return self._store.look(paths) if paths else self._store.look()

    def _show(self, snapshot: object) -> None:
        if self._stopping or snapshot is self._shown or snapshot == self._shown:
            return
        self._on_change(snapshot)
        self._shown = snapshot

    def _refresh_roots(self, *, complete: bool) -> bool:
        changed = False
        for root in self._roots:
            refreshed = root.refresh()
            changed = changed or refreshed
            if complete or refreshed:
                root.complete()
        self._tell_mode()
        return changed

    def _tell_mode(self) -> None:
        choices = [root.choice for root in self._roots]
        polled = [choice for choice in choices if not choice.mode.uses_events]
        choice = next(iter(polled or choices), Choice(WatchMode.POLL, "nothing to watch"))
        with self._wake:
            self._agenda.pace.polling = bool(polled)
        self._status = self._status._replace(mode=str(choice.mode), reason=choice.reason)

    def _failed(self, error: Exception) -> None:
        with self._wake:
            self._agenda.pace.failed(self._clock())
        self._status = self._status._replace(error=f"{type(error).__name__}: {error}")

"""The one background thread: changes in, snapshots out.

Level-triggered: an event only says where to look, and the truth is what the look finds. Whatever
events miss, the looks by the clock repair.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from ckpt_tui.watch.agenda import Agenda, Work
from ckpt_tui.watch.choose import Choice, WatchMode
from ckpt_tui.watch.looks import Looks
from ckpt_tui.watch.pace import Scope
from ckpt_tui.watch.root import RootWatch
from ckpt_tui.watch.status import CallRate, WatchStatus, hang_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.watch.ports import Lookable

_NOTHING_SHOWN = object()


class WatchService:
    """Looks at a store whenever something may have changed, on one daemon thread.

    Args:
        store: What is looked at; only the service's thread calls it.
        on_change: Called on the service's thread with each snapshot that differs from the last.
        force_poll: Use no events, whatever the file system.
        sweep_seconds: Pace of the looks that repair what events missed.
        poll_seconds: Pace of looks at the hot paths where there are no events.
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
        self._looks = Looks(store, clock)
        self._agenda = Agenda(poll_seconds=poll_seconds, sweep_seconds=sweep_seconds)
        self._wake = threading.Condition()
        self._stopping = False
        self._shown: object = _NOTHING_SHOWN
        self._busy_since: float | None = None
        self._rate = CallRate()
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
            hangs = self.status().hanging_since_monotonic is not None
            self._thread.join(0.0 if hangs else timeout)
        return not self._thread.is_alive()

    def request(self, full: bool = True) -> None:
        """Asks for a look at once: at everything, or at the hot paths only."""
        with self._wake:
            self._agenda.ask(Scope.FULL if full else Scope.HOT)
            self._wake.notify()

    def status(self) -> WatchStatus:
        """The state of the watching; cheap, and safe to call from any thread."""
        status, since, now = self._status, self._busy_since, self._clock()
        status = status._replace(
            calls_per_second=self._rate.per_second(now),
            rest_seconds=self._agenda.pace.slowed_rest_seconds(),
        )
        hang = hang_of(self._thread.ident, since, now) if since is not None else None
        if hang is None:
            return status
        return status._replace(hanging_since_monotonic=hang.since_monotonic, hanging_path=hang.path)

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
        pace, started, cpu_started = self._agenda.pace, self._clock(), time.thread_time()
        if work.scope is Scope.PEEK:
            work = Work(Scope.PATHS, self._looks.peek())
            if not work.paths:
                with self._wake:
                    pace.peeked(started, self._clock())
                return
        elif self._refresh_roots(complete=work.scope in (Scope.FULL, Scope.SWEEP)):
            work = Work(Scope.FULL)
        if work.scope is Scope.ROOTS:
            with self._wake:
                pace.checked(self._clock())
            return
        snapshot = self._looks.take(work, self._show)
        self._looked(work.scope, started, time.thread_time() - cpu_started)
        self._show(snapshot)

    def _looked(self, scope: Scope, started: float, cpu_seconds: float) -> None:
        saving = self._store.saving()
        markers = self._store.awaited_markers() if saving else ()
        self._looks.await_markers(markers)
        ended = self._clock()
        with self._wake:
            self._agenda.await_markers(markers)
            self._agenda.pace.looked(
                scope,
                started,
                ended,
                saving=saving,
                awaiting=bool(markers),
                cpu_seconds=cpu_seconds,
            )
        self._status = self._status._replace(
            last_look_monotonic=ended, looks=self._status.looks + 1, error=None
        )

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
        self._store.expect_stale(max((choice.stale_seconds for choice in choices), default=0.0))
        self._status = self._status._replace(mode=str(choice.mode), reason=choice.reason)

    def _failed(self, error: Exception) -> None:
        with self._wake:
            self._agenda.pace.failed(self._clock())
        self._status = self._status._replace(error=f"{type(error).__name__}: {error}")

"""What a dashboard and a recording watch: a store, looked at by a service."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.collector import let_stay
from ckpt_tui.history.keeper import HistoryKeeper
from ckpt_tui.store.index import DEFAULT_LIMITS, Store
from ckpt_tui.store.remembered_results import users_remembered
from ckpt_tui.watch.service import WatchService
from ckpt_tui.watch.status import WatchStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.cache.kept_facts import KeptFacts
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.history.database import History
    from ckpt_tui.store.members import Options
    from ckpt_tui.verify.results import Verified

_LAST_WRITE_SECONDS = 1.0


def _cache() -> KeptFacts | None:
    """The user's cache of facts; None where it is switched off."""
    from ckpt_tui.cache.database import CacheDatabase
    from ckpt_tui.cache.kept_facts import KeptFacts
    from ckpt_tui.cache.place import cache_path, why_not_used

    return None if why_not_used() else KeptFacts(CacheDatabase(cache_path()), DEFAULT_LIMITS)


class LiveFeed:
    """The dashboard's feed: a store that a watch service looks at."""

    def __init__(
        self,
        directory: str,
        options: Options,
        *,
        force_poll: bool = False,
        remarks: tuple[tuple[str, str], ...] = (),
        history: History | None = None,
        cache: bool = False,
        disk: str = "",
    ) -> None:
        self._disk = disk
        self._remarks = remarks
        self._cache = _cache() if cache else None
        self._results = users_remembered()
        self._store = Store(
            os.path.abspath(directory),
            options,
            limits=DEFAULT_LIMITS,
            cache=self._cache,
            results=self._results,
        )
        self._force_poll = force_poll
        self._service: WatchService | None = None
        self._keeper: HistoryKeeper | None = None
        self._history = history

    def snapshot(self) -> Snapshot:
        """The newest picture; never blocks."""
        picture = self._store.snapshot()
        remarks = self._remarks + (self._keeper.remarks if self._keeper else ())
        remarks += self._cache.remarks if self._cache else ()
        remarks += self._results.remarks
        return picture._replace(remarks=remarks) if remarks else picture

    def status(self) -> WatchStatus:
        """How the watching goes; never blocks."""
        if self._service is None:
            return WatchStatus("starting", "not started yet")
        status = self._service.status()
        return status._replace(mode=f"{status.mode} · {self._disk}") if self._disk else status

    def refresh(self) -> None:
        """Asks for a full look soon; never blocks."""
        if self._service is not None:
            self._service.request(full=True)

    def remember(self, verified: Verified) -> str:
        """Keeps what `verify` found, and looks again; returns why it will be forgotten, or ""."""
        problem = self._results.keep(verified)
        self._look_soon()
        return problem

    def _look_soon(self) -> None:
        if self._service is not None:
            self._service.request(full=False)

    def ask_world_size(self, world_size: int | None) -> None:
        """Asks for verdicts for a job of that size, soon; never blocks."""
        self._store.ask_world_size(world_size)
        self._look_soon()

    def start(self, on_change: Callable[[object], None]) -> None:
        """Begins to watch; `on_change` is called on the watcher's thread."""
        told = on_change
        if self._history is not None:
            told = self._with_history(self._history, on_change)
        told = self._without_its_first_look(told)
        self._service = WatchService(self._store, told, force_poll=self._force_poll)
        self._service.start()

    def _without_its_first_look(self, told: Callable[[object], None]) -> Callable[[object], None]:
        """What the first look made stays: no key should wait for a collection that visits it."""
        stays = False

        def tell(picture: object) -> None:
            nonlocal stays
            if not stays and self._store.snapshot().reading is None:
                stays = True
                let_stay()
            told(picture)

        return tell

    def _with_history(
        self, history: History, on_change: Callable[[object], None]
    ) -> Callable[[object], None]:
        keeper = HistoryKeeper(history, lambda: on_change(self.snapshot()))
        keeper.start()
        self._keeper = keeper

        def told(picture: object) -> None:
            newest = self._store.snapshot()
            if newest.reading is None:
                keeper.offer(newest)
            on_change(picture)

        return told

    def stop(self) -> None:
        """Ends the watching; a hung look is left behind on its daemon thread."""
        if self._service is not None:
            self._service.stop()
        if self._keeper is not None:
            self._keeper.stop(_LAST_WRITE_SECONDS)
        if self._cache is not None:
            self._cache.finish(_LAST_WRITE_SECONDS)

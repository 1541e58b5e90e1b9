"""Wires the store, the watcher and the dashboard together."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from ckpt_tui.cli.parsing import UsageError
from ckpt_tui.formats.shared.roles import use_synonyms
from ckpt_tui.history.database import History
from ckpt_tui.history.keeper import HistoryKeeper
from ckpt_tui.history.place import history_path, is_kept
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.store.index import Store
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.run import run_dashboard
from ckpt_tui.watch.service import WatchService, WatchStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.cli.judging import Judging
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.store.assemble import Options


_LAST_WRITE_SECONDS = 1.0


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
    ) -> None:
        self._remarks = remarks
        self._store = Store(os.path.abspath(directory), options)
        self._force_poll = force_poll
        self._service: WatchService | None = None
        self._keeper: HistoryKeeper | None = None
        self._history = history

    def snapshot(self) -> Snapshot:
        """The newest picture; never blocks."""
        picture = self._store.snapshot()
        remarks = self._remarks + (self._keeper.remarks if self._keeper else ())
        return picture._replace(remarks=remarks) if remarks else picture

    def status(self) -> WatchStatus:
        """How the watching goes; never blocks."""
        if self._service is None:
            return WatchStatus("starting", "not started yet")
        return self._service.status()

    def refresh(self) -> None:
        """Asks for a full look soon; never blocks."""
        if self._service is not None:
            self._service.request(full=True)

    def ask_world_size(self, world_size: int | None) -> None:
        """Asks for verdicts for a job of that size, soon; never blocks."""
        self._store.ask_world_size(world_size)
        if self._service is not None:
            self._service.request(full=False)

    def start(self, on_change: Callable[[object], None]) -> None:
        """Begins to watch; `on_change` is called on the watcher's thread."""
        told = on_change
        if self._history is not None:
            told = self._with_history(self._history, on_change)
        self._service = WatchService(self._store, told, force_poll=self._force_poll)
        self._service.start()

    def _with_history(
        self, history: History, on_change: Callable[[object], None]
    ) -> Callable[[object], None]:
        keeper = HistoryKeeper(history, lambda: on_change(self.snapshot()))
        keeper.start()
        self._keeper = keeper

        def told(picture: object) -> None:
            keeper.offer(self._store.snapshot())
            on_change(picture)

        return told

    def stop(self) -> None:
        """Ends the watching; a hung look is left behind on its daemon thread."""
        if self._service is not None:
            self._service.stop()
        if self._keeper is not None:
            self._keeper.stop(_LAST_WRITE_SECONDS)


def open_dashboard(
    directory: str,
    judging: Judging,
    *,
    force_poll: bool = False,
    reload_minutes: float,
    down_minutes: float,
    ascii_only: bool = False,
    theme: str | None = None,
    mouse: bool = True,
    history: bool = True,
) -> int:
    """Opens the dashboard and returns its exit code."""
    kept = History(history_path()) if history and is_kept() else None
    first = PlanInputs(reload_minutes=reload_minutes, down_minutes=down_minutes)
    chosen = DashboardOptions(
        ascii=ascii_only,
        mouse=mouse,
        reload_minutes=reload_minutes,
        down_minutes=down_minutes,
        panel=partial(PlannerPanel, first, kept),
    )
    if theme is not None:
        chosen = chosen._replace(theme=theme)
    use_synonyms(judging.synonyms)
    feed = LiveFeed(
        directory,
        judging.options,
        force_poll=force_poll,
        remarks=judging.remarks,
        history=kept,
    )
    try:
        return run_dashboard(feed, chosen)
    except ValueError as error:
        raise UsageError(f"ckpt-tui: --theme: {error}") from error

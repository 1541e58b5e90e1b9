"""Wires the store, the watcher and the dashboard together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.cli.parsing import UsageError
from ckpt_tui.formats.shared.roles import use_synonyms
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


class LiveFeed:
    """The dashboard's feed: a store that a watch service looks at."""

    def __init__(
        self,
        directory: str,
        options: Options,
        *,
        force_poll: bool = False,
        remarks: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self._remarks = remarks
        self._store = Store(os.path.abspath(directory), options)
        self._force_poll = force_poll
        self._service: WatchService | None = None

    def snapshot(self) -> Snapshot:
        """The newest picture; never blocks."""
        picture = self._store.snapshot()
        return picture._replace(remarks=self._remarks) if self._remarks else picture

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
        self._service = WatchService(self._store, on_change, force_poll=self._force_poll)
        self._service.start()

    def stop(self) -> None:
        """Ends the watching; a hung look is left behind on its daemon thread."""
        if self._service is not None:
            self._service.stop()


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
) -> int:
    """Opens the dashboard and returns its exit code."""
    chosen = DashboardOptions(
        ascii=ascii_only,
        mouse=mouse,
        reload_minutes=reload_minutes,
        down_minutes=down_minutes,
        panel=PlannerPanel,
    )
    if theme is not None:
        chosen = chosen._replace(theme=theme)
    use_synonyms(judging.synonyms)
    feed = LiveFeed(directory, judging.options, force_poll=force_poll, remarks=judging.remarks)
    try:
        return run_dashboard(feed, chosen)
    except ValueError as error:
        raise UsageError(f"ckpt-tui: --theme: {error}") from error

"""Wires the store, the watcher and the dashboard together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ckpt_tui.alerts.settings import alert_settings
from ckpt_tui.cli.live_feed import LiveFeed
from ckpt_tui.cli.parsing import UsageError
from ckpt_tui.cli.recorded import RecordedFeed
from ckpt_tui.formats.shared.roles import use_synonyms
from ckpt_tui.history.database import History
from ckpt_tui.history.place import history_path, is_kept
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.run import run_dashboard

if TYPE_CHECKING:
    from ckpt_tui.cli.judging import Judging


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
    cache: bool = True,
    record: str | None = None,
) -> int:
    """Opens the dashboard and returns its exit code; `record` names a file to record it to.

    Raises:
        RecordingError: Nothing can be recorded to that file.
    """
    kept = History(history_path()) if history and is_kept() else None
    first = PlanInputs(reload_minutes=reload_minutes, down_minutes=down_minutes)
    chosen = DashboardOptions(
        ascii=ascii_only,
        mouse=mouse,
        reload_minutes=reload_minutes,
        down_minutes=down_minutes,
        panel=partial(PlannerPanel, first, kept),
        history=kept,
        alerts=alert_settings(judging.alarms),
    )
    if theme is not None:
        chosen = chosen._replace(theme=theme)
    use_synonyms(judging.synonyms)
    feed: LiveFeed | RecordedFeed = LiveFeed(
        directory,
        judging.options,
        force_poll=force_poll,
        remarks=judging.remarks,
        history=kept,
        cache=cache,
    )
    if record is not None:
        feed = RecordedFeed(feed, record, directory)
    try:
        return run_dashboard(feed, chosen)
    except ValueError as error:
        raise UsageError(f"ckpt-tui: --theme: {error}") from error

"""Wires the store, the watcher and the dashboard together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ckpt_tui.alerts.settings import alert_settings
from ckpt_tui.cli.live_feed import LiveFeed
from ckpt_tui.cli.recorded import RecordedFeed
from ckpt_tui.formats.near_misses import look_nearby
from ckpt_tui.formats.shared.roles import use_synonyms
from ckpt_tui.formats.tensors import tensors_of
from ckpt_tui.history.database import History
from ckpt_tui.history.place import history_path, is_kept
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.tui.options import DEFAULT_OPTIONS
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.remembered import Remembered, remembered_path
from ckpt_tui.tui.run import run_dashboard
from ckpt_tui.tui.verify.queue import Verifier

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Sequence

    from ckpt_tui.cli.judging import Judging
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.verify.results import Progress, Verified

DEFAULT_INPUTS = PlanInputs()


def open_dashboard(
    directory: str,
    judging: Judging,
    view: DashboardOptions = DEFAULT_OPTIONS,
    inputs: PlanInputs = DEFAULT_INPUTS,
    *,
    force_poll: bool = False,
    history: bool = True,
    cache: bool = True,
    record: str | None = None,
    disk: str = "",
    reload_assumed: bool = False,
) -> int:
    """Opens the dashboard and returns its exit code.

    Args:
        directory: What is watched.
        judging: How checkpoints are judged, and who is told.
        view: How it looks; what it is wired to is put in here.
        inputs: What planner and header reckon with at first.
        force_poll: Whether file-system events are left out.
        history: Whether a history is kept and used.
        cache: Whether facts of earlier looks are kept and used.
        record: A file to record it to; None for none.
        disk: What to say of the disk beside how it is watched.
        reload_assumed: Whether nobody has said how long a reload takes.

    Raises:
        RecordingError: Nothing can be recorded to that file.
    """
    kept = History(history_path()) if history and is_kept() else None
    chosen = view._replace(
        reload_minutes=inputs.reload_minutes,
        down_minutes=inputs.down_minutes,
        fault_rate_per_hour=inputs.fault_rate_per_hour,
        reload_assumed=reload_assumed,
        panel=partial(PlannerPanel, inputs, kept),
        history=kept,
        nearby=look_nearby,
        tensors=tensors_of,
        remembered=Remembered(remembered_path(), directory),
        alerts=alert_settings(judging.alarms),
    )
    use_synonyms(judging.synonyms)
    feed = LiveFeed(
        directory,
        judging.options,
        force_poll=force_poll,
        remarks=_by_file(judging.remarks),
        history=kept,
        cache=cache,
        disk=disk,
    )
    chosen = chosen._replace(verifier=Verifier(_verify, feed.remember))
    shown = feed if record is None else RecordedFeed(feed, record, directory)
    return run_dashboard(shown, chosen)


def _verify(
    paths: Sequence[str],
    finite: bool,
    told: Callable[[Progress], None],
    cancel: threading.Event,
) -> Verified:
    """Verifies as `ckpt-tui verify` does."""
    from ckpt_tui.verify.engine import Options, verify  # no start waits for it

    return verify(paths, Options(finite=finite), told, cancel)


def _by_file(remarks: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """One remark a file: the dashboard has an alarm for each path."""
    found: dict[str, list[str]] = {}
    for path, text in remarks:
        found.setdefault(path, []).append(text)
    return tuple((path, "; ".join(texts)) for path, texts in found.items())

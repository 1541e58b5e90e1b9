"""`ckpt-tui demo --scenario NAME`: a prepared situation, written and shown."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.cli.parsing import UsageError
from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.demo.scenarios.catalog import SCENARIOS
from ckpt_tui.demo.scenarios.disk import SimulatedDisk
from ckpt_tui.demo.scenarios.live import LiveWriter
from ckpt_tui.demo.scenarios.stage import build
from ckpt_tui.fs import calls
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.store.members import Options
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ckpt_tui.demo.scenarios.stage import Scenario, Stage
    from ckpt_tui.tui.options import DashboardOptions

RELOAD_MINUTES, DOWN_MINUTES = 8.0, 5.0
DISK = later("simulated disk")
_SIGNAL_BASE = 128


def print_list() -> None:
    """Prints each situation: its name, its question, the right decision."""
    width = max(map(len, SCENARIOS))
    for scenario in SCENARIOS.values():
        print(f"{scenario.name:<{width}}  {say(scenario.question)}")
        print(f"{'':<{width}}  {say(scenario.decision)}")


def show(name: str, directory: Path | None, view: DashboardOptions | None) -> int:
    """Builds a situation and shows it, until it is left.

    Args:
        name: Of the situation.
        directory: Where to write, empty or absent; None for a temporary directory.
        view: How the dashboard looks; None to write only, and to say where. Where a save goes on,
            that takes until a signal comes.

    Raises:
        UsageError: There is no such situation.
    """
    scenario = SCENARIOS.get(name)
    if scenario is None:
        known = ", ".join(SCENARIOS)
        raise UsageError(
            say("ckpt-tui demo: no scenario {name!r}; there are: {known}", name=name, known=known)
        )
    if directory is not None:
        return _run(scenario, directory.absolute(), view)
    with tempfile.TemporaryDirectory(prefix="ckpt-tui-") as temporary:
        return _run(scenario, Path(os.path.realpath(temporary)), view)


def _run(scenario: Scenario, directory: Path, view: DashboardOptions | None) -> int:
    stage = build(scenario, directory)
    with _writer(stage):
        return _wait(stage) if view is None else _watch(stage, directory, view)


def _writer(stage: Stage) -> AbstractContextManager[object]:
    if stage.live is None or stage.following is None:
        return contextlib.nullcontext()
    return LiveWriter(stage.live, stage.following)


def _wait(stage: Stage) -> int:
    """Says where it is; where a save goes on, waits for a signal."""
    print(stage.root, flush=True)
    if stage.live is None:
        return 0
    received: list[int] = []
    stopped = threading.Event()

    def stop(number: int, _frame: object) -> None:
        received.append(number)
        stopped.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    stopped.wait()
    return _SIGNAL_BASE + received[0]


def _watch(stage: Stage, directory: Path, view: DashboardOptions) -> int:
    from ckpt_tui.cli.judging import Judging
    from ckpt_tui.cli.live import open_dashboard

    options = Options(
        Requirements(world_size=stage.world_size), stall_after_seconds=stage.stall_after_seconds
    )
    with calls.replaced(SimulatedDisk(os.fspath(directory), stage.free_bytes)):
        return open_dashboard(
            os.fspath(stage.root),
            Judging(options),
            view,
            PlanInputs(reload_minutes=RELOAD_MINUTES, down_minutes=DOWN_MINUTES),
            history=False,
            cache=False,
            disk=say(DISK),
        )

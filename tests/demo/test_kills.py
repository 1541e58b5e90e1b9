"""The writer killed at random moments: `check` and the demo's own loader must agree.

The loader reads every byte and knows what each should be; it shares no code with the readers.
`CKPT_TUI_KILLS` sets how many moments are tried.
"""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

from ckpt_tui.demo.faults import FaultPlan
from ckpt_tui.demo.loader import resume_point
from ckpt_tui.demo.plan import DemoPlan
from ckpt_tui.demo.process import start_demo_process
from tests.cli.process import ckpt_tui

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

KILLS = int(os.environ.get("CKPT_TUI_KILLS", "6"))
PLAN = DemoPlan(
    world_size=2,
    interval_steps=10,
    shard_bytes=64 * 1024,
    train_seconds=0.02,
    save_seconds=0.15,
    restart_seconds=0.1,
    keep=4,
)


def judged(run_directory: Path) -> tuple[int | None, set[str]]:
    """The resume point's step, and all verdicts, as `check` tells them to a script."""
    document = ckpt_tui("check", run_directory, "--json", "--settle", "0").json()
    if not document["runs"]:
        return None, set()
    (run,) = document["runs"]
    verdicts = {checkpoint["verdict"] for checkpoint in run["checkpoints"]}
    return (run["resume"] or {}).get("step"), verdicts


def test_check_and_the_loader_agree_after_every_kill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moments = random.Random(7)
    seen: set[str] = set()
    unfinished = 0
    for kill in range(KILLS):
        job = start_demo_process(tmp_path, PLAN._replace(seed=3), FaultPlan())
        time.sleep(moments.uniform(0.3, 1.6))
        job.kill()
        for run_directory in (tmp_path / "sharded", tmp_path / "plain"):
            loaded = resume_point(run_directory) if run_directory.exists() else None
            step, verdicts = judged(run_directory) if run_directory.exists() else (None, set())
            assert step == (loaded[1] if loaded else None), f"kill {kill} in {run_directory.name}"
            seen |= verdicts
            unfinished += bool(verdicts - {"exact", "inexact"})
    assert seen & {"exact", "inexact"}, "the demo never got to a commit"
    with capsys.disabled():
        print(f"\n{KILLS} kills, 2 runs each: resume points agree; {unfinished} left a dead save")

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.demo.faults import FaultKind, FaultPlan
from ckpt_tui.demo.layout import saved_checkpoints
from ckpt_tui.demo.loader import LoadError, restore, resume_point
from ckpt_tui.demo.runner import run_demo
from ckpt_tui.demo.workers import DemoError

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.demo.plan import DemoPlan


def restorable_steps(run: Path) -> list[int]:
    found = []
    for saved in saved_checkpoints(run):
        try:
            found.append(restore(saved.path).step)
        except LoadError:
            continue
    return found


def pointed(run: Path) -> str:
    return (run / "latest").read_text(encoding="utf-8").strip()


def test_a_job_without_faults_leaves_good_checkpoints_and_pointers(finished_demo: Path) -> None:
    for name, last in (("sharded", "step-000060"), ("plain", "ckpt_000060.pt")):
        run = finished_demo / name
        assert restorable_steps(run) == [20, 40, 60]
        assert resume_point(run) == (run / last, 60)
        assert pointed(run) == last
        assert not list(run.rglob("*.tmp"))


def test_the_same_seed_writes_the_same_bytes(
    finished_demo: Path, tmp_path: Path, fast_plan: DemoPlan
) -> None:
    run_demo(tmp_path, fast_plan._replace(in_place=False), None, threading.Event())
    written = [path for path in finished_demo.rglob("*") if path.is_file()]
    assert len(written) > 30
    for path in written:
        copy = tmp_path / path.relative_to(finished_demo)
        if path.name != "manifest.json":
            assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("fault", "restorable", "pointer"),
    [
        (FaultKind.SAVE_STALLED, [20, 40, 60], "step-000060"),
        (FaultKind.SHARD_TRUNCATED, [20, 40], "step-000060"),
        (FaultKind.POINTER_BEHIND, [20, 40, 60], "step-000040"),
        (FaultKind.WEIGHTS_ONLY, [20, 40], "step-000060"),
    ],
)
def test_each_fault_of_the_last_save_shows(
    tmp_path: Path, fast_plan: DemoPlan, fault: FaultKind, restorable: list[int], pointer: str
) -> None:
    plan = fast_plan._replace(formats=("manifest",))
    run_demo(tmp_path, plan, FaultPlan(((3, fault),)), threading.Event())
    run = tmp_path / "sharded"
    assert restorable_steps(run) == restorable
    assert pointed(run) == pointer
    assert [saved.step for saved in saved_checkpoints(run)] == [20, 40, 60]
    if fault is FaultKind.WEIGHTS_ONLY:
        entries = json.loads((run / "step-000060" / "manifest.json").read_text())["entries"]
        assert {row["role"] for row in entries} == {"model"}


class StopAtDeath:
    """Sees what a save left behind at the moment when a rank has died."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        self.lines.append(line)
        if "died" in line:
            self.stop.set()


@pytest.mark.parametrize("in_threads", [True, False], ids=["threads", "processes"])
@pytest.mark.parametrize("fault", [FaultKind.RANK_KILLED, FaultKind.POINTER_AHEAD])
def test_a_killed_rank_leaves_an_uncommitted_save_and_the_job_goes_back(
    tmp_path: Path, fast_plan: DemoPlan, fault: FaultKind, in_threads: bool
) -> None:
    plan = fast_plan._replace(single_process=in_threads, formats=("manifest",))
    seen = StopAtDeath()
    run_demo(tmp_path, plan, FaultPlan(((2, fault),)), seen.stop, seen.say)
    run = tmp_path / "sharded"
    died = run / "step-000040"
    assert any("rank 2 died before step 40" in line for line in seen.lines)
    assert not (died / "manifest.json").exists()
    assert [path.name for path in died.glob("*.tmp")] != []
    assert pointed(run) == ("step-000040" if fault is FaultKind.POINTER_AHEAD else "step-000020")
    assert resume_point(run) == (run / "step-000020", 20)

    lines: list[str] = []
    run_demo(tmp_path, plan, None, threading.Event(), lines.append)
    assert lines[0] == "sharded: starts from step 20"
    assert restorable_steps(run) == [20, 40, 60]
    assert not list(died.glob("*.tmp"))


@pytest.mark.parametrize(("in_place", "left"), [(True, "ckpt_000040.pt"), (False, ".pt.tmp")])
def test_a_killed_plain_save_leaves_a_cut_file(
    tmp_path: Path, fast_plan: DemoPlan, in_place: bool, left: str
) -> None:
    plan = fast_plan._replace(formats=("torch-file",), in_place=in_place)
    seen = StopAtDeath()
    run_demo(tmp_path, plan, FaultPlan(((2, FaultKind.RANK_KILLED),)), seen.stop, seen.say)
    run = tmp_path / "plain"
    (cut,) = [path for path in run.iterdir() if path.name.endswith(left)]
    whole_bytes = (run / "ckpt_000020.pt").stat().st_size
    assert 0 < cut.stat().st_size < whole_bytes
    assert restorable_steps(run) == [20]
    run_demo(tmp_path, plan, None, threading.Event())
    assert restorable_steps(run) == [20, 40, 60]


def test_the_whole_scenario_ends_well(tmp_path: Path, fast_plan: DemoPlan) -> None:
    every = FaultPlan(tuple((attempt, kind) for attempt, kind in enumerate(FaultKind, start=2)))
    lines: list[str] = []
    run_demo(
        tmp_path, fast_plan._replace(steps=None, once=True), every, threading.Event(), lines.append
    )
    for name in ("sharded", "plain"):
        story = [line for line in lines if line.startswith(name)]
        assert sum("died" in line for line in story) == 2
        assert sum("fault:" in line for line in story) == 4
        point = resume_point(tmp_path / name)
        assert point is not None
        assert story[-1] == f"{name}: step {point[1]} saved"


def test_old_checkpoints_go_but_never_the_resume_point(tmp_path: Path, fast_plan: DemoPlan) -> None:
    plan = fast_plan._replace(steps=120, keep=2)
    run_demo(tmp_path, plan, None, threading.Event())
    for name in ("sharded", "plain"):
        assert [saved.step for saved in saved_checkpoints(tmp_path / name)] == [100, 120]

    plan = plan._replace(formats=("manifest",), steps=240)
    harmed = tuple((attempt, FaultKind.WEIGHTS_ONLY) for attempt in range(1, 7))
    run_demo(tmp_path, plan, FaultPlan(harmed), threading.Event())
    steps = [saved.step for saved in saved_checkpoints(tmp_path / "sharded")]
    assert steps == [120, 220, 240]
    assert restorable_steps(tmp_path / "sharded") == [120]


def test_a_job_that_cannot_write_says_so(tmp_path: Path, fast_plan: DemoPlan) -> None:
    (tmp_path / "plain" / "ckpt_000020.pt").mkdir(parents=True)
    stop = threading.Event()
    with pytest.raises(DemoError, match=r"rank 0 could not write.*ckpt_000020\.pt"):
        run_demo(tmp_path, fast_plan, None, stop)
    assert stop.is_set()


@pytest.mark.parametrize(
    "wrong",
    [
        {"world_size": 0},
        {"world_size": 513},
        {"steps": 0},
        {"interval_steps": 0},
        {"shard_bytes": 1000},
        {"shard_bytes": 0},
        {"speed": 0.0},
        {"speed": float("nan")},
        {"save_seconds": -1.0},
        {"keep": 1},
        {"formats": ()},
        {"formats": ("orbax",)},
        {"formats": ("manifest", "manifest")},
    ],
)
def test_a_plan_that_cannot_run_is_refused(
    tmp_path: Path, fast_plan: DemoPlan, wrong: dict[str, object]
) -> None:
    (field,) = wrong
    with pytest.raises(ValueError, match=field.split("_")[0]):
        run_demo(tmp_path / "d", fast_plan._replace(**wrong), None, threading.Event())
    assert not (tmp_path / "d").exists()

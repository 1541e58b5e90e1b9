from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.demo.arguments import Request, parse_arguments
from ckpt_tui.demo.background import decode_request, encode_request
from ckpt_tui.demo.faults import FaultPlan, default_faults
from ckpt_tui.demo.layout import saved_checkpoints
from ckpt_tui.demo.loader import LoadError, restore, resume_point
from ckpt_tui.demo.lock import demo_lock
from ckpt_tui.demo.plan import DemoPlan
from ckpt_tui.demo.process import DemoProcess, start_demo_process
from ckpt_tui.demo.runner import run_demo

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parents[2]
# Two ranks, each a process, saving without a pause.
BUSY = DemoPlan(world_size=2, shard_bytes=8192, train_seconds=0.0, save_seconds=0.02, keep=3)
BUSY_ARGUMENTS = (
    "--world-size=2",
    "--shard-bytes=8192",
    "--train-seconds=0",
    "--save-seconds=0.02",
)
RUNS = ("sharded", "plain")


def headless(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ckpt_tui.demo", *arguments],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=30,
    )


def test_the_headless_demo_runs_to_its_end(tmp_path: Path) -> None:
    done = headless(
        str(tmp_path / "d"),
        *("--steps", "30", "--interval", "10", "--speed", "200", "--seed", "5"),
        *("--no-faults", "--once"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "sharded: step 30 saved" in done.stdout.splitlines()
    for name in RUNS:
        assert [saved.step for saved in saved_checkpoints(tmp_path / "d" / name)] == [10, 20, 30]
        point = resume_point(tmp_path / "d" / name)
        assert point is not None
        assert point[1] == 30
        assert restore(point[0]).seed == 5


@pytest.mark.parametrize(
    "arguments",
    [[], ["d", "--steps", "x"], ["d", "--keep", "0"], ["d", "--format", "orbax"], ["d", "--what"]],
)
def test_a_wrong_command_line_is_a_usage_error(arguments: list[str]) -> None:
    done = headless(*arguments)
    assert done.returncode == 64
    assert done.stdout == ""
    assert "keep" in done.stderr or "usage:" in done.stderr
    assert not (REPOSITORY / "d").exists()


def test_arguments_become_a_plan() -> None:
    request = parse_arguments(
        [
            *("d", "--steps=9", "--interval=3", "--world-size=2", "--shard-bytes=2048", "--seed=4"),
            *("--speed=7", "--keep=5", "--format=torch-file", "--atomic", "--single-process"),
            *("--once", "--fault-rate=0.5"),
        ]
    )
    assert request.directory == Path("d")
    assert request.plan == DemoPlan(
        steps=9,
        interval_steps=3,
        world_size=2,
        shard_bytes=2048,
        speed=7.0,
        seed=4,
        formats=("torch-file",),
        in_place=False,
        single_process=True,
        once=True,
        keep=5,
    )
    assert request.faults == default_faults()._replace(random_rate=0.5, seed=4)
    assert parse_arguments(["d"]) == Request(Path("d"), DemoPlan(), default_faults())
    assert parse_arguments(["d", "--no-faults"]).faults == FaultPlan()


def test_a_request_survives_its_way_to_the_background() -> None:
    request = Request(Path("/somewhere"), BUSY, default_faults())
    assert decode_request(encode_request(request)) == request


def wait_until_saved(process: subprocess.Popen[str], count: int) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        count -= line.startswith("sharded") and "saved" in line
        if count <= 0:
            return
    raise AssertionError("the demo ended before it had saved")


@pytest.fixture
def busy_demo(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "ckpt_tui.demo", str(tmp_path), "--no-faults", *BUSY_ARGUMENTS],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_job_and_its_ranks(
    busy_demo: subprocess.Popen[str], tmp_path: Path, number: signal.Signals
) -> None:
    wait_until_saved(busy_demo, 2)
    os.killpg(busy_demo.pid, number)
    assert busy_demo.wait(10) == (130 if number is signal.SIGINT else 143)
    with demo_lock(tmp_path, timeout_seconds=0):
        assert resume_point(tmp_path / "sharded") is not None


def test_ranks_end_with_a_job_that_is_killed_alone(
    busy_demo: subprocess.Popen[str], tmp_path: Path
) -> None:
    wait_until_saved(busy_demo, 2)
    busy_demo.kill()
    with demo_lock(tmp_path, timeout_seconds=10):
        assert resume_point(tmp_path / "sharded") is not None


def test_one_directory_has_one_demo(busy_demo: subprocess.Popen[str], tmp_path: Path) -> None:
    wait_until_saved(busy_demo, 1)
    with pytest.raises(BlockingIOError, match="another demo writes there"), demo_lock(tmp_path, 0):
        pass


def let_run(demo: DemoProcess) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        demo.wait(0.003)


def highest_step(run: Path) -> int:
    return max((saved.step for saved in saved_checkpoints(run)), default=0)


def newest_step(run: Path) -> int:
    """The newest restorable step, by every way of asking."""
    steps = [0]
    for saved in saved_checkpoints(run):
        try:
            state = restore(saved.path)
        except LoadError:
            # Without faults, whatever carries a manifest must be whole.
            assert not (saved.path / "manifest.json").exists(), saved
            continue
        assert state.step == saved.step
        steps.append(state.step)
    point = resume_point(run)
    assert max(steps) == (point[1] if point else 0)
    return max(steps)


def test_kill_9_of_the_whole_group_never_leaves_a_doubt(tmp_path: Path) -> None:
    newest = dict.fromkeys(RUNS, 0)
    for turn in range(6):
        demo = start_demo_process(tmp_path, BUSY, FaultPlan())
        moved = tmp_path / RUNS[turn % 2]
        # Another moment each time: when this many more steps are there, and a bit.
        while highest_step(moved) < newest[moved.name] + 20 * (1 + turn):
            let_run(demo)
        assert demo.kill() == ""
        for name in RUNS:
            now = newest_step(tmp_path / name)
            assert now >= newest[name]
            newest[name] = now
    assert min(newest.values()) >= 40
    run_demo(
        tmp_path,
        BUSY._replace(steps=newest["sharded"] + 40, single_process=True, formats=("manifest",)),
        None,
        threading.Event(),
    )
    assert newest_step(tmp_path / "sharded") >= newest["sharded"] + 40


def test_stopping_the_background_demo_leaves_no_writer(tmp_path: Path) -> None:
    demo = start_demo_process(tmp_path, BUSY)
    while not saved_checkpoints(tmp_path / "sharded"):
        let_run(demo)
    assert demo.stop() == ""
    assert not demo.running()
    assert demo.wait(0) == 0
    assert demo.stop() == demo.kill() == ""
    with demo_lock(tmp_path, timeout_seconds=0):
        pass

"""Writers that are killed at random moments: whatever they leave is judged by the framework."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
import torch

from tests.framework.dcp_jobs import FORK, dcp_says, in_ranks, save_alone, save_sharded
from tests.framework.states import training_state
from tests.framework.tally import our_verdict
from tests.framework.test_torch_files import torch_says

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.framework.tally import Tally

pytestmark = pytest.mark.frameworks

SAVES = 40
ROWS = 30_000
KILLS = 12
SHARDED_KILLS = 6
LONGEST_SECONDS = 0.4


def content_of(step: int) -> dict[str, Any]:
    """A state of 4 MB, so that a kill often lands inside a save."""
    state = training_state(0)
    state["model"]["ballast"] = torch.zeros(1_000_000)
    return {**state, "step": step}


def write_torch_files(directory: Path) -> None:
    for step in range(1, SAVES):
        torch.save(content_of(step), directory / f"ckpt_{step:06d}.pt")


def write_dcp(directory: Path) -> None:
    for step in range(1, SAVES):
        save_alone(directory / f"step-{step}", step, rows=ROWS)


def write_sharded(directory: Path) -> None:
    for step in range(1, SAVES):
        save_sharded(directory / f"step-{step}", step, rows=ROWS)


def kill(writers: list[Any], first: Path, seed: int) -> None:
    """Kills the writers at a random moment after the first file is there."""
    chance = random.Random(seed)
    while not first.exists() and writers[0].is_alive():
        writers[0].join(timeout=0.005)
    writers[0].join(timeout=chance.uniform(0, LONGEST_SECONDS))
    for writer in chance.sample(writers, len(writers)):
        writer.kill()
    for writer in writers:
        writer.join()


def started(work: Callable[[Path], None], directory: Path) -> Any:
    writer = FORK.Process(target=work, args=(directory,))
    writer.start()
    return writer


@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_torch_save(tmp_path: Path, tally: Tally, seed: int) -> None:
    kill([started(write_torch_files, tmp_path)], tmp_path / "ckpt_000001.pt", seed)
    for path in last_of(tmp_path):
        says = torch_says(path, content_of(step_of(path)))
        tally.add(f"killed torch.save {seed}, {path.name}", says, our_verdict(path))
    tally.assert_right()


@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_dcp_save(tmp_path: Path, tally: Tally, seed: int) -> None:
    kill([started(write_dcp, tmp_path)], tmp_path / "step-1", seed)
    for path in last_of(tmp_path):
        says = dcp_says(path, step_of(path), rows=ROWS, ranks=1)
        tally.add(f"killed dcp.save {seed}, {path.name}", says, our_verdict(path))
    tally.assert_right()


@pytest.mark.parametrize("seed", range(SHARDED_KILLS))
def test_killed_ranks(tmp_path: Path, tally: Tally, seed: int) -> None:
    run = tmp_path / "run"
    kill(in_ranks(write_sharded, run), run / "step-1", seed)
    for path in last_of(run):
        says = dcp_says(path, step_of(path), rows=ROWS)
        tally.add(f"killed ranks {seed}, {path.name}", says, our_verdict(path))
    tally.assert_right()


def step_of(path: Path) -> int:
    return int("".join(filter(str.isdigit, path.stem)))


def last_of(directory: Path) -> list[Path]:
    """The last whole checkpoints and the one that was cut."""
    return sorted(directory.iterdir(), key=step_of)[-4:] if directory.exists() else []

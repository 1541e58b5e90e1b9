from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.artifacts import hostile

ROOT = Path(__file__).parents[2]


class Outcome(NamedTuple):
    result: str
    unsafe: list[str]
    seconds: float


class Run(NamedTuple):
    outcomes: dict[str, Outcome]
    directory: Path
    status: int


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    directory = tmp_path_factory.mktemp("hostile")
    done = subprocess.run(
        [sys.executable, "-m", "tests.artifacts.hostile"],
        cwd=directory,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    lines = map(json.loads, done.stdout.splitlines())
    return Run({name: Outcome(*rest) for name, *rest in lines}, directory, done.returncode)


def test_nothing_crashes_and_no_code_runs(run: Run) -> None:
    assert run.status == 0
    assert list(run.directory.iterdir()) == []


@pytest.mark.parametrize("name", hostile.CALLS)
def test_a_call_is_named_and_not_made(run: Run, name: str) -> None:
    outcome = run.outcomes[name]
    assert outcome.result == "value"
    assert outcome.unsafe


@pytest.mark.parametrize("name", hostile.REFUSED)
def test_a_bomb_is_refused_in_time(run: Run, name: str) -> None:
    outcome = run.outcomes[name]
    assert outcome.result in ("limit-exceeded", "unreadable-archive", "truncated-file")
    # One look at the clock lies between: at most one step of 64 keys or 20,000 opcodes.
    assert outcome.seconds < 3 * hostile.CPU_SECONDS


@pytest.mark.parametrize("name", hostile.ACCEPTED)
def test_an_odd_pickle_is_a_value_in_time(run: Run, name: str) -> None:
    outcome = run.outcomes[name]
    assert outcome.result == "value"
    assert outcome.seconds < 3 * hostile.CPU_SECONDS

"""Real jobs of every framework, killed: what they leave is judged by the framework's own loader.

A small part of `python -m tests.framework.judge`, see docs/framework-agreement.md.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.framework.bounded_run import add_to, bounded_run
from tests.framework.jobs import TORCH
from tests.framework.judge.agreement import killed
from tests.framework.judge.rounds import Habits

if TYPE_CHECKING:
    from tests.framework.judge.long_run import LongRun
    from tests.framework.tally import Tally

pytestmark = pytest.mark.frameworks

ROUNDS = 3
SAVES = 3
FEWEST_KILLED_STATES = 60


@pytest.fixture(scope="session")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> LongRun:
    pythons = dict.fromkeys(TORCH, sys.executable)
    return bounded_run(tmp_path_factory.mktemp("judge"), pythons, ROUNDS, Habits(SAVES))


@pytest.mark.parametrize("job", TORCH)
def test_job(long_run: LongRun, tally: Tally, job: str) -> None:
    add_to(tally, long_run, job)


def test_enough_were_killed(long_run: LongRun) -> None:
    assert len(killed(long_run.journal.states)) >= FEWEST_KILLED_STATES

"""Real jobs of every framework, killed: what they leave is judged by the framework's own loader.

A small part of `python -m tests.framework.judge`, see docs/framework-agreement.md.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.framework.jobs import MODULES, job_named
from tests.framework.judge.agreement import killed
from tests.framework.judge.journal import Journal
from tests.framework.judge.long_run import LongRun, Plan

if TYPE_CHECKING:
    from tests.framework.tally import Tally

pytestmark = pytest.mark.frameworks

ROUNDS = 3
SAVES = 3
MINUTES = 15.0
FEWEST_KILLED_STATES = 60


@pytest.fixture(scope="session")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> LongRun:
    """Every second configuration of each job: one undisturbed run, and some that are killed."""
    journal = Journal(tmp_path_factory.mktemp("judge") / "journal.jsonl")
    names = {job: [each.name for each in job_named(job).configurations[::2]] for job in MODULES}
    plan = Plan(
        names,
        states=1000,
        minutes=MINUTES,
        rounds=ROUNDS,
        parallel=os.cpu_count() or 1,
        saves=SAVES,
    )
    played = LongRun(journal, plan)
    played.play()
    return played


@pytest.mark.parametrize("job", MODULES)
def test_job(long_run: LongRun, tally: Tally, job: str) -> None:
    failures = [errors for key, errors in long_run.failures.items() if key[0] == job]
    assert not failures, failures
    states = [state for state in long_run.journal.states if state.job == job]
    assert states
    for state in states:
        tally.add_state(state)
    tally.assert_right()


def test_enough_were_killed(long_run: LongRun) -> None:
    assert len(killed(long_run.journal.states)) >= FEWEST_KILLED_STATES

"""Real jobs of JAX, TensorFlow and Keras, killed: the framework's own loader is the judge.

A small part of `python -m tests.framework.judge --family jax`, see docs/framework-agreement-jax.md.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.framework.bounded_run import add_to, bounded_run
from tests.framework.judge.agreement import killed
from tests.framework.judge.rounds import Habits

if TYPE_CHECKING:
    from tests.framework.judge.long_run import LongRun
    from tests.framework.tally import Tally

PYTHON = os.environ.get("CKPT_TUI_JAX_PYTHON", "")

pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.skipif(
        not PYTHON,
        reason="CKPT_TUI_JAX_PYTHON names no interpreter that has the extra frameworks-jax",
    ),
]

JOBS = ("orbax", "orbax-saver", "flax", "jax-loops", "tensorflow", "keras", "keras-orbax")
ROUNDS = 2
HABITS = Habits(saves=3, losses=2)
FEWEST_KILLED_STATES = 30


@pytest.fixture(scope="session")
def jax_run(tmp_path_factory: pytest.TempPathFactory) -> LongRun:
    pythons = dict.fromkeys(JOBS, PYTHON)
    return bounded_run(tmp_path_factory.mktemp("judge-jax"), pythons, ROUNDS, HABITS)


@pytest.mark.parametrize("job", JOBS)
def test_job(jax_run: LongRun, tally: Tally, job: str) -> None:
    add_to(tally, jax_run, job)


def test_enough_were_killed(jax_run: LongRun) -> None:
    assert len(killed(jax_run.journal.states)) >= FEWEST_KILLED_STATES

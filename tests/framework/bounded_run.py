"""A small part of `python -m tests.framework.judge`, for the tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.framework.jobs import job_named
from tests.framework.judge.journal import Journal
from tests.framework.judge.long_run import LongRun, Plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.framework.judge.rounds import Habits
    from tests.framework.tally import Tally

EVERY = 2
MINUTES = 15.0
MORE_THAN_ENOUGH_STATES = 1000


def bounded_run(
    directory: Path, pythons: Mapping[str, str], rounds: int, habits: Habits
) -> LongRun:
    """Every second configuration of each job: an undisturbed run, and some that are killed.

    Args:
        directory: Takes the journal.
        pythons: Job → the interpreter that has its framework.
        rounds: Killed runs of each configuration.
        habits: How the rounds are played.
    """
    names = {job: [each.name for each in job_named(job).configurations[::EVERY]] for job in pythons}
    limits = (MORE_THAN_ENOUGH_STATES, MINUTES, rounds, os.cpu_count() or 1)
    played = LongRun(Journal(directory / "journal.jsonl"), Plan(names, habits, *limits, pythons))
    played.play()
    return played


def add_to(tally: Tally, played: LongRun, job: str) -> None:
    """Counts what was judged of one job; fails where we were wrong, or nothing was judged."""
    failures = [errors for key, errors in played.failures.items() if key[0] == job]
    assert not failures, failures
    states = [state for state in played.journal.states if state.job == job]
    assert states
    for state in states:
        tally.add_state(state)
    tally.assert_right()

"""States that were kept are judged by us once more; the framework's answers stay."""

from __future__ import annotations

import sys
from itertools import groupby
from typing import TYPE_CHECKING

from tests.framework.jobs import configuration_of, job_named
from tests.framework.judge.rounds import NEVER_ASKED, kept_name
from tests.framework.judge.verdicts import Judging

if TYPE_CHECKING:
    from pathlib import Path

    from tests.framework.judge.journal import Journal
    from tests.framework.judge.rounds import State


def judge_again(journal: Journal, keep: Path) -> None:
    """Replaces our verdicts in the journal's states; the journal's file is not written.

    Args:
        journal: Holds the states.
        keep: Where they were kept; those that are not there stay as they are.
    """
    judging = Judging(sys.executable)
    fresh: list[State] = []
    for name, group in groupby(journal.states, kept_name):
        states, run = list(group), keep.absolute() / name / "run"
        if not run.is_dir():
            fresh += states
            continue
        job = job_named(states[0].job)
        attempts = job.checkpoints(run, configuration_of(job, states[0].configuration))
        paths = {run / state.checkpoint: state for state in states}
        for path, (in_run, alone) in judging.of(run, list(paths), attempts).items():
            stray = states[0]._replace(checkpoint=path.name, newest=False, framework=NEVER_ASKED)
            fresh.append(paths.get(path, stray)._replace(ours=in_run, alone=alone))
    journal.states = fresh

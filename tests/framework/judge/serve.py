"""`python -m tests.framework.judge.serve JOB PIPE JUDGE`: a worker's process.

It imports the job's framework, forks per run and per load, and has the verdicts from a process of
the interpreter JUDGE.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import sys
import traceback
from multiprocessing.connection import Connection

from tests.framework.jobs import JOBS, configuration_of, job_named
from tests.framework.jobs.imports import import_all
from tests.framework.judge.rounds import Rounds
from tests.framework.judge.verdicts import Judging
from tests.framework.judge.workers import Answer
from tests.framework.judge.writers import adopt_orphans


def main() -> None:
    """Plays the rounds that the pipe asks for, until it closes."""
    name, pipe_number, judge = sys.argv[1:]
    pipe = Connection(int(pipe_number))
    adopt_orphans()
    judging = Judging(judge)
    import_all(JOBS[name].preloaded)
    with contextlib.suppress(EOFError):
        rounds = Rounds(job_named(name), judging, pipe.recv())
        while True:
            pipe.send(_played(rounds, *pipe.recv()))


def _played(rounds: Rounds, configuration: str, seed: int, known: bool) -> Answer:
    distribution = JOBS[rounds.job.name].distribution
    try:
        version = f"{distribution} {importlib.metadata.version(distribution)}"
        states = rounds.play(configuration_of(rounds.job, configuration), seed, known=known)
    except Exception as error:
        traceback.print_exc()
        return Answer([], error=f"{type(error).__name__}: {error}")
    return Answer(states, version)


if __name__ == "__main__":
    main()

"""One forked process per job that has imported its framework, and forks per run and per load."""

from __future__ import annotations

import contextlib
import importlib.metadata
import multiprocessing
import os
import signal
import traceback
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.framework.jobs import DISTRIBUTIONS, PRELOADED, configuration_of, job_named
from tests.framework.jobs.imports import import_all
from tests.framework.jobs.ranks import fork
from tests.framework.judge.rounds import Rounds
from tests.framework.judge.writers import adopt_orphans

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

    from tests.framework.judge.rounds import State

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


class Answer(NamedTuple):
    """What a worker says of one round.

    Attributes:
        states: What it judged.
        error: Why the round could not be played, or "".
        died: Whether the worker is gone.
    """

    states: list[State]
    error: str = ""
    died: bool = False


class Worker:
    """The process of one job.

    Args:
        name: The job's.
        saves: How many checkpoints each run writes if nobody disturbs it.
        keep: Where states that we and the framework disagree on are kept; None for nowhere.
        log: The file that takes the process's own output.
    """

    def __init__(self, name: str, saves: int, keep: Path | None, log: Path) -> None:
        self.name = name
        os.environ.update(ONE_THREAD)  # threads and forks do not go together
        self.pipe, theirs = multiprocessing.Pipe()

        def work() -> None:
            self.pipe.close()
            _serve(theirs, Rounds(job_named(name), saves, keep))

        self._process = fork(work, group=0, log=log)
        theirs.close()

    def ask(self, configuration: str, seed: int) -> None:
        """Begins one round."""
        self.pipe.send((configuration, seed))

    def answer(self) -> Answer:
        """Waits for the round's end."""
        try:
            answer: Answer = self.pipe.recv()
        except (EOFError, ConnectionError):
            return Answer([], "the worker died", died=True)
        return answer

    def stop(self) -> None:
        """Ends the process, and waits for it."""
        self.pipe.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGTERM)
        os.waitpid(self._process, 0)


def _serve(pipe: Connection, rounds: Rounds) -> None:
    adopt_orphans()
    import_all(PRELOADED[rounds.job.name])
    with contextlib.suppress(EOFError):
        while True:
            pipe.send(_played(rounds, *pipe.recv()))


def _played(rounds: Rounds, configuration: str, seed: int) -> Answer:
    try:
        return Answer(rounds.play(configuration_of(rounds.job, configuration), seed))
    except Exception as error:
        traceback.print_exc()
        return Answer([], f"{type(error).__name__}: {error}")


def version_of(name: str) -> str:
    """The installed version of a job's framework."""
    distribution: Any = DISTRIBUTIONS[name]
    return f"{distribution} {importlib.metadata.version(distribution)}"

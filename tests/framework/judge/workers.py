"""One process per job, of the interpreter that has its framework, and its process of verdicts."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from tests.framework.jobs.ranks import QUIET_ON_CPU
from tests.framework.judge.verdicts import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.framework.judge.rounds import Habits, State

# Threads and forks do not go together.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


class Answer(NamedTuple):
    """What a worker says of one round.

    Attributes:
        states: What it judged.
        version: Of the framework.
        error: Why the round could not be played, or "".
        died: Whether the worker is gone.
    """

    states: list[State]
    version: str = ""
    error: str = ""
    died: bool = False


class Worker:
    """The process of one job.

    Args:
        name: The job's.
        habits: How it plays its rounds.
        python: The interpreter that has the job's framework.
        log: The file that takes the process's own output.
    """

    def __init__(self, name: str, habits: Habits, python: str, log: Path) -> None:
        self.name = name
        self.pipe, theirs = multiprocessing.Pipe()
        program = [python, "-m", "tests.framework.judge.serve", name]
        with log.open("a") as output:
            self._process = subprocess.Popen(
                [*program, str(theirs.fileno()), sys.executable],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=ROOT,
                env={**os.environ, **ONE_THREAD, **QUIET_ON_CPU},
                process_group=0,
            )
        theirs.close()
        self.pipe.send(habits)

    def ask(self, configuration: str, seed: int, *, known: bool) -> None:
        """Begins one round.

        Args:
            configuration: Its name.
            seed: Which round.
            known: Whether the undisturbed run was judged already.
        """
        with contextlib.suppress(BrokenPipeError):  # the answer will tell
            self.pipe.send((configuration, seed, known))

    def answer(self) -> Answer:
        """Waits for the round's end."""
        try:
            answer: Answer = self.pipe.recv()
        except (EOFError, ConnectionError):
            return Answer([], error="the worker died", died=True)
        return answer

    def stop(self) -> None:
        """Ends the process, and waits for it."""
        self.pipe.close()
        self._process.terminate()
        self._process.wait()

"""Asks the framework, in a forked child, to load one checkpoint."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from typing import TYPE_CHECKING

from tests.framework.jobs.base import Outcome
from tests.framework.jobs.imports import imports_noted
from tests.framework.jobs.ranks import fork, outcome_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.framework.jobs.base import Configuration, Job

LOAD_SECONDS = 90.0


def load(job: Job, checkpoint: Path, configuration: Configuration, log: Path) -> Outcome:
    """What the framework does; a crash or a hang is an outcome, too."""
    reading, writing = os.pipe()

    def work() -> None:
        os.close(reading)
        with imports_noted(log.with_suffix(".imports")):
            outcome = outcome_of(lambda: job.load(checkpoint, configuration))
        os.write(writing, json.dumps(outcome).encode())

    child = fork(work, group=0, log=log)
    os.close(writing)
    answer = _read(reading, LOAD_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-child, 0)
    if not answer:
        return Outcome(False, False, False, "Died: the loader crashed, or did not return in time")
    return Outcome(*json.loads(answer))


def _read(end: int, timeout_seconds: float) -> bytes:
    """One message, at most some hundred bytes."""
    deadline = time.monotonic() + timeout_seconds
    with open(end, "rb", buffering=0) as pipe:
        ready = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]
        return pipe.read(65536) or b"" if ready else b""

"""The ranks of one job, running as real processes of one process group."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import time
from typing import TYPE_CHECKING

from tests.framework.jobs.imports import imports_noted
from tests.framework.jobs.ranks import fork_ranks

if TYPE_CHECKING:
    from pathlib import Path

    from tests.framework.jobs.base import Configuration, Job

_BECOME_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h


def adopt_orphans() -> None:
    """From now on processes that our descendants leave behind are ours to wait for."""
    ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, 1, 0, 0, 0)


class Writers:
    """Starts the ranks at once.

    Args:
        job: What they run.
        configuration: How they save.
        directory: The run's directory.
        saves: How many checkpoints each writes.
        log: The file that takes their output.
        file_bytes: No file may grow beyond it; 0 for any size.
    """

    def __init__(
        self,
        job: Job,
        configuration: Configuration,
        directory: Path,
        saves: int,
        log: Path,
        file_bytes: int = 0,
    ) -> None:
        def work(rank: int) -> None:
            if file_bytes:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
            with imports_noted(log.with_suffix(f".imports{rank}")):
                job.train(directory, configuration, saves)

        self.ranks = fork_ranks(configuration.ranks, work, own_group=True, log=log)
        self.statuses: dict[int, int] = {}

    @property
    def finished(self) -> bool:
        """All ranks have ended, whatever way."""
        self._reap(os.WNOHANG)
        return len(self.statuses) == len(self.ranks)

    @property
    def succeeded(self) -> bool:
        """All ranks have ended without an error."""
        return self.finished and not any(self.statuses.values())

    def wait(self, seconds: float) -> bool:
        """Waits for their end; says whether it came in time."""
        deadline = time.monotonic() + seconds
        while not self.finished and time.monotonic() < deadline:
            time.sleep(0.005)
        return self.finished

    def signal_rank(self, rank: int, number: signal.Signals) -> None:
        """Sends a signal to one rank alone."""
        if self.ranks[rank] not in self.statuses:
            os.kill(self.ranks[rank], number)

    def kill_all(self) -> None:
        """SIGKILL for the whole group, helpers of the ranks included; returns when all are gone."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.ranks[0], signal.SIGKILL)
        self._reap(0)

    def _reap(self, how: int) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                process, status = os.waitpid(-self.ranks[0], how)
                if not process:
                    return
                if process in self.ranks:
                    self.statuses[process] = status

"""The ways in which writers die here."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
from enum import StrEnum
from typing import TYPE_CHECKING

from tests.framework.judge.moments import Watch
from tests.framework.judge.writers import Writers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.framework.jobs.base import Configuration, Job
    from tests.framework.judge.moments import Profile

RUN_SECONDS = 90.0
SURVIVORS_SECONDS = 3.0
QUIET_SECONDS = 0.4
PAGE_BYTES = 4096


class Death(StrEnum):
    """What happens to the writers."""

    NONE = "undisturbed"
    ALL_RANKS = "all ranks killed"
    ONE_RANK = "one rank killed"
    ONE_STOPPED = "one rank stopped, then all killed"
    DISK_FULL = "disk full"
    ROTATION = "killed in a rotation"
    LOSS = "a file of a finished one lost"

    @property
    def kills(self) -> bool:
        """Writers died of it."""
        return self not in (Death.NONE, Death.LOSS)


def deaths_of(configuration: Configuration, profile: Profile) -> tuple[Death, ...]:
    """What can happen to writers of this configuration; the frequent ones are named twice."""
    several = (Death.ONE_RANK, Death.ONE_STOPPED) * (configuration.ranks > 1)
    rotation = (Death.ROTATION,) * (2 * (profile.removed > 0))
    return (Death.ALL_RANKS, Death.ALL_RANKS, Death.DISK_FULL, *several, *rotation)


@contextlib.contextmanager
def small_disk(directory: Path, size_bytes: int) -> Iterator[bool]:
    """A file system of that size at the directory; says False where mounting is not allowed."""
    directory.mkdir(parents=True)
    size = max(PAGE_BYTES, size_bytes // PAGE_BYTES * PAGE_BYTES)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(directory)]
    mounted = os.geteuid() == 0 and subprocess.run(command, capture_output=True).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(directory)], capture_output=True, check=True)


class Fate:
    """How one run of a job ends; everything random comes from the seed."""

    def __init__(
        self, job: Job, configuration: Configuration, seed: int, profile: Profile, saves: int
    ) -> None:
        self.job, self.configuration, self.saves = job, configuration, saves
        self.chance = random.Random(f"{job.name}/{configuration.name}/{seed}")
        self.profile = profile
        self.death = self.chance.choice(deaths_of(configuration, profile))

    @contextlib.contextmanager
    def befalls(self, directory: Path, log: Path) -> Iterator[str]:
        """Runs the writers to their death; the directory stays as left while the context lasts.

        Yields:
            What happened, in words.
        """
        if self.death is Death.DISK_FULL:
            share = self.chance.uniform(0.1, 0.98)
            with small_disk(directory, int(self.profile.peak_bytes * share)) as mounted:
                limit = 0 if mounted else int(self.profile.largest_bytes * share)
                self._fill(directory, log, limit)
                kind = "tmpfs" if mounted else "RLIMIT_FSIZE"
                yield f"{kind} of {share:.0%} of what it writes"
        else:
            yield self._strike(directory, log)

    def _start(self, directory: Path, log: Path, file_bytes: int = 0) -> Writers:
        return Writers(self.job, self.configuration, directory, self.saves, log, file_bytes)

    def _fill(self, directory: Path, log: Path, file_bytes: int) -> None:
        writers = self._start(directory, log, file_bytes)
        deadline = time.monotonic() + RUN_SECONDS
        while not writers.wait(0.02) and not writers.statuses and time.monotonic() < deadline:
            pass
        writers.wait(SURVIVORS_SECONDS)  # they may wait for the rank that failed for ever
        writers.kill_all()

    def _strike(self, directory: Path, log: Path) -> str:
        moment = self.profile.moment(self.chance, rotation=self.death is Death.ROTATION)
        rank = self.chance.randrange(self.configuration.ranks)
        watch, writers = Watch(directory), self._start(directory, log)
        watch.until(moment, writers, RUN_SECONDS)
        if writers.finished:
            self.death = Death.NONE  # it came too late
        elif self.death is Death.ONE_RANK:
            writers.signal_rank(rank, signal.SIGKILL)
            writers.wait(SURVIVORS_SECONDS)
        elif self.death is Death.ONE_STOPPED:
            writers.signal_rank(rank, signal.SIGSTOP)
            watch.until_quiet(writers, QUIET_SECONDS, SURVIVORS_SECONDS)
        writers.kill_all()
        of_rank = f", rank {rank}" if "one rank" in self.death else ""
        return f"{moment.trigger} {moment.count} + {moment.seconds:.3f} s{of_rank}"

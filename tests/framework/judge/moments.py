"""When to strike: at a random time, or once the run's directory has changed so many times."""

from __future__ import annotations

import os
import re
import time
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from tests.framework.judge.writers import Writers

POLL_SECONDS = 0.0005
AT_ONCE_SHARE = 0.3
BY_TIME_SHARE = 0.3
MEAN_REMOVAL_SECONDS = 0.01
# What is renamed at the end of its own writing, or was a lock: its going is no rotation.
_TEMPORARY = re.compile(r"te?mp|__lock")


class Trigger(StrEnum):
    """What is waited for."""

    TIME = "time"
    ADDED = "added"
    REMOVED = "removed"


class Moment(NamedTuple):
    """A moment in the life of a run.

    Attributes:
        trigger: What is waited for.
        count: How many paths were added or removed by then.
        seconds: How long after that.
    """

    trigger: Trigger
    count: int
    seconds: float


class Profile(NamedTuple):
    """What a run does when nobody disturbs it.

    Attributes:
        seconds: From its first path to its end.
        added: Paths that appeared.
        removed: Paths that vanished, those under temporary names aside.
        peak_bytes: The most that lay in its directory at one time.
        largest_bytes: Its largest file.
    """

    seconds: float
    added: int
    removed: int
    peak_bytes: int
    largest_bytes: int

    def moment(self, chance: random.Random, *, rotation: bool = False) -> Moment:
        """A random moment; in a rotation, one right after a removal."""
        at_once = chance.random() < AT_ONCE_SHARE
        if rotation:
            delay = chance.expovariate(1 / MEAN_REMOVAL_SECONDS)
            return Moment(Trigger.REMOVED, chance.randint(1, self.removed), delay * (not at_once))
        if chance.random() < BY_TIME_SHARE:
            return Moment(Trigger.TIME, 0, chance.uniform(0, self.seconds))
        delay = chance.uniform(0, 1.5 * self.seconds / self.added)
        return Moment(Trigger.ADDED, chance.randint(1, self.added), delay * (not at_once))


class Watch:
    """Looks at the run's directory again and again, and counts what came and went."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.seen: dict[str, int] = {}
        self.added = self.removed = self.peak_bytes = self.largest_bytes = 0
        self.started = self.changed = time.monotonic()

    def look(self) -> None:
        """One look."""
        now: dict[str, int] = {}
        _sizes(str(self.directory), now)
        if now != self.seen:
            self.changed = time.monotonic()
            if not self.added:
                self.started = self.changed
        self.added += len(now.keys() - self.seen.keys())
        gone = (os.path.relpath(path, self.directory) for path in self.seen.keys() - now.keys())
        self.removed += sum(not _TEMPORARY.search(path) for path in gone)
        self.peak_bytes = max(self.peak_bytes, sum(now.values()))
        self.largest_bytes = max(self.largest_bytes, *now.values(), 0)
        self.seen = now

    def _reached(self, moment: Moment) -> bool:
        counts = {Trigger.TIME: min(1, self.added), Trigger.ADDED: self.added}
        return counts.get(moment.trigger, self.removed) >= max(1, moment.count)

    def until(self, moment: Moment, writers: Writers, timeout_seconds: float) -> None:
        """Returns at the moment, at the writers' end, or when it takes too long."""
        deadline = time.monotonic() + timeout_seconds
        while not self._reached(moment) and time.monotonic() < deadline:
            if writers.finished:
                return
            self.look()
            time.sleep(POLL_SECONDS)
        writers.wait(moment.seconds)

    def until_quiet(self, writers: Writers, quiet_seconds: float, timeout_seconds: float) -> None:
        """Returns when nothing has changed for a while, or when it takes too long."""
        deadline = time.monotonic() + timeout_seconds
        self.changed = time.monotonic()
        while time.monotonic() < deadline and not writers.finished:
            self.look()
            if time.monotonic() - self.changed > quiet_seconds:
                return
            time.sleep(0.005)

    def whole_run(self, writers: Writers, timeout_seconds: float) -> Profile:
        """Follows an undisturbed run to its end."""
        deadline = time.monotonic() + timeout_seconds
        while not writers.finished and time.monotonic() < deadline:
            self.look()
            time.sleep(POLL_SECONDS)
        self.look()
        seconds = time.monotonic() - self.started
        return Profile(seconds, self.added, self.removed, self.peak_bytes, self.largest_bytes)


def _sizes(directory: str, found: dict[str, int]) -> None:
    """Size of every path below a directory that is being written."""
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    found[entry.path] = 0
                    _sizes(entry.path, found)
                else:
                    found[entry.path] = entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        return

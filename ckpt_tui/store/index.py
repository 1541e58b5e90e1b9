"""The live index of runs and checkpoints that every front end asks.

Events are hints: they name paths that may have changed. The truth is the next look: list, compare,
read what differs, judge, and hand out an immutable picture.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.collector import collector_rare
from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.shared.roles import synonyms_in_use
from ckpt_tui.fs import calls
from ckpt_tui.store.members import Options
from ckpt_tui.store.moment import Moment
from ckpt_tui.store.picture import Picture
from ckpt_tui.store.ports import NoCache, NoResults
from ckpt_tui.store.record import Records
from ckpt_tui.store.refresh import Refresher
from ckpt_tui.store.search import Search
from ckpt_tui.store.unfinished import Unfinished
from ckpt_tui.store.verified import Verifications

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Reading, Snapshot
    from ckpt_tui.store.ports import FactsCache, ResultsSource

HOT_CHECKPOINTS_PER_RUN = 2

DEFAULT_OPTIONS = Options()
DEFAULT_LIMITS = Limits()


class Store:
    """Runs and checkpoints below one root.

    Args:
        root: A directory, or one checkpoint (a directory or a file).
        options: Required roles, world size, stall limits.
        limits: Bounds of every read.
        cache: Facts that were read before; None for none.
        results: What `verify` found before; None for none.
        wall: Clock in seconds since the epoch.
        monotonic: Clock that never steps, seconds.
    """

    def __init__(
        self,
        root: str,
        options: Options = DEFAULT_OPTIONS,
        *,
        limits: Limits = DEFAULT_LIMITS,
        cache: FactsCache | None = None,
        results: ResultsSource | None = None,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        path = os.path.abspath(root)
        # A link to a file is judged as the file, which may lie in another directory.
        self.root = calls.realpath(path) if calls.is_file(path) else path
        self.options = options
        self._wall = wall
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._records = Records(self.root)
        self._cache = cache or NoCache()
        self._verifications = Verifications(self.root, self._records, results or NoResults())
        refresher = Refresher(self.root, self._records, limits, self._cache, self._verifications)
        self._search = Search(self.root, self._records, refresher, self._now)
        self._picture = Picture(self.root, self._records)

    def roots(self) -> tuple[str, ...]:
        """The directories that the snapshot is about."""
        return (self.root,)

    def saving(self) -> bool:
        """True while any checkpoint is in flight."""
        return any(run.in_flight for run in self._picture.snapshot.runs)

    def hot_paths(self) -> tuple[str, ...]:
        """Run directories, saves in flight and the newest few checkpoints."""
        return self._hot_paths(self._picture.snapshot.runs)

    def growing_paths(self) -> tuple[str, ...]:
        """The hot paths of the runs that have a save in flight."""
        return self._hot_paths(run for run in self._picture.snapshot.runs if run.in_flight)

    def run_paths(self) -> tuple[str, ...]:
        """The directories of all runs."""
        return tuple({run.path for run in self._picture.snapshot.runs})

    def _hot_paths(self, runs: Iterable[Run]) -> tuple[str, ...]:
        """With all that waits for a second look."""
        hot: list[str] = []
        for run in runs:
            hot.append(run.path)
            hot.extend(c.path for c in run.checkpoints[:HOT_CHECKPOINTS_PER_RUN])
            hot.extend(c.path for c in run.checkpoints if c.progress is not None)
        hot.extend(path for path, record in self._records.items() if record.second_look.pending)
        return tuple(dict.fromkeys(hot))

    def awaited_markers(self) -> tuple[str, ...]:
        """Where the files are to appear that would commit the saves in flight."""
        return tuple(
            os.path.join(checkpoint.path, checkpoint.facts.commit.missing)
            for run in self._picture.snapshot.runs
            for checkpoint in run.checkpoints
            if checkpoint.verdict is Verdict.SAVING and checkpoint.facts.commit.missing
        )

    def checkpoint_paths(self) -> tuple[str, ...]:
        """All checkpoints, in no promised order."""
        return tuple(self._records)

    def directories(self) -> tuple[str, ...]:
        """Directories in which a change of an entry shows by their own times.

        Those of the checkpoints, those that hold them, and those that could not be listed.
        """
        unlisted = (path for path, _ in self._search.problems)
        return tuple(dict.fromkeys((*self._search.directories, *self._records, *unlisted)))

    def ask_world_size(self, world_size: int | None) -> None:
        """Judges for a job of that size from the next look on; never blocks."""
        asked = self.options.requirements._replace(world_size=world_size)
        self.options = self.options._replace(requirements=asked)

    def expect_stale(self, seconds: float) -> None:
        """Says for how long the file system may answer from a cache; 0 for never."""
        self.options = self.options._replace(stale_seconds=seconds)
        self._search.asks_little = seconds > 0

    def snapshot(self) -> Snapshot:
        """The picture of the last look."""
        return self._picture.snapshot

    def unsettled(self) -> bool:
        """Whether a second look could change a verdict: something unfinished was written lately."""
        now = self._now()
        return self.saving() or any(
            record.open and record.growth.silent_seconds(now) < self.options.stall_after_seconds
            for record in self._records.values()
        )

    def read_so_far(self) -> tuple[int, int]:
        """How many checkpoints are read, and of how many; for other threads while a look goes on.

        None are known before the first search is over.
        """
        records = tuple(self._records.values())
        return sum(record.facts is not None for record in records), len(records)

    def look(
        self,
        dirty: frozenset[str] | None = None,
        show: Callable[[Snapshot], None] | None = None,
    ) -> Snapshot:
        """Looks again and returns the new picture.

        Args:
            dirty: Absolute paths that may have changed; None for everything.
            show: Called now and then with what is read so far, while a look takes long.
        """
        with self._lock, collector_rare():
            if self._records.forget_facts_unless(synonyms_in_use()):
                dirty = None
            if dirty is None and not self._records.looked:
                self._cache.load(self.root)
            unfinished = Unfinished(self._draw, show, self._monotonic) if show else None
            touched = self._verifications.look()
            touched |= self._search.look(dirty, unfinished)
            self._records.looked |= dirty is None
            self._cache.flush()
            return self._draw(touched)

    def _draw(self, touched: set[str], reading: Reading | None = None) -> Snapshot:
        search = self._search
        return self._picture.draw(
            search.directories, search.problems, touched, self._now(), self.options, reading
        )

    def _now(self) -> Moment:
        return Moment(self._wall(), self._monotonic())

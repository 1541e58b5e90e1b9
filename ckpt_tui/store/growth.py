"""How a checkpoint grows from look to look: whether it moves, how fast, and which rank is silent.

A watching process judges growth between its own looks on the monotonic clock; the times of a file
server count only at the first look, for want of anything better.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.checkpoint import QUIET, Activity, SaveProgress
from ckpt_tui.core.text import duration_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree

RATE_WINDOW_SECONDS = 20.0
FRESH_SECONDS = 5.0
"""A save whose files differ by more at the first look began before it was recognised."""
_KEPT_LOOKS = 120


class Moment(NamedTuple):
    """One instant on both clocks, in seconds."""

    wall: float
    monotonic: float


class Growth:
    """The looks at one checkpoint.

    Args:
        born: True where an earlier look did not show it: its save began between the two.
    """

    def __init__(self, *, born: bool = False) -> None:
        self._born = born
        self._began: float | None = None  # monotonic time of the first growth of this save
        self._settled = False
        self._watched_seconds: float | None = None
        self._moved: float | None = None  # monotonic time of the last growth, as far as known
        self._by_times = True
        self._tree: Tree | None = None  # of the last look that differed
        self._file_moved: dict[str, float] = {}  # of the files that grew between two looks
        self._first_wall = 0.0
        self._first_look = 0.0
        self._bytes: deque[tuple[float, int]] = deque(maxlen=_KEPT_LOOKS)

    def observe(self, tree: Tree, changed: bool, now: Moment) -> None:
        """Takes one look into account.

        Args:
            tree: The listing of this look.
            changed: Whether it differs from the last one.
            now: When it was made.
        """
        first = not self._bytes
        if first:
            age = now.wall - tree.newest_mtime_ns() / 1e9
            # A time in the future says that the clocks differ, so it may be of this moment.
            self._moved = now.monotonic - max(0.0, age)
            self._first_look, self._first_wall = now.monotonic, now.wall
            newest = tree.newest_mtime_ns()
            spread = newest - (tree.oldest_mtime_ns() or newest)
            if self._born and spread / 1e9 <= FRESH_SECONDS:
                self._began = now.monotonic
        elif changed:
            self._moved = now.monotonic
            self._by_times = False
            if self._settled:
                self._began, self._settled = now.monotonic, False
        if changed or first:
            self._note_files(tree, now)
        self._bytes.append((now.monotonic, tree.total_bytes()))

    def _note_files(self, tree: Tree, now: Moment) -> None:
        """Most checkpoints never change: of the first look no more than the listing is kept."""
        if self._tree is not None:
            if not self._file_moved:
                self._file_moved = self._by_file_times(self._tree)
            sizes = _sizes_of(self._tree)
            for entry in tree.files():
                if sizes.get(entry.path) != entry.size_bytes:
                    self._file_moved[entry.path] = now.monotonic
        self._tree = tree

    def _by_file_times(self, tree: Tree) -> dict[str, float]:
        """Monotonic time of each file's last write, by its age at the first look."""
        ages = ((e.path, max(0.0, self._first_wall - e.mtime_ns / 1e9)) for e in tree.files())
        return {path: self._first_look - age for path, age in ages}

    def settle(self) -> float | None:
        """Called while it counts as committed: how long the save took that was watched.

        From the first look that showed growth to the last one before the commit was found, seconds;
        None for a save that had begun before, or that was over at its first look.
        """
        if not self._settled and self._began is not None and self._moved is not None:
            if self._moved > self._began:
                self._watched_seconds = self._moved - self._began
            self._began = None
        self._settled = True
        return self._watched_seconds

    def silent_seconds(self, now: Moment) -> float:
        """Time since the last growth that is known of."""
        return max(0.0, now.monotonic - self._moved) if self._moved is not None else 0.0

    def activity(self, now: Moment, stall_after_seconds: float) -> Activity:
        """Whether it still counts as growing."""
        if self._moved is None:
            return QUIET
        silent = self.silent_seconds(now)
        source = " by file times" if self._by_times else ""
        if silent < stall_after_seconds:
            evidence = f"last growth {duration_text(silent)} ago{source}"
            return Activity(True, evidence, seen=not self._by_times)
        return Activity(False, f"nothing has grown for {duration_text(silent)}{source}")

    def bytes_per_second(self, now: Moment) -> float | None:
        """Rate over the last seconds; None before two looks that lie apart."""
        recent = [(t, b) for t, b in self._bytes if now.monotonic - t <= RATE_WINDOW_SECONDS]
        if len(recent) < 2 or recent[-1][0] - recent[0][0] < 0.2:
            return None
        (start, before), (end, after) = recent[0], recent[-1]
        return max(0.0, (after - before) / (end - start))

    def progress(
        self,
        facts: CheckpointFacts,
        last_whole: CheckpointFacts | None,
        now: Moment,
        silent_after_seconds: float,
    ) -> SaveProgress:
        """The save in flight, measured against the run's last whole checkpoint."""
        expected = last_whole.size_bytes if last_whole else None
        rate = self.bytes_per_second(now)
        eta = None
        if expected and rate:
            eta = max(0.0, (expected - facts.size_bytes) / rate)
        return SaveProgress(
            size_bytes=facts.size_bytes,
            expected_bytes=expected,
            bytes_per_second=rate,
            eta_seconds=eta,
            silent_seconds=float(int(self.silent_seconds(now))),
            silent_ranks=self._silent_ranks(facts, last_whole, now, silent_after_seconds),
        )

    def _silent_ranks(
        self,
        facts: CheckpointFacts,
        last_whole: CheckpointFacts | None,
        now: Moment,
        silent_after_seconds: float,
    ) -> tuple[int, ...]:
        """Ranks that are behind what they wrote last time and have not grown for a while."""
        paths = {shard.rank: shard.paths for shard in last_whole.shards} if last_whole else {}
        wanted = {shard.rank: shard.size_bytes for shard in last_whole.shards} if last_whole else {}
        paths |= {shard.rank: shard.paths for shard in facts.shards}
        sizes = _sizes_of(self._tree) if self._tree is not None else {}
        written = {rank: sum(sizes.get(p, 0) for p in own) for rank, own in paths.items()}
        moved = self._file_moved or (self._by_file_times(self._tree) if self._tree else {})
        usual = sorted(written.values())
        typical = usual[len(usual) // 2] if usual else 0
        return tuple(
            rank
            for rank in sorted(paths)
            if written[rank] < wanted.get(rank, typical)
            and now.monotonic - self._last_growth(paths[rank], moved) >= silent_after_seconds
        )

    def _last_growth(self, paths: Iterable[str], moved: Mapping[str, float]) -> float:
        """Monotonic time of the last growth of any of these files; of the first look if none is."""
        return max((moved[path] for path in paths if path in moved), default=self._first_look)


def _sizes_of(tree: Tree) -> dict[str, int]:
    return {entry.path: entry.size_bytes for entry in tree.files()}

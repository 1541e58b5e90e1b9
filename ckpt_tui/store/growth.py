"""How a checkpoint grows from look to look: whether it moves, and how fast.

A watching process judges growth between its own looks on the monotonic clock; the times of a file
server count only at the first look, for want of anything better.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from ckpt_tui.core.checkpoint import QUIET, Activity, SaveProgress
from ckpt_tui.core.text import duration_text
from ckpt_tui.store.moment import RATE_WINDOW_SECONDS, Moment

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.store.rank_pace import RankPace

FRESH_SECONDS = 5.0
"""A save whose files differ by more at the first look began before it was recognised."""
_KEPT_LOOKS = 120


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
        self._pace: RankPace | None = None  # only while it is in flight
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
            newest = tree.newest_mtime_ns()
            spread = newest - (tree.oldest_mtime_ns() or newest)
            if self._born and spread / 1e9 <= FRESH_SECONDS:
                self._began = now.monotonic
        elif changed:
            self._moved = now.monotonic
            self._by_times = False
            if self._settled:
                self._began, self._settled = now.monotonic, False
        self._bytes.append((now.monotonic, tree.total_bytes()))

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
        self._pace = None
        return self._watched_seconds

    @property
    def settled(self) -> bool:
        """Whether it counted as committed, and has not grown since."""
        return self._settled

    def silent_seconds(self, now: Moment) -> float:
        """Time since the last growth that is known of."""
        return max(0.0, now.monotonic - self._moved) if self._moved is not None else 0.0

    def is_active(self, now: Moment, stall_after_seconds: float) -> bool:
        """Whether it still counts as growing."""
        return self._moved is not None and now.monotonic - self._moved < stall_after_seconds

    def activity(self, now: Moment, stall_after_seconds: float) -> Activity:
        """The same, with the evidence."""
        if self._moved is None:
            return QUIET
        silent = self.silent_seconds(now)
        source = " by file times" if self._by_times else ""
        if self.is_active(now, stall_after_seconds):
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
        if self._pace is None:
            from ckpt_tui.store.rank_pace import RankPace  # only where a save is in flight

            self._pace = RankPace(facts.shards, now.wall, now.monotonic)
        self._pace.take(facts.shards, now.monotonic)
        ranks = self._pace.told(last_whole.shards if last_whole else (), silent_after_seconds)
        return SaveProgress(
            size_bytes=facts.size_bytes,
            expected_bytes=expected,
            bytes_per_second=rate,
            eta_seconds=eta,
            silent_seconds=float(int(self.silent_seconds(now))),
            silent_ranks=ranks.silent,
            ranks_silent_seconds=ranks.silent_seconds,
            ranks_behind=ranks.behind,
            slowest=ranks.slowest,
        )

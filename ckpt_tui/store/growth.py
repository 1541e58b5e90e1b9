"""How a checkpoint grows from look to look: whether it moves, and how fast.

A watching process judges growth between its own looks on the monotonic clock; the times of a file
server count only at the first look, for want of anything better.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from ckpt_tui.core.checkpoint import QUIET, Activity, SaveProgress
from ckpt_tui.core.text import duration_text
from ckpt_tui.store.change import change_between
from ckpt_tui.store.moment import RATE_WINDOW_SECONDS, Moment

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.store.change import Change
    from ckpt_tui.store.rank_pace import RankPace

FRESH_SECONDS = 5.0
"""A save whose files differ by more at the first look began before it was recognised."""
DAMAGE_SECONDS = 3.0
"""A marked checkpoint that was cut counts as damaged when it rests for so long, and not as saved
over. A rank that opened its file over the old one and computes on before the first byte is rare."""
_WRITTEN_BY_A_SAVE = 2
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
        self._touched: set[str] = set()  # files that changed since it was last whole
        self._written = 0
        self._saves = False
        self._pace: RankPace | None = None  # only while it is in flight
        self._bytes: deque[tuple[float, int]] = deque(maxlen=_KEPT_LOOKS)

    def observe(self, before: Tree | None, tree: Tree, now: Moment) -> None:
        """Takes one look into account.

        Args:
            before: The listing of the last look; None at the first.
            tree: The listing of this look.
            now: When it was made.
        """
        change = change_between(before, tree)
        first = not self._bytes
        if first:
            age = now.wall - tree.newest_mtime_ns() / 1e9
            # A time in the future says that the clocks differ, so it may be of this moment.
            self._moved = now.monotonic - max(0.0, age)
            newest = tree.newest_mtime_ns()
            spread = newest - (tree.oldest_mtime_ns() or newest)
            if self._born and spread / 1e9 <= FRESH_SECONDS:
                self._began = now.monotonic
        elif change.moved:
            self._moved = now.monotonic
            self._by_times = False
            if self._settled:
                self._began, self._settled = now.monotonic, False
            self._look_for_a_save(change)
        self._bytes.append((now.monotonic, tree.total_bytes()))

    def _look_for_a_save(self, change: Change) -> None:
        """A save writes several files, or goes on with one that it has cut before."""
        self._written += len(change.written)
        again = not self._touched.isdisjoint(change.written)
        self._saves = self._saves or again or self._written >= _WRITTEN_BY_A_SAVE
        self._touched |= change.touched

    def settle(self, *, whole: bool) -> float | None:
        """Called while it counts as committed: how long the save took that was watched.

        From the first look that showed growth to the last one before the commit was found, seconds;
        None for a save that had begun before, or that was over at its first look.

        Args:
            whole: Whether nothing of it is damaged or missing.
        """
        if whole:
            self._touched, self._written, self._saves = set(), 0, False
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

    def activity(
        self, now: Moment, stall_after_seconds: float, *, marked: bool = False
    ) -> Activity:
        """The same, with the evidence.

        Args:
            now: When that is asked.
            stall_after_seconds: For so long what has grown may grow on.
            marked: Whether it carries the mark of its commit: then what changes is no save but
                where something shows one.
        """
        if self._moved is None or (marked and self._rests_cut()):
            return QUIET
        silent = self.silent_seconds(now)
        source = " by file times" if self._by_times else ""
        if self.is_active(now, stall_after_seconds):
            evidence = f"last growth {duration_text(silent)} ago{source}"
            return Activity(True, evidence, seen=not self._by_times)
        return Activity(False, f"nothing has grown for {duration_text(silent)}{source}")

    def _rests_cut(self) -> bool:
        """Whether it changed, nothing shows that a save did that, and a later look saw no more."""
        if self._by_times or self._saves or self._moved is None:
            return False
        looked_at, _ = self._bytes[-1]
        return looked_at - self._moved >= DAMAGE_SECONDS

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

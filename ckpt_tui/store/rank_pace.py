"""How fast each rank of a save in flight writes: which are silent, and which one decides the end.

A look at thousands of ranks comes several times a second, so that nothing here goes over files: the
reader has summed them up for each rank.
"""

from __future__ import annotations

from collections import deque
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.checkpoint import RankProgress
from ckpt_tui.store.moment import RATE_WINDOW_SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.facts import ShardFacts

_SAMPLE_SECONDS = 2.0
_LEAST_SECONDS = 1.0
"""A rate over a shorter time is that of a single write."""
_SLOWEST_TOLD = 5


class Ranks(NamedTuple):
    """What the ranks of a save in flight show.

    Attributes:
        silent: Ranks that are behind and have not grown for a while, rising.
        silent_seconds: For how long at least each of these has not; whole seconds.
        behind: How many ranks have not written what they wrote last time.
        slowest: Ranks that still write and take longest, the slowest first.
    """

    silent: tuple[int, ...]
    silent_seconds: float
    behind: int
    slowest: tuple[RankProgress, ...]


class RankPace:
    """The looks at one save in flight. All times but those of files are monotonic seconds.

    Args:
        shards: Of the first look.
        wall: Seconds since the epoch of the first look, to which file times are compared.
        monotonic: The same moment.
    """

    def __init__(self, shards: Sequence[ShardFacts], wall: float, monotonic: float) -> None:
        self._first = monotonic
        self._written = {shard.rank: shard.size_bytes for shard in shards}
        # What was written before the first look has only the files' times to tell when.
        self._moved = {
            shard.rank: monotonic - max(0.0, wall - shard.mtime_ns / 1e9)
            for shard in shards
            if shard.mtime_ns
        }
        self._samples: deque[tuple[float, Mapping[int, int]]] = deque()
        self._now = monotonic

    def take(self, shards: Sequence[ShardFacts], monotonic: float) -> None:
        """Takes a look into account."""
        before, moved = self._written, self._moved
        self._written = {shard.rank: shard.size_bytes for shard in shards}
        self._now = monotonic
        for rank, size in self._written.items():
            if before.get(rank) != size:
                moved[rank] = monotonic
        samples = self._samples
        if not samples or monotonic - samples[-1][0] >= _SAMPLE_SECONDS:
            samples.append((monotonic, self._written))
        while len(samples) > 1 and monotonic - samples[1][0] >= RATE_WINDOW_SECONDS:
            samples.popleft()

    def told(self, last_whole: Sequence[ShardFacts], silent_after_seconds: float) -> Ranks:
        """What the last look shows.

        Args:
            last_whole: Shards of the run's last whole checkpoint; empty where there is none. Then
                a rank is behind that has less than half of the ranks have.
            silent_after_seconds: A rank that is behind is silent after so long.
        """
        written, moved = self._written, self._moved
        wanted = {shard.rank: shard.size_bytes for shard in last_whole}
        sizes = sorted(written.values())
        typical = sizes[len(sizes) // 2] if sizes else 0
        behind = [rank for rank, size in written.items() if size < wanted.get(rank, typical)]
        behind += [rank for rank, size in wanted.items() if size and rank not in written]
        ages = {rank: self._now - moved.get(rank, self._first) for rank in behind}
        silent = sorted(rank for rank, age in ages.items() if age >= silent_after_seconds)
        quiet = set(silent)
        writing = [rank for rank in behind if rank not in quiet and rank in wanted]
        return Ranks(
            tuple(silent),
            float(int(min((ages[rank] for rank in silent), default=0.0))),
            len(behind),
            self._slowest(writing, wanted),
        )

    def _slowest(
        self, writing: Sequence[int], wanted: Mapping[int, int]
    ) -> tuple[RankProgress, ...]:
        start, base = self._samples[0] if self._samples else (self._now, {})
        seconds = self._now - start
        if seconds < _LEAST_SECONDS:
            return ()
        written, found = self._written, []
        for rank in writing:
            size = written.get(rank, 0)
            grown = size - base.get(rank, 0)
            if grown > 0:
                found.append(((wanted[rank] - size) / grown, rank))
        return tuple(
            RankProgress(
                rank,
                written.get(rank, 0),
                wanted[rank],
                (written.get(rank, 0) - base.get(rank, 0)) / seconds,
                left * seconds,
            )
            for left, rank in nlargest(_SLOWEST_TOLD, found)
        )

"""Ranks whose shard is not like the others': too small, too late, or behind in a save in flight.

A hint for the eye, never a verdict. Whoever looks at thousands of ranks trusts it only if it is
quiet, so that a rank is named only where it is far from the median (six times the usual distance
from it, and an absolute least), where few are, and where nothing in the layout explains it:

- a rank with more than the others has longer to write (rank 0 often keeps what is not split);
- trailing ranks get less where a size does not divide evenly;
- ranks that share a smaller size are a group by design (the last pipeline stage).

The size that a rank had in another whole checkpoint of the run explains away all of that.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.median import median
from ckpt_tui.core.text import duration_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ckpt_tui.core.facts import ShardFacts

LEAST_PEERS = 8
"""Below so many ranks there is no usual one to be unlike."""
MOST_SHARE = 0.05
"""If more ranks than this share are far off, that is how this job writes."""
USUAL_SPREADS = 6.0
SHORT_SHARE = 0.1
BEHIND_SHARE = 0.25
LATE_SECONDS = 30.0

_SPREAD_OF_DEVIATION = 1.4826  # the median deviation times this is a normal distribution's sigma
_ALIKE_SHARE = 0.02


class OutlierKind(StrEnum):
    """In which way a rank is unlike the others; the value completes "rank 7 …"."""

    EMPTY = "empty"
    SHORT = "short by"
    BEHIND = "behind by"
    LATE = "late by"


class Outlier(NamedTuple):
    """A rank that is unlike the others.

    Attributes:
        amount: Share of what it should have, 0 to 1; seconds for `LATE`.
    """

    rank: int
    kind: OutlierKind
    amount: float

    @property
    def text(self) -> str:
        """As a phrase: "rank 640 short by 12 %"."""
        if self.kind is OutlierKind.EMPTY:
            return f"rank {self.rank} empty"
        if self.kind is OutlierKind.LATE:
            return f"rank {self.rank} late by {duration_text(self.amount)}"
        percent = f"{100 * self.amount:.0f} %"
        if self.kind is OutlierKind.BEHIND:
            return f"rank {self.rank} behind by {percent}"
        return f"rank {self.rank} short by {percent}"


def settled_outliers(
    shards: Sequence[ShardFacts], usual_bytes: Mapping[int, int]
) -> tuple[Outlier, ...]:
    """Ranks that are short or late in a checkpoint that nobody writes to any more.

    Args:
        shards: In order of ranks; those with a fault that the reader named are left out.
        usual_bytes: Size of each rank's shard in another whole checkpoint of the run and of as many
            ranks; empty where there is none.
    """
    fine = [shard for shard in shards if not shard.problem]
    short = _short(fine, usual_bytes)
    named = {outlier.rank for outlier in short}
    return (*short, *(late for late in _late(fine) if late.rank not in named))


def behind_outliers(
    shards: Sequence[ShardFacts], usual_bytes: Mapping[int, int]
) -> tuple[Outlier, ...]:
    """Ranks of a save in flight that have written much less of their shard than others.

    Those that are done are no measure: towards its end a save has a few last ranks by nature.
    """
    known = [shard for shard in shards if shard.size_bytes < usual_bytes.get(shard.rank, 0)]
    shares = [shard.size_bytes / usual_bytes[shard.rank] for shard in known]
    middle, far = _far_below(shares, lambda _middle: BEHIND_SHARE)
    return tuple(
        Outlier(known[place].rank, OutlierKind.BEHIND, middle - shares[place]) for place in far
    )


def _short(shards: Sequence[ShardFacts], usual_bytes: Mapping[int, int]) -> tuple[Outlier, ...]:
    against_usual = bool(usual_bytes)
    if against_usual:
        shards = [shard for shard in shards if usual_bytes.get(shard.rank)]
        sizes = [shard.size_bytes / usual_bytes[shard.rank] for shard in shards]
    else:
        sizes = [float(shard.size_bytes) for shard in shards]
    middle, far = _far_below(sizes, lambda middle: SHORT_SHARE * middle)
    if far and not against_usual:
        far = _unexplained(sizes, far)
    return tuple(
        Outlier(shards[place].rank, OutlierKind.SHORT, 1 - sizes[place] / middle)
        if sizes[place]
        else Outlier(shards[place].rank, OutlierKind.EMPTY, 1.0)
        for place in far
    )


def _late(shards: Sequence[ShardFacts]) -> tuple[Outlier, ...]:
    timed = [shard for shard in shards if shard.mtime_ns]
    if len(timed) < LEAST_PEERS:
        return ()
    most_bytes = median(shard.size_bytes for shard in timed) * (1 + SHORT_SHARE)
    first = min(shard.mtime_ns for shard in timed)  # whole seconds since 1970 cost digits
    earliness = [(first - shard.mtime_ns) / 1e9 for shard in timed]
    middle, far = _far_below(earliness, lambda _middle: LATE_SECONDS)
    return tuple(
        Outlier(timed[place].rank, OutlierKind.LATE, middle - earliness[place])
        for place in far
        if timed[place].size_bytes <= most_bytes
    )


def _far_below(values: Sequence[float], least: Callable[[float], float]) -> tuple[float, list[int]]:
    """The median, and the places of values far below it; none where there are too many."""
    if len(values) < LEAST_PEERS:
        return 0.0, []
    middle = median(values)
    spread = _SPREAD_OF_DEVIATION * median(abs(value - middle) for value in values)
    bound = middle - max(USUAL_SPREADS * spread, least(middle))
    far = [place for place, value in enumerate(values) if value < bound]
    return middle, far if len(far) <= max(1.0, MOST_SHARE * len(values)) else []


def _unexplained(sizes: Sequence[float], far: list[int]) -> list[int]:
    """Those of the smaller ones that are neither at the end nor several of one size."""
    kept = list(far)
    last = len(sizes) - 1
    while kept and kept[-1] == last:
        kept.pop()
        last -= 1
    return [place for place in kept if _like(sizes[place], sizes, far) == 1]


def _like(size: float, sizes: Sequence[float], far: list[int]) -> int:
    return sum(abs(sizes[place] - size) <= _ALIKE_SHARE * size for place in far)

"""Goes round all checkpoints, a few at a time, so that looking at them never takes long. Pure."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ONE_LOOK_SECONDS = 0.05
_FIRST_COUNT = 32
_MOST = 4096


class Rounds:
    """Where the round is, and how many checkpoints a look can take.

    Args:
        budget: What one look may cost: seconds, or whatever `took` is told.
    """

    def __init__(self, budget: float = ONE_LOOK_SECONDS) -> None:
        self._budget = budget
        self._count = _FIRST_COUNT
        self._last = ""

    def next(self, paths: Sequence[str]) -> frozenset[str]:
        """The next few of all paths, in the order of their names; after the last comes the first.

        Args:
            paths: All there are now; they may differ from those of the last time.
        """
        ordered = sorted(paths)
        begin = bisect_right(ordered, self._last)
        chosen = (ordered[begin:] + ordered[:begin])[: self._count]
        self._last = chosen[-1] if chosen else ""
        return frozenset(chosen)

    def took(self, count: int, cost: float) -> None:
        """Says what a look at so many cost; the next one is to cost what the budget allows."""
        if count and cost > 0.0:
            fits = int(count * self._budget / cost)
            self._count = max(1, min(fits, 2 * self._count, _MOST))

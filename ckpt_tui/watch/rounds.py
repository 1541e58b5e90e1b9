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
    """Where the round is, and how many checkpoints a look can take."""

    def __init__(self) -> None:
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

    def took(self, count: int, seconds: float) -> None:
        """Says how long a look at so many took; the next one is to take `ONE_LOOK_SECONDS`."""
        if count and seconds > 0.0:
            fits = int(count * ONE_LOOK_SECONDS / seconds)
            self._count = max(1, min(fits, 2 * self._count, _MOST))

"""Do saves get slower over time? A robust answer, which a single odd save does not sway.

The slope is the median of the slopes between all pairs of saves (Theil and Sen); that it is no
chance is told by how many of the pairs rise (Mann and Kendall).
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.median import median

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_SAVES = 8
"""Of fewer saves nothing is said."""
MOST_SAVES = 20
"""Older saves say nothing about now; pairs are as many as the square of it."""
GROWTH = 1.5
"""The last save by the line over the first one: from here on saves get slower."""
CALM_GROWTH = 1.25
"""Below this they no longer do."""
LEAST_SECONDS = 1.0
"""A rise by less is nobody's trouble."""
SURE = 3.0
"""Standard deviations of the count of rising pairs: by chance it is as high once in 700 times."""


class Trend(NamedTuple):
    """A line through save times, oldest first.

    Attributes:
        first_seconds: Its value at the oldest save.
        last_seconds: Its value at the newest.
        sureness: How unlikely so many rising pairs are by chance, in standard deviations.
    """

    first_seconds: float
    last_seconds: float
    sureness: float
    saves: int

    def rises(self, already: bool) -> bool:
        """Whether saves get slower.

        Args:
            already: Whether it was said before: then a smaller rise is enough.
        """
        limit = CALM_GROWTH if already else GROWTH
        rise = self.last_seconds - self.first_seconds
        sure = already or self.sureness >= SURE
        return sure and rise >= LEAST_SECONDS and self.last_seconds >= limit * self.first_seconds


def trend_of(seconds: Sequence[float]) -> Trend | None:
    """The line through the newest save times; None where there are too few.

    Args:
        seconds: Save times, oldest first.
    """
    values = seconds[-MOST_SAVES:]
    count = len(values)
    if count < LEAST_SAVES:
        return None
    pairs = list(combinations(range(count), 2))
    slope = median([(values[b] - values[a]) / (b - a) for a, b in pairs])
    first = max(0.0, median([value - slope * place for place, value in enumerate(values)]))
    rising = sum((values[b] > values[a]) - (values[b] < values[a]) for a, b in pairs)
    deviation = math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    sureness = (rising - (rising > 0) + (rising < 0)) / deviation
    return Trend(first, first + slope * (count - 1), sureness, count)

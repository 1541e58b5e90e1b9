"""The median; importing `statistics` would cost `check` a third of its start-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def median(values: Iterable[float]) -> float:
    """The middle value, or the mean of the two middle ones.

    Raises:
        ValueError: There are no values.
    """
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values to take the median of")
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2

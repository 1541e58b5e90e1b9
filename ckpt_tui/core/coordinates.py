"""Where a rank is in a job that is split several ways: its number on each parallel axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import ParallelAxis

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def number_on(axis: ParallelAxis, rank: int) -> int:
    """A rank's number on one axis."""
    return rank // axis.stride % axis.size


def coordinates_of(axes: Sequence[ParallelAxis], rank: int) -> dict[str, int]:
    """A rank's number on each axis, by the axis' name; empty where no axis is known."""
    return {axis.name: number_on(axis, rank) for axis in axes}


def coordinates_text(axes: Sequence[ParallelAxis], rank: int) -> str:
    """The same as people write it: "PP 3 DP 0 TP 1"."""
    return " ".join(f"{axis.name} {number_on(axis, rank)}" for axis in axes)


def nested_axes(inner_first: Iterable[tuple[str, int]]) -> tuple[ParallelAxis, ...]:
    """Axes that lie inside each other, the outermost first; those of one rank are left out.

    Args:
        inner_first: Name and size of each axis; neighbours on the first are neighbouring ranks.
    """
    axes: list[ParallelAxis] = []
    stride = 1
    for name, size in inner_first:
        if size > 1:
            axes.append(ParallelAxis(name, size, stride))
        stride *= size
    return tuple(reversed(axes))

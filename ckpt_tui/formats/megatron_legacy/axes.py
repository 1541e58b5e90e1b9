"""Which tensor, pipeline and expert rank each part of an iteration is, by its directory's name.

`mp_rank_TT_PPP_EEE` names all three. Of two numbers the second is the pipeline stage or, in a job
without stages, the expert rank: then only the arguments tell which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.coordinates import number_on
from ckpt_tui.core.facts import ParallelAxis
from ckpt_tui.formats.megatron_legacy.names import part_fields

if TYPE_CHECKING:
    from ckpt_tui.formats.megatron_legacy.grid import Grid

_NAMES = ("TP", "PP", "EP")
_SHOWN = ("PP", "EP", "TP")


def axes_of_grid(grid: Grid) -> tuple[ParallelAxis, ...]:
    """The axes over the numbers of the parts; one that is no regular pattern is left out."""
    fields = {rank: part_fields(name) for name, rank in grid.ranks.items()}
    names = _names_of(grid, max(map(len, fields.values()), default=0))
    axes = {}
    for place, name in enumerate(names):
        numbers = [fields[rank][place] for rank in sorted(fields)]
        axis = _pattern(name, numbers)
        if axis is not None:
            axes[name] = axis
    return tuple(axes[name] for name in _SHOWN if name in axes)


def _names_of(grid: Grid, count: int) -> tuple[str, ...]:
    """What the numbers in a name are, as far as it is known."""
    if count != 2:
        return _NAMES[:count]
    pipeline, expert = grid.arguments.pipeline or 1, grid.arguments.expert or 1
    if (pipeline > 1) == (expert > 1):
        return _NAMES[:1]
    return ("TP", "PP" if pipeline > 1 else "EP")


def _pattern(name: str, numbers: list[int]) -> ParallelAxis | None:
    """The axis whose numbers these are, part by part, or None."""
    size = max(numbers) + 1
    stride = next((rank for rank, number in enumerate(numbers) if number), 0)
    if not stride:
        return None
    axis = ParallelAxis(name, size, stride)
    fits = all(number_on(axis, rank) == number for rank, number in enumerate(numbers))
    return axis if fits else None

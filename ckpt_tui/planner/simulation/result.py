"""What a simulation says: means with their own intervals, and the spread of the wall time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.planner.simulation.books import Books, Counts, Minutes

BINS = 40
_NORMAL_99 = 2.5758293035489004
_SPREAD = (0.05, 0.25, 0.5, 0.75, 0.95)


class Mean(NamedTuple):
    """A mean over simulated runs and half the width of its 99 % interval."""

    value: float
    half_width: float

    def agrees_with(self, expected: float) -> bool:
        """Whether a formula's value lies in the interval."""
        rounding = 1e-9 * max(abs(expected), 1.0)
        return abs(self.value - expected) <= self.half_width + rounding


class Simulated(NamedTuple):
    """A simulated plan.

    Attributes:
        wall_minutes: Mean wall time.
        quantiles_minutes: Wall time at 5, 25, 50, 75 and 95 % of the runs.
        counts: Runs by wall time, in bins of one width from the shortest to the longest.
        edges_minutes: The shortest and the longest wall time.
        seed: The same seed and number of runs give the same result.
    """

    runs: int
    seed: int
    wall_minutes: Mean
    save_minutes: Mean
    rollback_minutes: Mean
    down_minutes: Mean
    reload_minutes: Mean
    failures: Mean
    quantiles_minutes: tuple[float, float, float, float, float]
    counts: tuple[int, ...]
    edges_minutes: tuple[float, float]


def result_of(batches: Sequence[Books], work_minutes: float, seed: int) -> Simulated:
    """Puts the batches of one simulation together."""
    walls = np.concatenate([batch.wall_minutes(work_minutes) for batch in batches])
    counts, _ = np.histogram(walls, BINS)
    low, q25, half, q75, high = (float(each) for each in np.quantile(walls, _SPREAD))
    return Simulated(
        walls.size,
        seed,
        _mean(walls),
        _mean(np.concatenate([batch.save_minutes for batch in batches])),
        _mean(np.concatenate([batch.rollback_minutes for batch in batches])),
        _mean(np.concatenate([batch.down_minutes for batch in batches])),
        _mean(np.concatenate([batch.reload_minutes for batch in batches])),
        _mean(np.concatenate([batch.failures for batch in batches])),
        (low, q25, half, q75, high),
        tuple(int(count) for count in counts),
        (float(walls.min()), float(walls.max())),
    )


def _mean(values: Minutes | Counts) -> Mean:
    spread = float(values.std(ddof=1)) if values.size > 1 else math.inf
    return Mean(float(values.mean()), _NORMAL_99 * spread / math.sqrt(values.size))

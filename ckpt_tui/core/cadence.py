"""What a run's checkpoints show of how it saves: interval, save time, size.

Source: the parameters-from-a-directory rules of the planner's specification: compare each gap with
the time its own steps need, so that deleted checkpoints do not look like outages.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint


LEAST_MINUTES = 1 / 60


class Cadence(NamedTuple):
    """Observed figures; each is None where the directory does not show it.

    Attributes:
        interval_minutes: Usual time between two commits.
        interval_steps: Usual number of steps between two checkpoints.
        save_minutes: Usual first write to commit.
        save_is_lower_bound: True where only file times told it: they mark the ends of writes.
        checkpoint_bytes: Usual size.
        saves: Committed checkpoints that were looked at.
    """

    interval_minutes: float | None
    interval_steps: int | None
    save_minutes: float | None
    save_is_lower_bound: bool
    checkpoint_bytes: int | None
    saves: int


def cadence_of(checkpoints: Sequence[Checkpoint]) -> Cadence:
    """The usual figures of a run, as medians over its committed checkpoints."""
    saves = sorted(
        (c for c in checkpoints if c.counts_as_commit),
        key=lambda c: c.committed_at or 0.0,
    )
    steps = _step_gaps(saves)
    rate = _minutes_per_step(saves)
    usual_steps = round(median(steps)) if steps else None
    seconds = [c.facts.save_seconds for c in saves if c.facts.save_seconds is not None]
    return Cadence(
        interval_minutes=_credible(rate * usual_steps if rate and usual_steps else None),
        interval_steps=usual_steps,
        save_minutes=_credible(median(seconds) / 60 if seconds else None),
        save_is_lower_bound=any(c.facts.save_seconds_is_lower_bound for c in saves),
        checkpoint_bytes=round(median([c.facts.size_bytes for c in saves])) if saves else None,
        saves=len(saves),
    )


def _credible(minutes: float | None) -> float | None:
    """Less than a second shows a copy's times, or files that were written side by side."""
    return minutes if minutes is not None and minutes >= LEAST_MINUTES else None


def _step_gaps(saves: Sequence[Checkpoint]) -> list[int]:
    steps = sorted({c.step for c in saves if c.step is not None})
    return [b - a for a, b in pairwise(steps)]


def _minutes_per_step(saves: Sequence[Checkpoint]) -> float | None:
    """Median over neighbours in time; None where times were flattened by a copy."""
    rates = [
        ((b.committed_at or 0) - (a.committed_at or 0)) / 60 / (b.step - a.step)
        for a, b in pairwise(saves)
        if a.step is not None and b.step is not None and b.step > a.step
    ]
    usual = median(rates) if rates else 0.0
    return usual if usual > 0 else None

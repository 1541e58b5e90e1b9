"""What a run's saves show of how it saves: interval, save time, size, throughput.

Each gap is compared with the time its own steps need, so that deleted checkpoints do not look like
outages. File times mark the ends of writes: a save time from them is a lower bound, and as soon as
one save is known exactly (watched, or timed by its writer), only such ones count.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.median import median

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint


LEAST_MINUTES = 1 / 60
_HIGH = 0.95
_RECENT = 10


class SaveTimes(NamedTuple):
    """One committed save.

    Attributes:
        step: Training iteration; None where unknown.
        committed_at: Seconds since the epoch; None where unknown.
        save_seconds: First write to commit; None where unknown.
        is_lower_bound: True where it may have taken longer.
    """

    step: int | None
    committed_at: float | None
    save_seconds: float | None
    is_lower_bound: bool
    size_bytes: int


class Cadence(NamedTuple):
    """Observed figures; each is None where the saves do not show it.

    Attributes:
        interval_minutes: Usual time between two commits.
        interval_steps: Usual number of steps between two checkpoints.
        save_minutes: Usual first write to commit.
        save_is_lower_bound: True where only file times told it: they mark the ends of writes.
        checkpoint_bytes: Usual size.
        saves: Committed checkpoints that were looked at.
        save_p95_minutes: Save time that 95 % of the saves do not exceed.
        bytes_per_second: Usual size over save time; an upper bound where the time is a lower one.
        timed_saves: Saves that the save time comes from.
    """

    interval_minutes: float | None
    interval_steps: int | None
    save_minutes: float | None
    save_is_lower_bound: bool
    checkpoint_bytes: int | None
    saves: int
    save_p95_minutes: float | None = None
    bytes_per_second: float | None = None
    timed_saves: int = 0


def cadence_of(checkpoints: Sequence[Checkpoint]) -> Cadence:
    """The usual figures of a run, as medians over its committed checkpoints."""
    return cadence_from([times_of(c) for c in checkpoints if c.counts_as_commit])


def recent_interval_seconds(attempts: Sequence[Checkpoint]) -> float | None:
    """Usual time between the last commits of a run; None before there are three of them.

    Args:
        attempts: Highest order first.
    """
    cadence = cadence_of(attempts[:_RECENT])
    if cadence.saves < 3 or cadence.interval_minutes is None:
        return None
    return cadence.interval_minutes * 60


def cadence_from(saves: Sequence[SaveTimes]) -> Cadence:
    """The usual figures of saves in any order, as medians."""
    ordered = sorted(saves, key=lambda save: save.committed_at or 0.0)
    steps = _step_gaps(ordered)
    rate = _minutes_per_step(ordered)
    usual_steps = round(median(steps)) if steps else None
    timed = _best_timed(ordered)
    seconds = sorted(save.save_seconds or 0.0 for save in timed)
    speeds = [s.size_bytes / s.save_seconds for s in timed if s.save_seconds and s.size_bytes]
    bound = any(save.is_lower_bound for save in timed or ordered)
    usual = median(seconds) / 60 if seconds else None
    usual = _credible(usual) if bound else usual or None
    return Cadence(
        interval_minutes=_credible(rate * usual_steps if rate and usual_steps else None),
        interval_steps=usual_steps,
        save_minutes=usual,
        save_is_lower_bound=bound,
        checkpoint_bytes=round(median([s.size_bytes for s in ordered])) if ordered else None,
        saves=len(ordered),
        save_p95_minutes=_share_below(seconds, _HIGH) / 60 if usual is not None else None,
        bytes_per_second=median(speeds) if speeds and usual is not None else None,
        timed_saves=len(timed) if usual is not None else 0,
    )


def times_of(checkpoint: Checkpoint) -> SaveTimes:
    """What a checkpoint shows of its own save."""
    facts = checkpoint.facts
    return SaveTimes(
        checkpoint.step,
        checkpoint.committed_at,
        facts.save_seconds,
        facts.save_seconds_is_lower_bound,
        facts.size_bytes,
    )


def _best_timed(saves: Sequence[SaveTimes]) -> list[SaveTimes]:
    """Those with an exact save time, else those with a lower bound."""
    timed = [s for s in saves if s.save_seconds is not None and 0 <= s.save_seconds < math.inf]
    return [save for save in timed if not save.is_lower_bound] or timed


def _share_below(ordered: Sequence[float], share: float) -> float:
    """The least value that at least a `share` of the ordered values do not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _credible(minutes: float | None) -> float | None:
    """Less than a second shows a copy's times, or files that were written side by side."""
    return minutes if minutes is not None and minutes >= LEAST_MINUTES else None


def _step_gaps(saves: Sequence[SaveTimes]) -> list[int]:
    steps = sorted({save.step for save in saves if save.step is not None})
    return [b - a for a, b in pairwise(steps)]


def _minutes_per_step(saves: Sequence[SaveTimes]) -> float | None:
    """Median over neighbours in time; None where times were flattened by a copy."""
    rates = [
        ((b.committed_at or 0) - (a.committed_at or 0)) / 60 / (b.step - a.step)
        for a, b in pairwise(saves)
        if a.step is not None and b.step is not None and b.step > a.step
    ]
    usual = median(rates) if rates else 0.0
    return usual if usual > 0 else None

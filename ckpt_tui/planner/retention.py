"""Which checkpoints a retention policy would keep; it decides, and deletes nothing.

The policies have the names that Orbax gives them: the last n, every k-th step, the best by a
metric. A checkpoint is kept when any policy keeps it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_MINUTES_PER_DAY = 1440.0
_MOST_CHECKPOINTS = 1e15


class Stored(NamedTuple):
    """A checkpoint as a policy sees it.

    Attributes:
        resumable: Whether a restart can go on from it; only these count among the last n.
        metric: What it is best by, where that is known; less is better.
    """

    path: str
    step: int
    size_bytes: int
    resumable: bool = True
    metric: float | None = None


class Policy(NamedTuple):
    """What to keep; what is not given keeps nothing.

    Attributes:
        last: The n newest that can be resumed.
        every_steps: Those whose step is a multiple.
        best: The n of the least metric that can be resumed.
    """

    last: int | None = None
    every_steps: int | None = None
    best: int | None = None


class Outcome(NamedTuple):
    """What a policy would do."""

    kept: tuple[Stored, ...]
    freed: tuple[Stored, ...]

    @property
    def kept_bytes(self) -> int:
        """Size of what stays."""
        return sum(stored.size_bytes for stored in self.kept)

    @property
    def freed_bytes(self) -> int:
        """Size of what could go."""
        return sum(stored.size_bytes for stored in self.freed)


def apply_policy(stored: Sequence[Stored], policy: Policy) -> Outcome:
    """What a policy keeps and frees, newest first; at one step in the order given.

    The newest resumable checkpoint is always kept: without it a restart begins at step 0. Where
    none can be resumed, the newest ones are kept in its place: they are all that there is.

    Raises:
        ValueError: A number of the policy is below 1.
    """
    for name, value in policy._asdict().items():
        if value is not None and value < 1:
            raise ValueError(f"{name}: need a whole number from 1, got {value}")
    newest = sorted(stored, key=lambda each: -each.step)
    good = [each for each in newest if each.resumable]
    keep = set((good or newest)[: policy.last or 1])
    if policy.every_steps:
        keep |= {each for each in newest if each.step % policy.every_steps == 0}
    if policy.best:
        measured = [each for each in good if each.metric is not None]
        keep |= set(sorted(measured, key=lambda each: each.metric or 0.0)[: policy.best])
    return Outcome(
        tuple(each for each in newest if each in keep),
        tuple(each for each in newest if each not in keep),
    )


def days_until_full(free_bytes: int, checkpoint_bytes: int, interval_minutes: float) -> float:
    """Days until no further checkpoint fits, when none is removed; infinite where none grows."""
    if checkpoint_bytes <= 0:
        return math.inf
    return free_bytes // checkpoint_bytes * interval_minutes / _MINUTES_PER_DAY


def days_until_full_under(
    policy: Policy,
    outcome: Outcome,
    free_bytes: int,
    checkpoint_bytes: int,
    interval_minutes: float,
    interval_steps: int | None,
) -> float:
    """Days until no further checkpoint fits while a policy is followed; infinite where never.

    What the policy frees is free, then; it fills up while there are fewer than it keeps, and by its
    multiples for ever. A new checkpoint is written before an old one is removed.

    Args:
        policy: The policy.
        outcome: What it does with what is there.
        free_bytes: Of the disk.
        checkpoint_bytes: Size of the next checkpoints.
        interval_minutes: Between two saves.
        interval_steps: The same in steps; None where unknown, then every save may be a multiple.
    """
    if checkpoint_bytes <= 0:
        return math.inf
    room = (free_bytes + outcome.freed_bytes) // checkpoint_bytes
    has_metric = any(each.metric is not None for each in outcome.kept + outcome.freed)
    most = (policy.last or 1) + ((policy.best or 0) if has_metric else 0)
    missing = max(0, most - len(outcome.kept))
    if room <= missing:
        return room * interval_minutes / _MINUTES_PER_DAY
    if policy.every_steps is None:
        return math.inf
    between = 1.0
    if interval_steps:
        between = math.lcm(policy.every_steps, interval_steps) / interval_steps
    return (missing + (room - missing) * between) * interval_minutes / _MINUTES_PER_DAY


def checkpoints_against_corruption(late_minutes: float, period_minutes: float) -> int:
    """How many to keep so that one before silent corruption is among them.

    Found L minutes late, the last L/P of them hold it: ceil(L/P) + 1 (first order).
    """
    return math.ceil(min(late_minutes / period_minutes, _MOST_CHECKPOINTS)) + 1

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
        best: The n of the least metric.
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
    """What a policy keeps and frees, newest first.

    The newest resumable checkpoint is always kept: without it a restart begins at step 0.

    Raises:
        ValueError: A number of the policy is below 1.
    """
    for name, value in policy._asdict().items():
        if value is not None and value < 1:
            raise ValueError(f"{name}: need a whole number from 1, got {value}")
    newest = sorted(stored, key=lambda each: (-each.step, each.path))
    good = [each for each in newest if each.resumable]
    keep = set(good[: policy.last or 1])
    if policy.every_steps:
        keep |= {each for each in newest if each.step % policy.every_steps == 0}
    if policy.best:
        measured = [each for each in newest if each.metric is not None]
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


def checkpoints_against_corruption(late_minutes: float, period_minutes: float) -> int:
    """How many to keep so that one before silent corruption is among them.

    Found L minutes late, the last L/P of them hold it: ceil(L/P) + 1 (first order).
    """
    return math.ceil(late_minutes / period_minutes) + 1

"""How much a plan writes and keeps, under a retention policy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.retention import Policy
    from ckpt_tui.planner.rows import ExactRow

_MINUTES_PER_DAY = 1440


class Storage(NamedTuple):
    """Durable bytes of a run at one interval; level 2 only where there are two.

    Attributes:
        bytes_per_day: Written per day of wall time; None where the run does not finish.
        written_bytes: Written in all.
        kept_checkpoints: Left at the end of the run, at most.
        kept_bytes: Their size.
    """

    bytes_per_day: float | None
    written_bytes: int
    kept_checkpoints: int
    kept_bytes: int


def storage_of(inputs: PlanInputs, row: ExactRow, policy: Policy | None = None) -> Storage | None:
    """What one listed interval writes and keeps; None where the checkpoint's size is not given.

    Args:
        inputs: The plan's.
        row: One of its rows.
        policy: What is kept; None keeps everything.
    """
    size = inputs.checkpoint_bytes
    if size is None:
        return None
    saves = math.ceil(row.save_count / (row.level2_every_saves or 1))
    daily = None
    if row.budget:
        daily = saves * size / (row.budget.wall_minutes / _MINUTES_PER_DAY)
    kept = saves if policy is None else _kept(inputs, row, policy, saves)
    return Storage(daily, saves * size, kept, kept * size)


def _kept(inputs: PlanInputs, row: ExactRow, policy: Policy, saves: int) -> int:
    """Upper bound: no checkpoint is kept for two reasons."""
    kept = (policy.last or 1) + (policy.best or 0)
    if policy.every_steps:
        kept += _multiples(inputs, row, policy.every_steps, saves)
    return min(saves, kept)


def _multiples(inputs: PlanInputs, row: ExactRow, every_steps: int, saves: int) -> int:
    """Saves on a multiple of that step; all of them where the time of a step is not given."""
    if inputs.step_seconds is None:
        return saves
    between = row.interval_minutes * (row.level2_every_saves or 1) * 60 / inputs.step_seconds
    steps = max(1, round(between))
    return saves * steps // math.lcm(steps, every_steps)

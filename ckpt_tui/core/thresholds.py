"""Limits that an operator sets for a run, and the levels that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import Level

if TYPE_CHECKING:
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot


class Thresholds(NamedTuple):
    """Limits of age (seconds), number of good checkpoints, and whether there must be any."""

    warn_age_seconds: float | None = None
    crit_age_seconds: float | None = None
    min_good: int | None = None
    expect_checkpoint: bool = False


def levels_of(snapshot: Snapshot, thresholds: Thresholds, now: float) -> tuple[Level, ...]:
    """The level of each run; one level for a root without runs or that cannot be read."""
    if snapshot.error:
        return (Level.UNKNOWN,)
    levels = [level_of(run, thresholds, now) for run in snapshot.runs]
    if snapshot.problems and all(level is Level.EMPTY for level in levels):
        return (Level.UNKNOWN,)
    if not levels or all(level is Level.EMPTY for level in levels):
        return (Level.CRITICAL if thresholds.expect_checkpoint else Level.EMPTY,)
    # An export alone says nothing about a job, so it does not drag other runs along.
    return tuple(level for level in levels if level is not Level.EMPTY)


def level_of(run: Run, thresholds: Thresholds, now: float) -> Level:
    """The level of one run under the operator's limits."""
    if run.resume is None or run.level in (Level.CRITICAL, Level.UNKNOWN):
        return run.level
    age = now - run.resume.committed_at if run.resume.committed_at else None
    if _over(age, thresholds.crit_age_seconds):
        return Level.CRITICAL
    too_few = thresholds.min_good is not None and len(run.good) < thresholds.min_good
    if _over(age, thresholds.warn_age_seconds) or too_few:
        return Level.WARNING
    return run.level


def _over(age_seconds: float | None, limit_seconds: float | None) -> bool:
    return age_seconds is not None and limit_seconds is not None and age_seconds > limit_seconds

"""Alarms about the pace of saves: one that stands still, slow ones, one that is overdue."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.alarms.sight import IDLE_FACTOR, IDLE_SECONDS
from ckpt_tui.core.alarms.values import AlarmCode, AlarmLevel, Condition
from ckpt_tui.core.text import bytes_text, duration_text, plural, ranks_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.alarms.sight import Limits
    from ckpt_tui.core.alarms.traits import Traits
    from ckpt_tui.core.checkpoint import Checkpoint, SaveProgress

SLOW_LEAST_SECONDS = 5.0
"""A save that takes longer than usual by less is not worth a word."""
_RANKS_NAMED = 3


class Ages(NamedTuple):
    """What has passed, in seconds.

    Attributes:
        since_commit: Since the newest commit; None where there is none.
        since_sign: Since the newest write or commit; None where there is none.
        since_begin: For how long the save in flight has been watched; 0 where there is none.
    """

    since_commit: float | None
    since_sign: float | None
    since_begin: float = 0.0


def has_ended(traits: Traits, ages: Ages) -> bool:
    """Whether the job ended long ago, so that nobody waits for its next save."""
    if traits.saving is not None or ages.since_sign is None:
        return False
    interval = traits.interval_seconds
    limit = IDLE_SECONDS if interval is None else interval * IDLE_FACTOR
    return ages.since_sign > limit


def save_conditions(
    traits: Traits, ages: Ages, limits: Limits, slowing: bool
) -> Iterator[Condition]:
    """The rules about the save in flight, the last saves and the next one.

    Args:
        traits: The run.
        ages: What has passed.
        limits: The operator's.
        slowing: Whether its saves were said to get slower.
    """
    saving = traits.saving
    if saving is not None and saving.progress is not None:
        yield from _stalled(traits, saving, saving.progress, limits)
    yield from _slow(traits, saving, ages, limits)
    trend = traits.trend
    if trend is not None and trend.rises(slowing):
        times = f"{duration_text(trend.first_seconds)} → {duration_text(trend.last_seconds)}"
        message = f"saves get slower: {times} over the last {trend.saves}"
        yield _warning(AlarmCode.SAVES_SLOWING, message, traits)
    if saving is None:
        yield from _overdue(traits, ages, limits)


def _stalled(
    traits: Traits, saving: Checkpoint, progress: SaveProgress, limits: Limits
) -> Iterator[Condition]:
    silent = progress.silent_ranks
    ranks = len(saving.facts.expected_ranks or saving.facts.shards)
    if silent and 2 * len(silent) <= ranks:
        seconds = progress.ranks_silent_seconds or progress.silent_seconds
        writing = progress.ranks_behind - len(silent)
        others = "the others are done"
        if writing > 0:
            others = "another still writes" if writing == 1 else f"{writing} others still write"
        who, since = ranks_text(silent, _RANKS_NAMED), duration_text(seconds)
        message = f"{who} have written nothing for {since}, {others} ({saving.title})"
        if len(silent) == 1:
            message = f"{who} has written nothing for {since}, {others} ({saving.title})"
        yield _warning(AlarmCode.RANKS_STALLED, message, traits, saving)
    elif progress.silent_seconds >= limits.stalled_seconds:
        share = progress.fraction
        reached = bytes_text(progress.size_bytes) if share is None else f"{int(100 * share)} %"
        message = (
            f"{saving.title}: nothing has grown for {duration_text(progress.silent_seconds)},"
            f" it stands at {reached}"
        )
        yield _warning(AlarmCode.SAVE_STALLED, message, traits, saving)


def _slow(
    traits: Traits, saving: Checkpoint | None, ages: Ages, limits: Limits
) -> Iterator[Condition]:
    usual, taken = traits.exact_usual_seconds, ages.since_begin
    if saving is not None and usual is not None and _is_slow(taken, usual, limits):
        message = (
            f"{saving.title} takes {duration_text(taken)} by now,"
            f" a save usually takes {duration_text(usual)}"
        )
        yield _warning(AlarmCode.SAVE_SLOW, message, traits, saving)
        return
    usual, last = traits.usual_save_seconds, traits.last_save_seconds
    if usual is not None and last is not None and _is_slow(last, usual, limits):
        message = (
            f"the last save took {duration_text(last)}, usually it takes {duration_text(usual)}"
        )
        yield _warning(AlarmCode.SAVE_SLOW, message, traits)


def _is_slow(seconds: float, usual: float, limits: Limits) -> bool:
    return seconds >= max(limits.slow_factor * usual, usual + SLOW_LEAST_SECONDS)


def _overdue(traits: Traits, ages: Ages, limits: Limits) -> Iterator[Condition]:
    interval, age = traits.interval_seconds, ages.since_commit
    if interval is None or age is None or age < limits.late_intervals * interval:
        return
    passed = f"no save for {age / interval:.1f} intervals"
    message = f"{passed}: {duration_text(age)}, usually every {duration_text(interval)}"
    if has_ended(traits, ages):
        message = f"{passed}: the job has probably ended"
    yield _warning(AlarmCode.CADENCE_BROKEN, message, traits)


def room_condition(
    free_bytes: int | None, traits: list[Traits], limits: Limits, raised: AlarmLevel | None
) -> Iterator[Condition]:
    """The disk that is full in a few saves; it takes room for one more save to take that back.

    Args:
        free_bytes: Of the root's file system; None where unknown.
        traits: Runs that save.
        limits: The operator's.
        raised: The level that it has; None where there is no such alarm.
    """
    largest = max(traits, key=lambda t: t.size_bytes, default=None)
    if free_bytes is None or largest is None or not largest.size_bytes:
        return
    saves = free_bytes / largest.size_bytes
    if saves < 1 + (raised is AlarmLevel.CRITICAL):
        level = AlarmLevel.CRITICAL
    elif saves < limits.disk_saves + (raised is not None):
        level = AlarmLevel.WARNING
    else:
        return
    left = "less than one save" if saves < 1 else plural(int(saves), "more save")
    message = (
        f"the disk has room for {left}: {bytes_text(free_bytes)} free,"
        f" a save has {bytes_text(largest.size_bytes)}"
    )
    yield Condition(AlarmCode.DISK_FULL, level, message)


def _warning(
    code: AlarmCode, message: str, traits: Traits, checkpoint: Checkpoint | None = None
) -> Condition:
    path = "" if checkpoint is None else checkpoint.path
    return Condition(code, AlarmLevel.WARNING, message, traits.name, path, path)

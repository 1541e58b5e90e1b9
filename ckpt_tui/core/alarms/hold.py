"""Keeps alarms from flapping: raised at once, cleared only when their rule has long not held."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.alarms.values import Alarm, Event, EventKind, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ckpt_tui.core.alarms.values import AlarmLevel, Condition

HOLD_SECONDS = 10.0
"""A rule has to have failed, or its level to have been lower, for so long."""
MOST_HOLD_SECONDS = 640.0
"""An alarm that comes back soon after it was cleared is held twice as long, up to this."""
REMEMBERED_FACTOR = 10
"""What was cleared is remembered so many times as long as it was held."""
MOST_ALARMS = 500


class Held(NamedTuple):
    """An alarm that is raised, will be, or was lately. Times but `since` are monotonic seconds.

    Attributes:
        alarm: As it was raised, with the newest message.
        began: Since when its rule holds.
        waits: True where it has to hold for longer before it is raised.
        gone_at: Since when its rule does not hold; None while it does.
        lower_at: Since when its level would be lower; None while it would not.
        cleared_at: When it was cleared; None while it is raised.
        hold_seconds: How long its rule has to fail before it is cleared.
    """

    alarm: Alarm
    began: float
    waits: bool = False
    gone_at: float | None = None
    lower_at: float | None = None
    cleared_at: float | None = None
    hold_seconds: float = HOLD_SECONDS

    @property
    def raised(self) -> bool:
        """Whether it was told and is not cleared yet."""
        return self.cleared_at is None and not self.waits

    @property
    def shown(self) -> bool:
        """Whether it is raised and its rule holds."""
        return self.raised and self.gone_at is None


class Moment(NamedTuple):
    """One instant: seconds since the epoch, and monotonic seconds.

    Attributes:
        first: True at the first look.
    """

    wall: float
    monotonic: float
    first: bool = False


def hold(
    held: Mapping[Key, Held], conditions: Iterable[Condition], now: Moment
) -> tuple[dict[Key, Held], list[Event]]:
    """Takes the rules that hold now into account; returns what is held then, and what changed.

    Args:
        held: What was held before.
        conditions: The rules that hold. Of those of one key the loudest counts.
        now: When.
    """
    present: dict[Key, Condition] = {}
    for condition in sorted(conditions, key=lambda c: -c.level.loudness):
        if len(present) < MOST_ALARMS:
            present.setdefault(condition.key, condition)
    events: list[Event] = []
    kept: dict[Key, Held] = {}
    for key, condition in present.items():
        kept[key], told = _holds(held.get(key), condition, now)
        events += told
    for key in held.keys() - present.keys():
        still, told = _fails(held[key], now)
        events += told
        if still is not None:
            kept[key] = still
    return kept, events


def _holds(
    before: Held | None, condition: Condition, now: Moment
) -> tuple[Held, tuple[Event, ...]]:
    if before is None or not before.raised:
        return _raise(before, condition, now)
    old = before.alarm
    level, lower_at = old.level, None
    if condition.level.loudness > old.level.loudness:
        level = condition.level
    elif condition.level is not old.level:
        lower_at = now.monotonic if before.lower_at is None else before.lower_at
        if now.monotonic - lower_at >= before.hold_seconds:
            level, lower_at = condition.level, None
    alarm = _alarm(condition, level, old.since)
    changed = level is not old.level
    events = (_event(alarm, EventKind.CHANGED, now),) if changed else ()
    return before._replace(alarm=alarm, gone_at=None, lower_at=lower_at), events


def _raise(
    before: Held | None, condition: Condition, now: Moment
) -> tuple[Held, tuple[Event, ...]]:
    """Raises it, or lets it wait; at the first look nothing is known to be under way."""
    hold_seconds, began, since = HOLD_SECONDS, now.monotonic, now.wall
    if before is not None and before.waits:
        hold_seconds, began, since = before.hold_seconds, before.began, before.alarm.since
    elif before is not None:
        hold_seconds = min(MOST_HOLD_SECONDS, 2 * before.hold_seconds)
    alarm = _alarm(condition, condition.level, since)
    waits = not now.first and now.monotonic - began < condition.raise_after_seconds
    held = Held(alarm, began, waits, hold_seconds=hold_seconds)
    return held, () if waits else (_event(alarm, EventKind.RAISED, now),)


def _fails(before: Held, now: Moment) -> tuple[Held | None, tuple[Event, ...]]:
    if before.waits:
        return None, ()
    if before.cleared_at is not None:
        age = now.monotonic - before.cleared_at
        forgotten = age >= REMEMBERED_FACTOR * before.hold_seconds
        return None if forgotten else before, ()
    gone_at = now.monotonic if before.gone_at is None else before.gone_at
    if now.monotonic - gone_at < before.hold_seconds:
        return before._replace(gone_at=gone_at, lower_at=None), ()
    event = _event(before.alarm, EventKind.CLEARED, now)
    event = event._replace(lasted_seconds=gone_at - before.began)
    return before._replace(gone_at=gone_at, cleared_at=now.monotonic), (event,)


def _alarm(condition: Condition, level: AlarmLevel, since: float) -> Alarm:
    return Alarm(
        condition.code, level, condition.message, condition.run, condition.checkpoint, since
    )


def _event(alarm: Alarm, kind: EventKind, now: Moment) -> Event:
    return Event(
        now.wall,
        kind,
        alarm.code.value,
        alarm.level,
        alarm.message,
        alarm.run,
        alarm.checkpoint,
        first=now.first,
    )

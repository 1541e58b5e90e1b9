"""Alarms and events as values."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class AlarmLevel(StrEnum):
    """How loud an alarm is."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"

    @property
    def loudness(self) -> int:
        """0 for the quietest."""
        return _LEVELS.index(self)


_LEVELS = tuple(AlarmLevel)


class AlarmCode(StrEnum):
    """What an alarm is about, the most urgent first; docs/alarms.md has the rule of each."""

    ROOT_UNREADABLE = "root-unreadable"
    LOOK_HANGS = "look-hangs"
    LOOK_FAILED = "look-failed"
    NOTHING_TO_RESUME = "nothing-to-resume"
    DISK_FULL = "disk-full"
    SAVE_STALLED = "save-stalled"
    RANKS_STALLED = "ranks-stalled"
    NEWEST_FAILED = "newest-failed"
    MIXED_RUNS = "mixed-runs"
    CADENCE_BROKEN = "cadence-broken"
    SAVE_SLOW = "save-slow"
    POINTER_TRAP = "pointer-trap"
    TOO_FEW_GOOD = "too-few-good"
    SAVES_SLOWING = "saves-slowing"
    RUN_FINDING = "run-finding"
    RESUME_POINT_WARNED = "resume-point-warned"
    DIRECTORY_UNREADABLE = "directory-unreadable"
    DELIVERY_FAILING = "delivery-failing"
    OLDER_DAMAGED = "older-damaged"
    REMARK = "remark"


_URGENCY = {code: place for place, code in enumerate(AlarmCode)}


class EventCode(StrEnum):
    """What happened to a run, where it is no alarm."""

    SAVE_BEGAN = "save-began"
    SAVE_COMMITTED = "save-committed"
    SAVE_DIED = "save-died"
    BYTES_WRONG = "bytes-wrong"
    DELETED = "deleted"
    RESTART = "restart"
    RUN_BEGAN = "run-began"
    RUN_GONE = "run-gone"
    RUN_LEVEL = "run-level"
    DELIVERY_FAILED = "delivery-failed"


class EventKind(StrEnum):
    """What an event says of its alarm; HAPPENED where it is of none."""

    RAISED = "raised"
    CHANGED = "changed"
    CLEARED = "cleared"
    HAPPENED = "happened"


class RunName(NamedTuple):
    """Which run something is about.

    Attributes:
        path: Absolute path of its directory; "" where it is about the root as a whole.
        name: As tables show it.
    """

    path: str = ""
    format: str = ""
    name: str = ""


NO_RUN = RunName()


class Condition(NamedTuple):
    """An alarm's rule holds at this moment.

    Attributes:
        subject: Tells alarms of one code and run apart: a path, a finding's code.
        checkpoint: Absolute path; "" where it is about none.
        raise_after_seconds: It passes by itself in the ordinary course of a save, if in so long.
    """

    code: AlarmCode
    level: AlarmLevel
    message: str
    run: RunName = NO_RUN
    subject: str = ""
    checkpoint: str = ""
    raise_after_seconds: float = 0.0

    @property
    def key(self) -> Key:
        """What stays the same while the message changes."""
        return (self.code, self.run, self.subject)


Key = tuple[AlarmCode, RunName, str]


class Alarm(NamedTuple):
    """An alarm that is raised.

    Attributes:
        since: Seconds since the epoch.
    """

    code: AlarmCode
    level: AlarmLevel
    message: str
    run: RunName
    checkpoint: str
    since: float


class Event(NamedTuple):
    """A line of the event log.

    Attributes:
        at: Seconds since the epoch.
        code: An `AlarmCode` or an `EventCode`.
        first: True for what stood there at the first look: it is news to nobody.
        lasted_seconds: Of an alarm that was cleared: how long it held.
    """

    at: float
    kind: EventKind
    code: str
    level: AlarmLevel
    message: str
    run: RunName = NO_RUN
    checkpoint: str = ""
    first: bool = False
    lasted_seconds: float | None = None


def loudest_first(alarms: list[Alarm]) -> tuple[Alarm, ...]:
    """By level, then by urgency; among equals the order stays."""
    return tuple(sorted(alarms, key=lambda a: (-a.level.loudness, _URGENCY[a.code])))

"""What a frame tells beside the picture: what happened, and how the watching went."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.alarms.values import AlarmLevel, EventKind

if TYPE_CHECKING:
    from ckpt_tui.core.status import Status


class RecordedEvent(NamedTuple):
    """Something that happened between the frame before and this one.

    Attributes:
        level: How loud it is.
        kind: What it says of its alarm.
        code: Of the alarm or of the event; "" in recordings that do not tell it.
        run: Name of the run that it is about; "" where there is only one, or it is about none.
        checkpoint: Absolute path; "" where it is about none.
        lasted_seconds: Of an alarm that was cleared: how long it held.
        first: Whether it stood there when recording began: it is news to nobody.
    """

    level: AlarmLevel
    message: str
    kind: EventKind = EventKind.HAPPENED
    code: str = ""
    run: str = ""
    checkpoint: str = ""
    lasted_seconds: float | None = None
    first: bool = False

    @property
    def is_warning(self) -> bool:
        """Whether something went wrong then: news, and no alarm that was cleared."""
        loud = self.level is not AlarmLevel.INFO
        return loud and self.kind is not EventKind.CLEARED and not self.first

    @property
    def text(self) -> str:
        """The message, with the run where there are several."""
        return f"{self.run}: {self.message}" if self.run else self.message


class RecordedStatus(NamedTuple):
    """How the watching went. Times are seconds of the recorder's monotonic clock.

    Attributes:
        mode: How changes were heard of.
        reason: Why that mode was chosen.
        last_look_monotonic: When the last look ended; None before the first.
        error: Why the last look failed; None where it did not.
        hanging_since_monotonic: Since when a look waited; None where none did.
        hanging_path: What it waited for; "" where that was not known.
        calls_per_second: Calls of the file system.
        rest_seconds: The pause between looks where it was made longer; None at the usual pace.
    """

    mode: str
    reason: str
    last_look_monotonic: float | None = None
    error: str | None = None
    hanging_since_monotonic: float | None = None
    hanging_path: str = ""
    calls_per_second: float = 0.0
    rest_seconds: float | None = None

    @classmethod
    def of(cls, status: Status) -> RecordedStatus:
        """The same, as it is written down."""
        return cls(
            status.mode,
            status.reason,
            status.last_look_monotonic,
            status.error,
            status.hanging_since_monotonic,
            status.hanging_path,
            status.calls_per_second,
            status.rest_seconds,
        )

    @property
    def state(self) -> tuple[str, str, str | None, bool]:
        """What is worth a frame of its own when it changes."""
        return self.mode, self.reason, self.error, self.hanging_since_monotonic is not None

"""What the dashboard needs from outside: a feed of pictures, and a clock."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.snapshot import Snapshot


class Status(Protocol):
    """How the watching goes; times are monotonic seconds."""

    @property
    def mode(self) -> str:
        """How changes are heard of ("inotify", "poll")."""

    @property
    def reason(self) -> str:
        """Why that mode was chosen."""

    @property
    def last_look_monotonic(self) -> float | None:
        """When the last look ended; None before the first."""

    @property
    def error(self) -> str | None:
        """Why the last look failed; None where it did not."""

    @property
    def hanging_since_monotonic(self) -> float | None:
        """Since when a look has waited for an answer that does not come; None where none hangs."""

    @property
    def hanging_path(self) -> str:
        """What that look waits for; "" where that is not known."""

    @property
    def calls_per_second(self) -> float:
        """Calls of the file system over the last seconds."""

    @property
    def rest_seconds(self) -> float | None:
        """The pause between looks where slowness made it longer; None at the usual pace."""


class Feed(Protocol):
    """Where pictures come from."""

    def snapshot(self) -> Snapshot:
        """The newest picture; never blocks."""

    def status(self) -> Status:
        """How the watching goes; never blocks."""

    def refresh(self) -> None:
        """Asks for a full look soon; never blocks."""

    def ask_world_size(self, world_size: int | None) -> None:
        """Asks for verdicts for a job of that size, soon; None for the writers' own size."""

    def start(self, on_change: Callable[[object], None]) -> None:
        """Begins to watch; `on_change` is called on the feed's own thread after each change."""

    def stop(self) -> None:
        """Ends the watching."""


class Clock(Protocol):
    """The time, so that a test can hold it still."""

    def wall(self) -> float:
        """Seconds since the epoch."""

    def monotonic(self) -> float:
        """Seconds of a clock that never goes back."""


class SystemClock:
    """The machine's clocks."""

    def wall(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds of a clock that never goes back."""
        return time.monotonic()

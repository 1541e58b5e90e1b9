"""The two clocks of a moment, so that a test, or a recording, can hold them still."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """The time."""

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

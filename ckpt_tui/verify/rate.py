"""How fast bytes are read of late, and how long the rest takes at that rate."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ckpt_tui.verify.results import Progress

WINDOW_SECONDS = 5.0
LEAST_SECONDS = 1.0
"""Before that, no rate is more than a guess."""
LEAST_LEFT_SECONDS = 0.1
"""Less is not told: more may be read than was expected, and the end is there any moment."""


class ReadRate:
    """The rate over the last seconds. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def note(self, progress: Progress, now: float) -> None:
        """Takes down how far it is."""
        self._seen.append((now, progress.read_bytes))
        while len(self._seen) > 2 and now - self._seen[1][0] >= WINDOW_SECONDS:
            self._seen.popleft()

    @property
    def bytes_per_second(self) -> float | None:
        """None until enough time has passed."""
        if not self._seen:
            return None
        (first, bytes_then), (last, bytes_now) = self._seen[0], self._seen[-1]
        seconds = last - first
        return (bytes_now - bytes_then) / seconds if seconds >= LEAST_SECONDS else None

    def left_seconds(self, progress: Progress) -> float | None:
        """Time for the rest; None where no rate is known, nothing moves, or hardly any is left."""
        rate = self.bytes_per_second
        seconds = (progress.total_bytes - progress.read_bytes) / rate if rate else 0.0
        return seconds if seconds >= LEAST_LEFT_SECONDS else None

"""How the watching goes: the mode, the last look, what hangs, and what it costs the file server."""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.fs.asking import asked_by, call_count

if TYPE_CHECKING:
    from collections.abc import Callable

HANGING_SECONDS = 5.0
RATE_WINDOW_SECONDS = 10.0
_SAMPLE_SECONDS = 0.5


class WatchStatus(NamedTuple):
    """How the watching goes. Times are seconds of the service's monotonic clock.

    Attributes:
        mode: `starting`, `inotify`, `events` (systems other than Linux) or `poll`.
        reason: Why this mode, in words.
        last_look_monotonic: When the last look ended; None before the first.
        looks: How many looks have succeeded.
        error: What the last look failed with; None if it succeeded.
        hanging_since_monotonic: Since when a look has been waiting for one answer of the file
            system, if for more than 5 s.
        hanging_path: What it waits for; "" where that is not known.
        calls_per_second: Calls of the file system, over the last 10 s.
        rest_seconds: The pause between two looks where looks take so long that it was made
            longer; None at the usual pace.
    """

    mode: str
    reason: str
    last_look_monotonic: float | None = None
    looks: int = 0
    error: str | None = None
    hanging_since_monotonic: float | None = None
    hanging_path: str = ""
    calls_per_second: float = 0.0
    rest_seconds: float | None = None


class CallRate:
    """Calls per second over the last seconds, from a count that only grows.

    Args:
        count: The calls so far.
    """

    def __init__(self, count: Callable[[], int] = call_count) -> None:
        self._count = count
        self._samples: deque[tuple[float, int]] = deque()

    def per_second(self, now: float) -> float:
        """The rate up to `now`, seconds of a clock that never goes back; 0 at the first call."""
        calls, samples = self._count(), self._samples
        if not samples or now - samples[-1][0] >= _SAMPLE_SECONDS:
            samples.append((now, calls))
        while len(samples) > 1 and now - samples[1][0] >= RATE_WINDOW_SECONDS:
            samples.popleft()
        began, before = samples[0]
        return (calls - before) / (now - began) if now > began else 0.0


class Hang(NamedTuple):
    """An answer that does not come.

    Attributes:
        since_monotonic: Since when it is waited for, seconds of the caller's clock.
        path: What was asked; "" where that is not known.
    """

    since_monotonic: float
    path: str


def hang_of(thread: int | None, busy_since: float, now: float) -> Hang | None:
    """Whether a thread that is busy has waited too long for one answer.

    Args:
        thread: The thread's `ident`.
        busy_since: When its work began, seconds of the caller's clock.
        now: The caller's clock.
    """
    asked = asked_by(thread)
    since, path = busy_since, ""
    if asked is not None:
        since = max(busy_since, now - (monotonic() - asked.since_monotonic))
        path = asked.path
    return Hang(since, path) if now - since > HANGING_SECONDS else None

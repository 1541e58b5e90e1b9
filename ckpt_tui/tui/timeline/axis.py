"""The time axis that all plots share: which part of the time is seen, its ticks and their texts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_STEPS_SECONDS = (
    1, 2, 5, 10, 20, 30,
    _MINUTE, 2 * _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 20 * _MINUTE, 30 * _MINUTE,
    _HOUR, 2 * _HOUR, 3 * _HOUR, 6 * _HOUR, 12 * _HOUR,
    _DAY, 2 * _DAY, 5 * _DAY, 10 * _DAY, 20 * _DAY, 50 * _DAY, 100 * _DAY, 200 * _DAY,
    500 * _DAY, 1000 * _DAY, 2000 * _DAY, 5000 * _DAY,
)  # fmt: skip
_LEAST_TICK_CELLS = 12
LEAST_SECONDS = 4.0
_MARGIN = 0.02


class Axis(NamedTuple):
    """A part of the time over a number of columns.

    Attributes:
        start: Seconds since the epoch at the left edge.
        end: At the right edge; later than `start`.
        columns: Cells.
    """

    start: float
    end: float
    columns: int

    @property
    def seconds(self) -> float:
        """How much time is seen."""
        return self.end - self.start

    def column(self, at: float) -> int:
        """The column that a time lies in; below 0 or from `columns` on it is out of sight."""
        across = (at - self.start) / self.seconds
        return self.columns - 1 if across == 1 else int(across * self.columns // 1)

    def shows(self, at: float) -> bool:
        """Whether a time is in sight."""
        return 0 <= self.column(at) < self.columns


class Window(NamedTuple):
    """What of the whole time is seen: seconds since the epoch."""

    start: float
    end: float

    def zoomed(self, at: float, factor: float, whole: Window) -> Window:
        """Seen closer (factor below 1) or from farther, around a time, within the whole."""
        seconds = max(LEAST_SECONDS, (self.end - self.start) * factor)
        if seconds >= whole.end - whole.start:
            return whole
        return Window(at - seconds / 2, at + seconds / 2).moved_into(whole)

    def with_in_sight(self, at: float, whole: Window) -> Window:
        """The same part, or one of the same length that has a time in its middle."""
        if self.start <= at <= self.end:
            return self
        half = (self.end - self.start) / 2
        return Window(at - half, at + half).moved_into(whole)

    def moved_into(self, whole: Window) -> Window:
        """The same length, not beyond the ends of the whole."""
        late = max(0.0, whole.start - self.start) or min(0.0, whole.end - self.end)
        return Window(self.start + late, self.end + late)


def whole_window(first: float, last: float) -> Window:
    """From the first time to the last, with a little room on both sides."""
    room = max(LEAST_SECONDS / 2, (last - first) * _MARGIN)
    return Window(first - room, last + room)


def ticks_of(axis: Axis) -> list[tuple[int, str]]:
    """Columns and texts of round UTC times, at least a text's width apart."""
    most = max(1, axis.columns // _LEAST_TICK_CELLS)
    steps = (step for step in _STEPS_SECONDS if axis.seconds / step <= most)
    step = next(steps, _STEPS_SECONDS[-1])
    first = int(-(-axis.start // step))
    last = min(int(axis.end // step), first + axis.columns)
    found: list[tuple[int, str]] = []
    day = ""
    for number in range(first, last + 1):
        text, day = _tick_text(number * step, step, day)
        if text and axis.shows(number * step):
            found.append((axis.column(number * step), text))
    return found


def _tick_text(at: int, step: int, day_before: str) -> tuple[str, str]:
    """The time of day, or the date where a new day begins; and the day."""
    try:
        moment = datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):  # a file may claim any time
        return "", day_before
    day = f"{moment:%Y-%m-%d}"
    if step >= _DAY or (day != day_before and moment.hour == moment.minute == moment.second == 0):
        return day, day
    return (f"{moment:%H:%M:%S}" if step < _MINUTE else f"{moment:%H:%M}"), day

"""The whole timeline as lines: three plots over one axis, the save under the cursor, the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text, duration_text
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, line, piece
from ckpt_tui.tui.timeline.axis import Axis
from ckpt_tui.tui.timeline.lanes import LABEL_CELLS, Canvas, Lane, lane_lines, signs_for
from ckpt_tui.tui.timeline.strips import axis_lines, events_line, saves_line
from ckpt_tui.tui.timeline.telling import event_lines, legend_line, save_lines
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from ckpt_tui.tui.timeline.axis import Window
    from ckpt_tui.tui.timeline.story import Story

_LEAST_COLUMNS = 10
_AROUND = 9
"""Lines beside plots and events: legend, two strips, axis, the save under the cursor, a blank."""
_LEAST_EVENTS = 3
_MOST_ROWS = 8


def _rate_text(bytes_per_second: float) -> str:
    """Nine letters have no room for the unit's "/s": the lane's name says that it is a rate."""
    return bytes_text(bytes_per_second)


LANES = (
    Lane(later("size"), lambda save: float(save.size_bytes), bytes_text, max, Tone.BUSY),
    Lane(later("took"), lambda save: save.save_seconds, duration_text, max, Tone.FAIR),
    Lane(later("rate/s"), lambda save: save.bytes_per_second, _rate_text, min, Tone.BUSY),
)
"""Of several saves in a column: the largest, the longest, the slowest. What no save shows has no
plot: times that a copy flattened tell no duration."""


def timeline_lines(
    story: Story,
    window: Window,
    place: int,
    now: float,
    size: tuple[int, int],
    ascii_only: bool = False,
) -> list[Line]:
    """Draws a run's saves over time.

    Args:
        story: The run.
        window: The time that is seen.
        place: The save under the cursor, counted from the oldest.
        now: Seconds since the epoch.
        size: Columns and lines there are; what does not fit below can be scrolled to.
        ascii_only: Draw with ASCII characters.
    """
    width, height = size
    if not story.saves:
        return [BLANK, line(piece(say("  no save with a time yet"), Tone.DIM))]
    columns = width - LABEL_CELLS
    if columns < _LEAST_COLUMNS:
        return [cut(text, width) for text in save_lines(story, place, now, width)]
    axis = Axis(window.start, window.end, columns)
    cursor_at = story.saves[place].at
    cursor = axis.column(cursor_at) if axis.shows(cursor_at) else -1
    canvas = Canvas(axis, cursor, signs_for(ascii_only))
    known = [lane for lane in LANES if any(lane.value_of(save) for save in story.saves)]
    rows = rows_for(height, len(known))
    plots = [each for lane in known for each in lane_lines(lane, story.saves, canvas, rows)]
    return [
        cut(legend_line(story), width),
        *plots,
        saves_line(story.saves, canvas),
        events_line(story, canvas),
        *axis_lines(canvas),
        *save_lines(story, place, now, width),
        BLANK,
        *event_lines(story, cursor_at, width),
    ]


def rows_for(height: int, plots: int) -> int:
    """Lines of each of so many plots, so that some events stay in sight below."""
    return max(1, min(_MOST_ROWS, (height - _AROUND - _LEAST_EVENTS) // max(1, plots)))

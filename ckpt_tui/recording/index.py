"""Where the frames of a recording begin, and when they were recorded."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.recording.lines import (
    FrameKind,
    LineError,
    check_size,
    frame_head,
    header_of,
    is_header,
)

if TYPE_CHECKING:
    from ckpt_tui.recording.lines import FrameHead
    from ckpt_tui.recording.told import RecordedEvent

_MOST_EVENTS = 100_000
_WHOLE = b"}\n"
_frame_of = itemgetter(0)


class TapeEvent(NamedTuple):
    """An event of the recording.

    Attributes:
        frame: Number of its frame, from 0.
    """

    frame: int
    event: RecordedEvent


class Index:
    """Takes the lines one after the other; some numbers are kept of each frame, and its events.

    Attributes:
        events: In the order of the file; no more than 100,000.
        cut_line: Number of the last line that a kill cut; 0 where none was.
        last_line: Number of the last line that is whole.
        sessions: How many times recording began.
        ended: Whether the last session ended on purpose.
        root: What the last session watched.
    """

    def __init__(self) -> None:
        self.events: list[TapeEvent] = []
        self.cut_line = 0
        self.last_line = 0
        self.sessions = 0
        self.ended = False
        self.root = ""
        self._offsets = array("q")
        self._lines = array("q")
        self._full = array("q")
        self._times = array("d")
        self._walls = array("d")
        self._monotonic: float | None = None
        self._after_cut = False

    def __len__(self) -> int:
        """How many frames there are."""
        return len(self._offsets)

    def offset_of(self, frame: int) -> int:
        """The byte that a frame's line begins with."""
        return self._offsets[frame]

    def line_of(self, frame: int) -> int:
        """The number of a frame's line, from 1."""
        return self._lines[frame]

    def time_of(self, frame: int) -> float:
        """Seconds from the first frame to this one; a step of the wall's clock does not count."""
        return self._times[frame]

    def wall_of(self, frame: int) -> float:
        """Seconds since the epoch when a frame was recorded."""
        return self._walls[frame]

    def frame_at(self, seconds: float) -> int:
        """The last frame that is not later than so many seconds after the first."""
        return max(0, bisect_right(self._times, seconds) - 1)

    def full_before(self, frame: int) -> int:
        """The nearest full frame that is not later."""
        return self._full[bisect_right(self._full, frame) - 1]

    def events_in(self, frame: int) -> list[TapeEvent]:
        """The events of one frame."""
        first = bisect_left(self.events, frame, key=_frame_of)
        return self.events[first : bisect_right(self.events, frame, key=_frame_of)]

    def events_until(self, frame: int) -> int:
        """How many of the events come with a frame that is not later."""
        return bisect_right(self.events, frame, key=_frame_of)

    @property
    def ends_cut(self) -> bool:
        """Whether the last line is not whole."""
        return self._after_cut

    def take(self, line: bytes, number: int, offset: int) -> None:
        """Takes the next line of the file.

        A line that is not whole is passed over where a kill explains it: it is the last, or a new
        session follows.

        Raises:
            LineError: It is none of a recording, or at a wrong place.
        """
        check_size(line)
        if not line.endswith(_WHOLE):
            self._take_cut(number)
            return
        self.last_line = number
        self._take_whole(line, number, offset)

    def _take_whole(self, line: bytes, number: int, offset: int) -> None:
        if is_header(line):
            header = header_of(line)
            self.sessions, self.ended, self.root = self.sessions + 1, False, header.root
            self._monotonic, self._after_cut = None, False
        elif not self.sessions:
            raise LineError("it is no recording of ckpt-tui, whose first line says so")
        elif self._after_cut:
            raise LineError("the line before it is not whole")
        else:
            self._take_frame(frame_head(line), number, offset)

    def _take_cut(self, number: int) -> None:
        if not self.sessions:
            raise LineError("it is no recording of ckpt-tui, whose first line says so")
        if self._after_cut:
            raise LineError("it is not whole, and so is the line before it")
        self.cut_line, self._after_cut = number, True

    def _take_frame(self, head: FrameHead, number: int, offset: int) -> None:
        if head.kind is FrameKind.END:
            self.ended = True
            return
        if self._monotonic is None and head.kind is not FrameKind.FULL:
            raise LineError("a frame that tells only changes is the first of its session")
        frame = len(self._offsets)
        if head.kind is FrameKind.FULL:
            self._full.append(frame)
        self._times.append(self._time_after(head))
        self._walls.append(head.at)
        self._offsets.append(offset)
        self._lines.append(number)
        self._monotonic = head.monotonic
        room = _MOST_EVENTS - len(self.events)
        self.events += [TapeEvent(frame, event) for event in head.events[:room]]

    def _time_after(self, head: FrameHead) -> float:
        """Within a session the monotonic clock counts; between two, the wall's."""
        if not self._times:
            return 0.0
        before = self._monotonic
        passed = head.at - self._walls[-1] if before is None else head.monotonic - before
        return self._times[-1] + max(0.0, passed)

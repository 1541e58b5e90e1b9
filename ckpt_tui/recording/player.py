"""Where in a recording one is, and how it goes on from there: time, frame, speed, events."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from ckpt_tui.recording.output import RecordingError

if TYPE_CHECKING:
    from ckpt_tui.recording.index import TapeEvent
    from ckpt_tui.recording.tape import Shown, Tape

SPEEDS = (1.0, 10.0, 60.0, 600.0, 3600.0)
_FIRST_SPEED = 10.0


class Player:
    """Plays a tape; it stands still until it is told to play.

    Attributes:
        tape: What is played.
        playing: Whether time goes on.
        speed: Seconds of the recording for a second that passes.
        frame: Number of the frame that is shown, from 0.
        seconds: Time since the first frame.
        shown: What is on the screen.
        problem: Why the frame that was asked for cannot be shown, or "".

    Raises:
        RecordingError: The first frame cannot be read.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.playing = False
        self.speed = _FIRST_SPEED
        self.frame = 0
        self.seconds = 0.0
        self.shown: Shown = tape.show(0)
        self.problem = ""
        self._asked = 0  # beyond a frame that cannot be shown one goes on from there
        events = tape.index.events
        self._event_frames = sorted({e.frame for e in events if not e.event.first})
        self._warning_frames = sorted({e.frame for e in events if e.event.is_warning})

    @property
    def wall(self) -> float:
        """Seconds since the epoch of the moment that is shown."""
        return self.shown.at + self._since_frame

    @property
    def monotonic(self) -> float:
        """The same moment by the recorder's monotonic clock."""
        return self.shown.monotonic + self._since_frame

    @property
    def _since_frame(self) -> float:
        return self.seconds - self.tape.index.time_of(self.frame)

    @property
    def last(self) -> int:
        """Number of the last frame."""
        return len(self.tape.index) - 1

    @property
    def next_event(self) -> TapeEvent | None:
        """The first event after the frame that is shown; the loudest of its frame."""
        place = bisect_right(self._event_frames, self.frame)
        if place == len(self._event_frames):
            return None
        return self._events_at(self._event_frames[place])[0]

    @property
    def events_now(self) -> list[TapeEvent]:
        """What happened at the frame that is shown, the loudest first."""
        return self._events_at(self.frame)

    def _events_at(self, frame: int) -> list[TapeEvent]:
        found = self.tape.index.events_in(frame)
        news = [each for each in found if not each.event.first]
        return sorted(news, key=lambda e: (not e.event.is_warning, -e.event.level.loudness))

    def advance(self, passed_seconds: float) -> bool:
        """Lets so much time pass where it plays; says whether another frame is shown."""
        if not self.playing:
            return False
        end = self.tape.index.time_of(self.last)
        self.seconds = min(end, self.seconds + passed_seconds * self.speed)
        self.playing = self.seconds < end
        return self._show(self.tape.index.frame_at(self.seconds))

    def toggle(self) -> None:
        """Plays, or stands still; from the end it begins anew."""
        if not self.playing and self.frame == self.last:
            self.go(0)
        self.playing = not self.playing and not self.problem

    def go(self, frame: int) -> None:
        """Shows a frame as it came; beyond the ends the first or the last."""
        frame = max(0, min(self.last, frame))
        self.seconds = self.tape.index.time_of(frame)
        self._show(frame)

    def step(self, by: int) -> None:
        """Shows a frame so many further on, or back."""
        self.go(self._asked + by)

    def skip(self, seconds: float) -> None:
        """Goes on, or back, by so much time."""
        end = self.tape.index.time_of(self.last)
        self.seconds = max(0.0, min(end, self.seconds + seconds))
        self._show(self.tape.index.frame_at(self.seconds))

    def go_to_event(self, direction: int) -> None:
        """Shows the next frame with an event, or the one before; else the last or the first."""
        frames = self._event_frames
        if direction > 0:
            place = bisect_right(frames, self._asked)
            self.go(frames[place] if place < len(frames) else self.last)
        else:
            place = bisect_left(frames, self._asked) - 1
            self.go(frames[place] if place >= 0 else 0)

    def go_to_warning(self, direction: int) -> bool:
        """Shows the next frame at which something went wrong, or the one before.

        Returns:
            False where there is none in that direction: it stays where it is.
        """
        frames = self._warning_frames
        after = bisect_right(frames, self._asked)
        place = after if direction > 0 else bisect_left(frames, self._asked) - 1
        if not 0 <= place < len(frames):
            return False
        self.go(frames[place])
        return True

    def change_speed(self, by: int) -> None:
        """Plays faster or slower by so many of the speeds there are."""
        place = SPEEDS.index(self.speed) + by
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, place))]

    def _show(self, frame: int) -> bool:
        """Loads a frame; where it cannot be read the last good one stays, and time stands still."""
        self._asked = frame
        if frame == self.frame and not self.problem:
            return False
        try:
            self.shown = self.tape.show(frame)
        except RecordingError as error:
            self.problem, self.playing = str(error), False
            self.seconds = self.tape.index.time_of(self.frame)
            return False
        self.frame, self.problem = frame, ""
        return True

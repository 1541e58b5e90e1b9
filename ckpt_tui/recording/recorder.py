"""Writes down every picture that differs, on a thread of its own.

A disk can hang or be full: neither the screen nor the watching waits for it, and a failure is one
remark. Only the newest picture waits to be written, and frames keep a distance in time, so that
the cost is bounded however fast pictures come.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ckpt_tui.core.alarms.look_out import NOTHING_REMEMBERED, look_out
from ckpt_tui.core.alarms.sight import Sight
from ckpt_tui.core.clock import SystemClock
from ckpt_tui.core.text import bytes_text
from ckpt_tui.newest import Newest
from ckpt_tui.recording.delta import delta
from ckpt_tui.recording.lines import (
    Frame,
    FrameHead,
    FrameKind,
    LineError,
    check_size,
    frame_line,
    header_line,
)
from ckpt_tui.recording.output import MOST_BYTES, RecordingError, RecordingFile
from ckpt_tui.recording.pictures import PictureEncoder
from ckpt_tui.recording.told import RecordedEvent, RecordedStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.alarms.values import Event
    from ckpt_tui.core.clock import Clock
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.status import Status

LEAST_APART_SECONDS = 0.25
STATUS_SECONDS = 1.0
"""Pace at which the watching itself is looked at: a look that hangs brings no picture."""
ALIVE_SECONDS = 60.0
"""A frame comes at least so often, so that a silence is told from a recorder that died."""
_LEAST_BETWEEN_FULL = 2**20


class Recorder:
    """Writes frames to a file until it is stopped.

    Args:
        path: The file; checked against the watched directory by who asks.
        status: How the watching goes; asked once a second.
        on_failure: Called on the recorder's thread when recording ended for a reason.
        clock: The time.
    """

    def __init__(
        self,
        path: str,
        status: Callable[[], Status],
        on_failure: Callable[[], None],
        clock: Clock | None = None,
    ) -> None:
        self._file = RecordingFile(path)
        self._status = status
        self._on_failure = on_failure
        self._writer = FrameWriter(self._file, clock or SystemClock())
        self._newest: Newest[Snapshot] = Newest()
        self._problem = ""
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)

    @property
    def remarks(self) -> tuple[tuple[str, str], ...]:
        """(path, reason) where recording ended."""
        return ((self._file.path, self._problem),) if self._problem else ()

    def start(self) -> None:
        """Begins to write what is offered."""
        self._thread.start()

    def offer(self, snapshot: Snapshot) -> None:
        """Takes a new snapshot; never blocks."""
        self._newest.offer(snapshot)

    def stop(self, seconds: float) -> None:
        """Ends after what was offered last is written, or after so many seconds with a remark."""
        self._newest.close()
        self._thread.join(seconds)
        if self._thread.is_alive():
            self._problem = f"no answer in {seconds:g} s: what came last is not in it"

    def _work(self) -> None:
        try:
            with self._file:
                while self._write_next():
                    pass
        except Exception as error:  # whatever is wrong with recording, the watching goes on
            self._fail(f"nothing is recorded any more: {error}")

    def _write_next(self) -> bool:
        """Waits for a picture or for the pace, and writes; False when it is over."""
        closed = self._newest.closed  # asked first: what is offered before the end is written
        snapshot = self._newest.take(STATUS_SECONDS)
        self._writer.tell(snapshot, RecordedStatus.of(self._status()))
        if closed:
            self._writer.end(RecordedStatus.of(self._status()))
            return False
        self._newest.rest(LEAST_APART_SECONDS)
        return True

    def _fail(self, problem: str) -> None:
        self._problem = problem
        self._on_failure()


class FrameWriter:
    """Decides what a moment is worth: a full frame, what changed, a sign of life, or nothing.

    Args:
        file: Where to.
        clock: The time.
    """

    def __init__(self, file: RecordingFile, clock: Clock) -> None:
        self._file = file
        self._clock = clock
        self._encoder = PictureEncoder()
        self._memory = NOTHING_REMEMBERED
        self._picture: Snapshot | None = None
        self._state: list[object] | None = None
        self._told_status: tuple[object, ...] = ()
        self._written_at = 0.0
        self._full_bytes = 0
        self._since_full_bytes = 0

    def tell(self, picture: Snapshot | None, status: RecordedStatus) -> None:
        """Writes a frame where there is something new.

        Args:
            picture: The newest; None where no new one came.
            status: How the watching goes.

        Raises:
            OSError: It cannot be written.
            RecordingError: The recording has grown to its bound.
        """
        now = self._clock.monotonic()
        picture = picture or self._picture
        if picture is None:
            return
        news = picture is not self._picture or status.state != self._told_status
        if not news and now - self._written_at < ALIVE_SECONDS:
            return
        wall = self._clock.wall()
        events = self._events(picture, status, wall, now)
        kind, content = self._content(picture)
        if content is None and kind is FrameKind.DELTA and not events:
            if status.state == self._told_status and now - self._written_at < ALIVE_SECONDS:
                return
            kind = FrameKind.ALIVE
        self._write(picture, Frame(FrameHead(kind, wall, now, events), status, content))

    def end(self, status: RecordedStatus) -> None:
        """Says that the recording ended on purpose.

        Raises:
            OSError: It cannot be written.
        """
        if self._state is None:
            return
        head = FrameHead(FrameKind.END, self._clock.wall(), self._clock.monotonic())
        self._file.append(frame_line(Frame(head, status)))

    def _events(
        self, picture: Snapshot, status: RecordedStatus, wall: float, now: float
    ) -> tuple[RecordedEvent, ...]:
        seen = look_out(self._memory, Sight.of(picture, status, wall, now))
        self._memory = seen.memory
        several = len(picture.runs) > 1
        return tuple(_recorded(event, several) for event in seen.events)

    def _content(self, picture: Snapshot) -> tuple[FrameKind, object]:
        """The whole state where the changes since the last whole one have outgrown it."""
        before = self._state
        self._state = self._encoder.state_of(picture)
        due = self._since_full_bytes > max(_LEAST_BETWEEN_FULL, self._full_bytes)
        if before is None or due:
            return FrameKind.FULL, self._state
        return FrameKind.DELTA, delta(before, self._state)

    def _write(self, picture: Snapshot, frame: Frame) -> None:
        if self._file.written_bytes > MOST_BYTES:
            raise RecordingError(f"it has {bytes_text(MOST_BYTES)}: begin another file")
        if not self._written_at:
            self._file.append(header_line(picture.root, frame.head.at))
        size = self._file.append(_checked_line(frame))
        if frame.head.kind is FrameKind.FULL:
            self._full_bytes, self._since_full_bytes = size, 0
        else:
            self._since_full_bytes += size
        self._picture, self._told_status = picture, frame.status.state
        self._written_at = frame.head.monotonic


def _recorded(event: Event, with_run: bool) -> RecordedEvent:
    """An event as it is written down; which run it is about only where there are several."""
    run = event.run.name if with_run else ""
    return RecordedEvent(
        event.level,
        event.message,
        event.kind,
        event.code,
        run,
        event.checkpoint,
        event.lasted_seconds,
        event.first,
    )


def _checked_line(frame: Frame) -> bytes:
    """A frame as a line that can be read again."""
    line = frame_line(frame)
    try:
        check_size(line)
    except LineError as error:
        raise RecordingError(
            f"a frame of it cannot be written: {error}: record a directory with fewer checkpoints"
        ) from error
    return line

"""A recording that is open: the picture of any of its frames.

The file is gone through once, line by line, without parsing what the frames hold. A picture is
made from the nearest full frame before it; the states around the last one are kept.
"""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections import OrderedDict
from typing import IO, TYPE_CHECKING, NamedTuple

from ckpt_tui.core.plain import PlainError
from ckpt_tui.core.text import bytes_text
from ckpt_tui.recording.delta import MOST_ITEMS, DeltaError, Patched, patched
from ckpt_tui.recording.index import Index
from ckpt_tui.recording.lines import MOST_LINE_BYTES, Frame, FrameKind, LineError, frame_of
from ckpt_tui.recording.output import MOST_BYTES, RecordingError, is_packed
from ckpt_tui.recording.pictures import PictureDecoder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.recording.told import RecordedStatus

_KEPT_STATES = 64
_MOST_KEPT_ITEMS = 2 * MOST_ITEMS
_REMEDY = "replay the file as it was recorded, or a copy that is cut before that line"


class Shown(NamedTuple):
    """A frame as it is shown.

    Attributes:
        at: Seconds since the epoch.
        monotonic: Seconds of the recorder's clock.
    """

    snapshot: Snapshot
    status: RecordedStatus
    at: float
    monotonic: float


class EarlyEnd(NamedTuple):
    """Where a recording breaks off.

    Attributes:
        line: Number of the last line that is whole.
        wall: Seconds since the epoch of the last frame.
    """

    line: int
    wall: float
    reason: str


class Tape:
    """A recording.

    A compressed one is unpacked into a temporary file first: it has to be read from anywhere.

    Attributes:
        index: Of its frames, at least one.

    Args:
        path: The file; one that ends with ".gz" is compressed.

    Raises:
        RecordingError: It cannot be read, or is no recording.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.index = Index()
        self._broken_off = ""
        self._last: tuple[int, Frame] | None = None
        self._states: OrderedDict[int, Patched] = OrderedDict()
        self._kept_items = 0
        self._decoder = PictureDecoder()
        try:
            self._file = _opened(path)
        except OSError as error:
            raise RecordingError(f"{path}: cannot be opened: {error.strerror}") from error
        try:
            self._go_through()
        except OSError as error:
            self.close()
            raise RecordingError(f"{path}: cannot be read: {error}") from error
        except BaseException:
            self.close()
            raise

    @property
    def early_end(self) -> EarlyEnd | None:
        """Where the file breaks off; None where it does not, though its recorder may be killed."""
        index = self.index
        cut = f"line {index.cut_line} is not whole" if index.ends_cut else ""
        reason = self._broken_off or cut
        return EarlyEnd(index.last_line, index.wall_of(len(index) - 1), reason) if reason else None

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _go_through(self) -> None:
        offset = 0
        for number, line in enumerate(self._lines(), 1):
            try:
                self.index.take(line, number, offset)
            except LineError as error:
                raise RecordingError(f"{self.path}: line {number}: {error}: {_REMEDY}") from error
            offset += len(line)
        if not len(self.index):
            raise RecordingError(f"{self.path}: holds no whole frame, there is nothing to replay")

    def _lines(self) -> Iterator[bytes]:
        if not is_packed(self.path):
            while line := self._file.readline(MOST_LINE_BYTES + 1):
                yield line
            return
        size = 0
        for line in self._unpacked():
            size += self._file.write(line)
            if size > MOST_BYTES + MOST_LINE_BYTES:
                most = bytes_text(MOST_BYTES)
                raise RecordingError(
                    f"{self.path}: unpacks to more than {most}, as no recording does"
                )
            yield line

    def _unpacked(self) -> Iterator[bytes]:
        """The lines of a compressed recording; one that was cut ends with what can be read."""
        read = False
        try:
            with gzip.open(self.path) as lines:
                while line := lines.readline(MOST_LINE_BYTES + 1):
                    read = True
                    yield line
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            if not read:
                raise RecordingError(
                    f"{self.path}: cannot be unpacked: {error}: {_REMEDY}"
                ) from error
            self._broken_off = f"it cannot be unpacked any further: {error}"

    def show(self, frame: int) -> Shown:
        """The picture of a frame.

        Raises:
            RecordingError: Its line, or one that it builds on, is not right.
        """
        read = self._read(frame)
        state = self._state(frame)
        try:
            picture = self._decoder.snapshot_of(state)
        except PlainError as error:
            raise self._wrong(frame, error) from error
        return Shown(picture, read.status, read.head.at, read.head.monotonic)

    def _state(self, frame: int) -> object:
        """Applies the changes since the nearest frame whose state is known."""
        start, full = frame, self.index.full_before(frame)
        while start > full and start not in self._states:
            start -= 1
        state = self._states.get(start)
        for number in range(start, frame + 1):
            if number > start or state is None:
                state = self._next_state(state, number)
            self._keep(number, state)
        return state.value if state is not None else None

    def _next_state(self, before: Patched | None, number: int) -> Patched:
        read = self._read(number)
        if read.head.kind is FrameKind.FULL or before is None:
            return Patched(read.content, 0)
        try:
            return patched(before.value, read.content)
        except DeltaError as error:
            raise self._wrong(number, error) from error

    def _keep(self, number: int, state: Patched) -> None:
        """Keeps the newest states; fewer where they share little with each other."""
        if number not in self._states:
            self._kept_items += state.made
        self._states[number] = state
        self._states.move_to_end(number)
        while len(self._states) > _KEPT_STATES or self._kept_items > _MOST_KEPT_ITEMS:
            self._kept_items -= self._states.popitem(last=False)[1].made

    def _read(self, frame: int) -> Frame:
        if self._last is not None and self._last[0] == frame:
            return self._last[1]
        try:
            self._file.seek(self.index.offset_of(frame))
            read = frame_of(self._file.readline(MOST_LINE_BYTES + 1))
        except (LineError, OSError) as error:
            raise self._wrong(frame, error) from error
        self._last = (frame, read)
        return read

    def _wrong(self, frame: int, error: Exception) -> RecordingError:
        return RecordingError(f"{self.path}: line {self.index.line_of(frame)}: {error}: {_REMEDY}")


def _opened(path: str) -> IO[bytes]:
    """The recording, or what it is unpacked into."""
    if is_packed(path):
        return tempfile.TemporaryFile()
    return open(path, "rb")

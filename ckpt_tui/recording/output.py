"""Where a recording is written: never into what is watched, never over another file."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from io import FileIO
from typing import IO, Self

from ckpt_tui.recording.lines import MOST_LINE_BYTES, LineError, header_of

GZIP_SUFFIX = ".gz"
MOST_BYTES = 4 * 2**30
"""Of a recording before compression: it does not fill the disk."""
_GZIP_WBITS = 31
_CUT_END = b" \n"
"""A line that was cut behind an inner bracket would look whole without the space."""
_LEVEL = 4


class RecordingError(Exception):
    """A recording cannot be written or read; the text names the file, the reason and a remedy."""


def is_packed(path: str) -> bool:
    """Whether a recording of that name is compressed."""
    return path.endswith(GZIP_SUFFIX)


def check_place(path: str, directory: str) -> None:
    """Refuses a file that would lie in the watched directory, links resolved.

    Raises:
        RecordingError: It would.
    """
    watched = os.path.realpath(directory)
    place = os.path.realpath(path)
    if place == watched or place.startswith(watched.rstrip(os.sep) + os.sep):
        raise RecordingError(
            f"{path}: lies in the watched directory {watched}, where nothing is ever written:"
            " name a file elsewhere"
        )


class RecordingFile:
    """Appends lines, each whole and flushed: a process that is killed leaves all but the last.

    A session that is compressed is a gzip member of its own.

    Attributes:
        written_bytes: Of this session, before compression.

    Args:
        path: Made where it is not there; a recording that is there is continued.

    Raises:
        RecordingError: It is something else, or cannot be opened.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.written_bytes = 0
        self._packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP_WBITS)
        self._packed = is_packed(path)
        try:
            self._file = FileIO(path, "ab+")
        except OSError as error:
            raise RecordingError(
                f"{path}: cannot be opened for writing: {error.strerror}"
            ) from error
        try:
            self._continue()
        except BaseException:
            self._file.close()
            raise

    def _continue(self) -> None:
        """Looks at what is there; a line that was cut by a kill is ended."""
        status = os.fstat(self._file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise RecordingError(f"{self.path}: is no plain file")
        if status.st_size == 0:
            return
        try:
            self._file.seek(0)
            ends_well = _is_whole(self._file) if self._packed else self._is_ours()
        except (OSError, EOFError, zlib.error, LineError) as error:
            raise RecordingError(
                f"{self.path}: is there already, and is no recording to go on with ({error}):"
                " name another file"
            ) from error
        if not ends_well:
            self._put(_CUT_END)

    def _is_ours(self) -> bool:
        """Checks the header; says whether the last line is whole."""
        header_of(self._file.read(64 * 1024).partition(b"\n")[0])
        self._file.seek(-1, os.SEEK_END)
        return self._file.read(1) == b"\n"

    def append(self, line: bytes) -> int:
        """Writes one line and returns its size before compression.

        Raises:
            OSError: It cannot be written.
        """
        if self._packed:
            self._put(self._packer.compress(line) + self._packer.flush(zlib.Z_SYNC_FLUSH))
        else:
            self._put(line)
        self.written_bytes += len(line)
        return len(line)

    def _put(self, data: bytes) -> None:
        view = memoryview(data)
        while view:  # an unbuffered file may take only a part
            view = view[self._file.write(view) :]

    def close(self) -> None:
        """Ends the session.

        Raises:
            OSError: The end cannot be written.
        """
        try:
            if self._packed and self.written_bytes:
                self._put(self._packer.flush(zlib.Z_FINISH))
        finally:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _is_whole(file: IO[bytes]) -> bool:
    """Reads a compressed recording through: one that was cut cannot be continued."""
    with gzip.GzipFile(fileobj=file, mode="rb") as lines:
        header_of(lines.readline(64 * 1024))
        while line := lines.readline(MOST_LINE_BYTES):
            last = line
    return last.endswith(b"\n")

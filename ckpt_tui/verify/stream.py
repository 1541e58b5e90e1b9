"""One file, read in pieces into a buffer that its thread keeps; counted, stopped when asked."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.crc32c import crc32c
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource, translate_os_error
from ckpt_tui.fs import calls
from ckpt_tui.verify.checksums import crc32_function

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator

BUFFER_BYTES = 1024 * 1024
"""Small enough to stay in a core's own cache between the reading and the checksum."""

_MOST_TIMES = 8
"""No honest file is read more often: by its format, as a whole, and for NaN."""


class StoppedError(Exception):
    """Nobody wants the answer any more."""


class Work:
    """What one thread needs over all its files.

    Attributes:
        path: The file that it reads; "" for none.
        file_bytes: Bytes of that file read so far; those read twice count twice.
        expected_bytes: Bytes of that file that will be read in all, as far as is known.
        done_bytes: Bytes of the files before it.
        buffer: What every file is read into.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self.path = ""
        self.file_bytes = 0
        self.expected_bytes = 0
        self.done_bytes = 0
        self.buffer = memoryview(bytearray(BUFFER_BYTES))

    @property
    def amount_bytes(self) -> int:
        """Bytes that the file takes to read: never fewer than were read of it."""
        return max(self.expected_bytes, self.file_bytes)

    def check(self) -> None:
        """Raises StoppedError once somebody wants it to end."""
        if self._stop.is_set():
            raise StoppedError


class FileStream(FileSource):
    """A regular file as a `Source`, and in pieces.

    Attributes:
        status: What the system said of it when it was opened.
    """

    def __init__(self, path: str, work: Work) -> None:
        """Opens the file.

        Raises:
            ArtifactError: As in `FileSource`.
        """
        super().__init__(path)
        self._work = work
        self._left_bytes = _MOST_TIMES * self.size + BUFFER_BYTES
        try:
            self.status = calls.fstat(self._descriptor, path)
        except OSError as error:
            self.close()
            raise translate_os_error(error, path) from error

    def check(self) -> None:
        """Raises StoppedError once nobody wants the answer any more."""
        self._work.check()

    def changed(self) -> bool:
        """Whether somebody wrote to it, or replaced it, since it was opened."""
        try:
            now = calls.fstat(self._descriptor, self.name)
            there = calls.stat(self.name)
        except OSError:
            return True
        before = self.status
        return (
            (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns)
            or (there.st_ino, there.st_dev) != (before.st_ino, before.st_dev)
            or not stat.S_ISREG(there.st_mode)
        )

    def pieces(self, begin: int, length: int) -> Iterator[memoryview]:
        """The bytes of a range, each piece in the same buffer as the one before.

        Raises:
            ArtifactError: ``truncated-file`` where the file ends before; ``io-error``.
            StoppedError: Nobody wants it any more.
        """
        work, buffer = self._work, self._work.buffer
        while length > 0:
            work.check()
            wanted = buffer[:length] if length < BUFFER_BYTES else buffer
            try:
                got = calls.preadv(self._descriptor, [wanted], begin, self.name)
            except (OSError, OverflowError, ValueError) as error:
                raise translate_os_error(error, self.name) from error
            if got <= 0:
                raise self._ends(begin, length)
            self._count(got)
            begin += got
            length -= got
            yield wanted[:got]

    def crc32(self, begin: int, length: int, before: int = 0) -> int:
        """The CRC-32 of a range, going on from that of the bytes before it.

        Raises:
            ArtifactError: As `pieces`.
            StoppedError: As `pieces`.
        """
        update = crc32_function()
        for piece in self.pieces(begin, length):
            before = update(piece, before)
        return before

    def crc32c(self, begin: int, length: int, before: int = 0) -> int:
        """The CRC-32C of a range; its fast form takes nothing but bytes.

        Raises:
            ArtifactError: As `pieces`.
            StoppedError: As `pieces`.
        """
        work = self._work
        while length > 0:
            work.check()
            try:
                part = calls.pread(self._descriptor, min(length, BUFFER_BYTES), begin, self.name)
            except (OSError, OverflowError, ValueError) as error:
                raise translate_os_error(error, self.name) from error
            if not part:
                raise self._ends(begin, length)
            self._count(len(part))
            before = crc32c(part, before)
            begin += len(part)
            length -= len(part)
        return before

    def _count(self, length: int) -> None:
        """Takes down what was read.

        Raises:
            ArtifactError: ``limit-exceeded``: an index names the same bytes again and again.
        """
        self._work.file_bytes += length
        self._left_bytes -= length
        if self._left_bytes < 0:
            message = f"its parts overlap: they are more than {_MOST_TIMES} times its size"
            raise ArtifactError("limit-exceeded", message, self.name)

    def _ends(self, begin: int, length: int) -> ArtifactError:
        return ArtifactError(
            "truncated-file",
            f"the file ends at byte {begin}, {length} bytes before it should",
            self.name,
        )


def absolute(base: str, relative: str) -> str:
    """The path of a checkpoint's file; the base itself where that is the file."""
    return os.path.join(base, relative) if relative else base

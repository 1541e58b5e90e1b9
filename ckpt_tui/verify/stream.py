"""One file, read in pieces into a buffer that its thread keeps; counted, stopped when asked."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, TypeVar

from ckpt_tui.artifacts.crc32c import crc32c
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource, translate_os_error
from ckpt_tui.fs import calls
from ckpt_tui.verify.checksums import crc32_function

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator

Part = TypeVar("Part", bytes, memoryview)

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
        buffer: What every file is read into.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self.path = ""
        self.file_bytes = 0
        self.expected_bytes = 0
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
        return self._parts(begin, length, self._fill)

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
        for part in self._parts(begin, length, self._bytes):
            before = crc32c(part, before)
        return before

    def _parts(self, begin: int, length: int, read: Callable[[int, int], Part]) -> Iterator[Part]:
        """A range part by part, each read with `read` (where it begins, most bytes of it)."""
        while length > 0:
            self.check()
            try:
                part = read(begin, min(length, BUFFER_BYTES))
            except (OSError, OverflowError, ValueError) as error:
                raise translate_os_error(error, self.name) from error
            if not part:
                raise self._ends(begin, length)
            self._count(len(part))
            begin += len(part)
            length -= len(part)
            yield part

    def _fill(self, begin: int, most_bytes: int) -> memoryview:
        wanted = self._work.buffer[:most_bytes]
        return wanted[: calls.preadv(self._descriptor, [wanted], begin, self.name)]

    def _bytes(self, begin: int, most_bytes: int) -> bytes:
        return calls.pread(self._descriptor, most_bytes, begin, self.name)

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

"""Sources of bytes: a local file, a window of another source."""

from __future__ import annotations

import errno
import os
import stat
from typing import Final, Protocol, Self

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.fs import calls

_SMALL_BYTES: Final = 64 * 1024
"""What is not larger is read once as a whole: that costs less than several small reads."""


class Source(Protocol):
    """Random access to the bytes of one file, local or remote."""

    @property
    def size(self) -> int:
        """Length in bytes when the source was opened."""

    @property
    def name(self) -> str:
        """The path to show in messages."""

    def read_at(self, offset: int, length: int) -> bytes:
        """Returns up to `length` bytes from `offset`; fewer only where the file ends.

        Raises:
            ArtifactError: The bytes cannot be read.
        """

    def close(self) -> None:
        """Releases the file; a second call does nothing."""


class FileSource:
    """A regular local file, opened without following a link in its last component."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens the file.

        Raises:
            ArtifactError: It cannot be opened (`permission-denied`, `io-error`), or it is
                no regular file (`io-error`): a link, a directory, a pipe, a device.
        """
        self.name = os.fspath(path)
        # Without O_NONBLOCK opening a named pipe waits for its writer for ever.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            self._descriptor = calls.open_file(self.name, flags)
        except (OSError, ValueError) as error:
            raise translate_os_error(error, self.name) from error
        try:
            status = calls.fstat(self._descriptor, self.name)
            if not stat.S_ISREG(status.st_mode):
                raise ArtifactError("io-error", f"it is {_kind(status.st_mode)}", self.name)
        except BaseException:
            self.close()
            raise
        self.size = status.st_size
        self._whole: bytes | None = None

    def read_at(self, offset: int, length: int) -> bytes:
        """Returns up to `length` bytes from `offset`; fewer only where the file ends.

        A small file is read as a whole at the first call.
        """
        if self.size > _SMALL_BYTES or offset < 0:
            return self._pread(offset, length)
        if self._whole is None:
            self._whole = self._pread(0, self.size)
        return self._whole[offset : offset + max(0, length)]

    def _pread(self, offset: int, length: int) -> bytes:
        length = max(0, min(length, self.size - offset))
        parts: list[bytes] = []
        try:
            while length > 0 and (part := calls.pread(self._descriptor, length, offset, self.name)):
                parts.append(part)
                offset += len(part)
                length -= len(part)
        except (OSError, OverflowError, ValueError) as error:
            raise translate_os_error(error, self.name) from error
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Closes the file; a second call does nothing."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


class WindowSource:
    """A part of another source, such as one item of a `.distcp` file."""

    def __init__(self, source: Source, offset: int, length: int) -> None:
        """Names the part; the other source stays the owner of the file.

        Raises:
            ArtifactError: `truncated-file`: the part reaches past the source's end.
        """
        if offset < 0 or length < 0:
            raise ArtifactError(
                "unreadable-archive",
                f"a part at offset {offset} with {length} bytes cannot be",
                source.name,
            )
        if offset + length > source.size:
            raise ArtifactError(
                "truncated-file",
                f"the part at offset {offset} needs {length} bytes, "
                f"but the file has only {source.size}",
                source.name,
            )
        self._source = source
        self._offset = offset
        self._whole: bytes | None = None
        self.size = length
        self.name = source.name

    def read_at(self, offset: int, length: int) -> bytes:
        """Returns up to `length` bytes from `offset` within the window."""
        length = min(length, self.size - offset)
        if offset < 0 or length <= 0:
            return b""
        if self.size > _SMALL_BYTES:
            return self._source.read_at(self._offset + offset, length)
        if self._whole is None:
            self._whole = self._source.read_at(self._offset, self.size)
        return self._whole[offset : offset + length]

    def close(self) -> None:
        """The other source stays open: its owner closes it."""


def read_exactly(source: Source, offset: int, length: int, what: str) -> bytes:
    """Returns exactly `length` bytes from `offset`.

    Raises:
        ArtifactError: `truncated-file`: the source ends before.
    """
    data = source.read_at(offset, length)
    if len(data) != length:
        raise ArtifactError(
            "truncated-file",
            f"{what} at offset {offset} needs {length} bytes, but only {len(data)} are there",
            source.name,
        )
    return data


def require_content(source: Source) -> None:
    """Raises ArtifactError `empty-file` if the source has no byte."""
    if source.size == 0:
        raise ArtifactError("empty-file", "the file is empty (0 bytes)", source.name)


def translate_os_error(error: Exception, path: str) -> ArtifactError:
    """Returns the ArtifactError that says what the operating system refused."""
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return ArtifactError("permission-denied", "permission to read the file is denied", path)
    if number == errno.ELOOP:
        return ArtifactError("io-error", "it is a symbolic link, which is not followed", path)
    reason = os.strerror(number) if isinstance(number, int) else str(error)
    return ArtifactError("io-error", f"the file cannot be read: {reason}", path)


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a directory, not a file"
    if stat.S_ISFIFO(mode):
        return "a named pipe, not a regular file"
    return "a device or socket, not a regular file"

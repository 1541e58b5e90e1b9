"""The operating system's calls that looking at checkpoints takes, as one value to stand in for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType


class Scan(Protocol):
    """An open listing, closed at the end of its `with`."""

    def __enter__(self) -> Iterator[os.DirEntry[str]]:
        """The entries, in no order."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None:
        """Closes it."""


class System:
    """The operating system's own calls; each raises OSError as the system does."""

    def scandir(self, path: str) -> Scan:
        """Opens a listing; each entry's `stat` is a call of its own, which the lister counts."""
        return os.scandir(path)

    def stat(self, path: str) -> os.stat_result:
        """What a path leads to."""
        return os.stat(path)

    def lstat(self, path: str) -> os.stat_result:
        """What lies at a path, a link itself included."""
        return os.lstat(path)

    def readlink(self, path: str) -> str:
        """The raw text of a link."""
        return os.readlink(path)

    def realpath(self, path: str, strict: bool) -> str:
        """The path without links; `strict` raises OSError where something on it is missing."""
        return os.path.realpath(path, strict=strict)

    def open(self, path: str, flags: int) -> int:
        """Opens a file; returns its descriptor, which `os.close` closes."""
        return os.open(path, flags)

    def fstat(self, descriptor: int, path: str) -> os.stat_result:
        """What was opened at `path`."""
        return os.fstat(descriptor)

    def pread(self, descriptor: int, length: int, offset: int, path: str) -> bytes:
        """Up to `length` bytes of what was opened at `path`."""
        return os.pread(descriptor, length, offset)

    def preadv(self, descriptor: int, buffers: list[memoryview], offset: int, path: str) -> int:
        """Fills the buffers from what was opened at `path`; how many bytes those were."""
        return os.preadv(descriptor, buffers, offset)

    def statvfs(self, path: str) -> os.statvfs_result:
        """The sizes of the file system that holds a path."""
        return os.statvfs(path)

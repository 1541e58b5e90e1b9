"""The one way to the file system where checkpoints are looked at: counted, timed, replaceable.

Each function does what its namesake in `os` does, and raises the same OSError. What stands in for
the system in a test, or slows it down, is put in by `replaced`.
"""

from __future__ import annotations

import errno
import os
import stat as modes
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ckpt_tui.fs.asking import Asking
from ckpt_tui.fs.system import Scan, System

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

_system = System()


@contextmanager
def replaced(system: System) -> Iterator[None]:
    """Puts another system in the place of the real one, for all threads, while the block runs."""
    global _system
    before, _system = _system, system
    try:
        yield
    finally:
        _system = before


class _Scan:
    """An open listing; its thread counts as asking until it is closed."""

    __slots__ = ("_asking", "_scan")

    def __init__(self, path: str) -> None:
        self._asking = Asking(path)
        with self._asking:
            self._scan = _system.scandir(path)

    def __enter__(self) -> Iterator[os.DirEntry[str]]:
        self._asking.__enter__()
        return self._scan.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._scan.__exit__(kind, error, trace)
        self._asking.__exit__()


def scandir(path: str) -> Scan:
    """`os.scandir`; who stats the entries counts that with `fs.asking.answered`.

    Raises:
        OSError: As `os.scandir` does.
    """
    return _Scan(path)


def stat(path: str) -> os.stat_result:
    """`os.stat`."""
    with Asking(path):
        return _system.stat(path)


def lstat(path: str) -> os.stat_result:
    """`os.lstat`."""
    with Asking(path):
        return _system.lstat(path)


def readlink(path: str) -> str:
    """`os.readlink`."""
    with Asking(path):
        return _system.readlink(path)


def realpath(path: str, *, strict: bool = False) -> str:
    """`os.path.realpath`, which looks at each component of the path."""
    with Asking(path, path.count(os.sep)):
        return _system.realpath(path, strict)


def statvfs(path: str) -> os.statvfs_result:
    """`os.statvfs`."""
    with Asking(path):
        return _system.statvfs(path)


def open_file(path: str, flags: int) -> int:
    """`os.open`."""
    with Asking(path):
        return _system.open(path, flags)


def fstat(descriptor: int, path: str) -> os.stat_result:
    """`os.fstat`; the path is for the record."""
    with Asking(path):
        return _system.fstat(descriptor, path)


def pread(descriptor: int, length: int, offset: int, path: str) -> bytes:
    """`os.pread`; the path is for the record."""
    with Asking(path):
        return _system.pread(descriptor, length, offset, path)


def preadv(descriptor: int, buffers: list[memoryview], offset: int, path: str) -> int:
    """`os.preadv`: fills buffers that are there already; the path is for the record."""
    with Asking(path):
        return _system.preadv(descriptor, buffers, offset, path)


def _mode(look: Callable[[str], os.stat_result], path: str) -> int:
    """The mode of what is there; 0 where nothing is, or cannot be looked at (as in `os.path`)."""
    try:
        return look(path).st_mode
    except (OSError, ValueError):
        return 0


def lexists(path: str) -> bool:
    """Whether something lies at a path, a dangling link included.

    Where the file system gives no answer it does, unlike in `os.path`: a server that fails for a
    moment must not make checkpoints disappear.
    """
    try:
        lstat(path)
    except OSError as error:
        return error.errno not in (errno.ENOENT, errno.ENOTDIR)
    return True


def exists(path: str) -> bool:
    """Whether a path leads to something."""
    return _mode(stat, path) != 0


def is_link(path: str) -> bool:
    """Whether a link lies at a path."""
    return modes.S_ISLNK(_mode(lstat, path))


def is_file(path: str) -> bool:
    """Whether a path leads to a regular file."""
    return modes.S_ISREG(_mode(stat, path))


def is_directory(path: str) -> bool:
    """Whether a path leads to a directory."""
    return modes.S_ISDIR(_mode(stat, path))

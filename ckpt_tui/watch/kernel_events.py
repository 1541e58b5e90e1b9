"""inotify(7), as the kernel has it: one instance, its watches and its queue.

The C library is called by `ctypes`: watchdog's own reading of inotify lags seconds behind in a save
of a few thousand shards, and tells neither of lost events nor of directories left unwatched.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# <sys/inotify.h>
IN_CLOSE_WRITE = 0x8
IN_MOVED_FROM = 0x40
IN_MOVED_TO = 0x80
IN_CREATE = 0x100
IN_DELETE = 0x200
IN_DELETE_SELF = 0x400
IN_MOVE_SELF = 0x800
IN_UNMOUNT = 0x2000
IN_Q_OVERFLOW = 0x4000
IN_IGNORED = 0x8000
IN_ONLYDIR = 0x1000000
IN_DONT_FOLLOW = 0x2000000
IN_EXCL_UNLINK = 0x4000000
IN_ISDIR = 0x40000000

# Opening, reading, each single write and changed times are left out: they overflow the queue in a
# save of a few thousand shards, and say nothing that closing does not.
WATCHED = (
    IN_CLOSE_WRITE
    | IN_MOVED_FROM
    | IN_MOVED_TO
    | IN_CREATE
    | IN_DELETE
    | IN_DELETE_SELF
    | IN_MOVE_SELF
    | IN_ONLYDIR
    | IN_DONT_FOLLOW
    | IN_EXCL_UNLINK
)

_HEADER = struct.Struct("iIII")  # wd, mask, cookie, length of the name
_READ_BYTES = 256 * 1024
_LIMITS = {
    "fs.inotify.max_user_watches": "/proc/sys/fs/inotify/max_user_watches",
    # The same limit, per user namespace: a container may have a lower one.
    "user.max_inotify_watches": "/proc/sys/user/max_inotify_watches",
}


class KernelEvent(NamedTuple):
    """One event; `name` is the entry of the watched directory, or "" for the directory itself."""

    watch: int
    mask: int
    name: str


class KernelQueue:
    """One inotify instance.

    Raises:
        OSError: No instance can be had: `EMFILE` at the limit of instances or of open files.
        AttributeError: The C library has no inotify.
    """

    def __init__(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._add = libc.inotify_add_watch
        self._remove = libc.inotify_rm_watch
        self._stopped, self._stop = os.pipe2(os.O_CLOEXEC)
        try:
            self._fd = _checked(libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        except OSError:
            os.close(self._stopped)
            os.close(self._stop)
            raise
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN)
        self._poll.register(self._stopped, select.POLLIN)

    def watch(self, path: str) -> int:
        """Watches a directory; one that is watched already keeps its number.

        Raises:
            OSError: `ENOSPC` at the limit of watches; else why the directory cannot be watched.
        """
        return _checked(self._add(self._fd, os.fsencode(path), ctypes.c_uint32(WATCHED)))

    def forget(self, watch: int) -> None:
        """Ends a watch; one that has ended by itself does no harm."""
        self._remove(self._fd, watch)

    def read(self) -> list[KernelEvent] | None:
        """Waits for events; None once `stop` was called.

        Raises:
            OSError: The queue cannot be read.
        """
        ready = self._poll.poll()
        if any(fd == self._stopped for fd, _ in ready):
            return None
        try:
            return list(parse_events(os.read(self._fd, _READ_BYTES)))
        except BlockingIOError:
            return []

    def rest(self, seconds: float) -> bool:
        """Lets events gather; False once `stop` was called."""
        readable, _, _ = select.select([self._stopped], [], [], seconds)
        return not readable

    def stop(self) -> None:
        """Ends a `read` that waits on another thread."""
        os.write(self._stop, b"x")

    def close(self) -> None:
        """Gives the instance back; nobody may be in `read`."""
        for fd in (self._fd, self._stopped, self._stop):
            os.close(fd)


def parse_events(data: bytes) -> Iterator[KernelEvent]:
    """The events of one read of the queue."""
    place = 0
    while place < len(data):
        watch, mask, _, length = _HEADER.unpack_from(data, place)
        place += _HEADER.size
        name = data[place : place + length].rstrip(b"\0")
        yield KernelEvent(watch, mask, os.fsdecode(name))
        place += length


def watch_limit() -> str:
    """The lowest limit of watches in force, as `name = number` with sysctl's name."""
    found = [(limit, name) for name, path in _LIMITS.items() if (limit := _read_number(path))]
    if not found:
        return "fs.inotify.max_user_watches"
    limit, name = min(found)
    return f"{name} = {limit}"


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _read_number(path: str) -> int | None:
    try:
        return int(Path(path).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None

"""A file system with latency, errors, hangs and stale answers, put in the place of the real one."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from ckpt_tui.fs.system import System

if TYPE_CHECKING:
    from collections.abc import Iterator


class Injected(System):
    """The real file system, seen through a bad network.

    Attributes:
        delay_seconds: How long each call takes, stats of a listing's entries included.
        fail: Text in a path → error number of every call about it.
        hang: Calls about a path that holds this text wait until `released` is set; "" for none.
        frozen: Sizes and times are answered as they were at the first question.
        calls: How many there were.
        most_at_once: How many were under way at one time, at most.
    """

    def __init__(self) -> None:
        self.delay_seconds = 0.0
        self.fail: dict[str, int] = {}
        self.hang = ""
        self.released = threading.Event()
        self.frozen = False
        self.calls = 0
        self.most_at_once = 0
        self._under_way = 0
        self._counting = threading.Lock()
        self._attributes: dict[int, os.stat_result] = {}

    def scandir(self, path: str) -> _Scan:
        self._meet(path)
        return _Scan(path, self)

    def stat(self, path: str) -> os.stat_result:
        self._meet(path)
        return self.attributes(super().stat(path))

    def lstat(self, path: str) -> os.stat_result:
        self._meet(path)
        return self.attributes(super().lstat(path))

    def readlink(self, path: str) -> str:
        self._meet(path)
        return super().readlink(path)

    def realpath(self, path: str, strict: bool) -> str:
        self._meet(path)
        return super().realpath(path, strict)

    def open(self, path: str, flags: int) -> int:
        self._meet(path)
        return super().open(path, flags)

    def fstat(self, descriptor: int, path: str) -> os.stat_result:
        self._meet(path)
        return super().fstat(descriptor, path)

    def pread(self, descriptor: int, length: int, offset: int, path: str) -> bytes:
        self._meet(path)
        return super().pread(descriptor, length, offset, path)

    def preadv(self, descriptor: int, buffers: list[memoryview], offset: int, path: str) -> int:
        self._meet(path)
        return super().preadv(descriptor, buffers, offset, path)

    def statvfs(self, path: str) -> os.statvfs_result:
        self._meet(path)
        return super().statvfs(path)

    def entry(self, item: os.DirEntry[str]) -> os.stat_result:
        """The stat of a listing's entry."""
        self._meet(item.path)
        return self.attributes(item.stat(follow_symlinks=False))

    def attributes(self, now: os.stat_result) -> os.stat_result:
        """What is answered; while frozen, what was answered first."""
        if not self.frozen:
            self._attributes.clear()
            return now
        return self._attributes.setdefault(now.st_ino, now)

    def _meet(self, path: str) -> None:
        with self._counting:
            self.calls += 1
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        if self.delay_seconds:
            time.sleep(self.delay_seconds)
        with self._counting:
            self._under_way -= 1
        if self.hang and self.hang in path:
            self.released.wait()
        for text, number in self.fail.items():
            if text in path:
                raise OSError(number, os.strerror(number), path)


class _Entry:
    def __init__(self, item: os.DirEntry[str], system: Injected) -> None:
        self.name, self.path = item.name, item.path
        self.is_file, self.is_dir = item.is_file, item.is_dir
        self.is_symlink, self.inode = item.is_symlink, item.inode
        self._item, self._system = item, system

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return self._system.entry(self._item)


class _Scan:
    def __init__(self, path: str, system: Injected) -> None:
        with os.scandir(path) as scan:
            self._entries = [_Entry(item, system) for item in scan]

    def __enter__(self) -> Iterator[_Entry]:
        return iter(self._entries)

    def __exit__(self, *_: object) -> None:
        pass

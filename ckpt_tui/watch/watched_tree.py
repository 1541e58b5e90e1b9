"""Which directories of a tree the kernel watches, kept in step while they come, move and go."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from ckpt_tui.watch import kernel_events as kernel

if TYPE_CHECKING:
    from ckpt_tui.watch.kernel_events import KernelEvent, KernelQueue

_ENDS_ROOT = kernel.IN_DELETE_SELF | kernel.IN_MOVE_SELF | kernel.IN_UNMOUNT | kernel.IN_IGNORED
_GOES = kernel.IN_MOVED_FROM | kernel.IN_DELETE
_COMES = kernel.IN_MOVED_TO | kernel.IN_CREATE


class WatchedTree:
    """The watches of one tree. Links are not followed. One thread at a time may use it.

    Args:
        root: Absolute path without links.
        queue: Where the watches are made.

    Attributes:
        full: True once the system's limit of watches left a directory unwatched.
        ended: True once the root itself went away: nothing is heard of the tree any more.
    """

    def __init__(self, root: str, queue: KernelQueue) -> None:
        self.full = False
        self.ended = False
        self._root = root
        self._queue = queue
        self._paths: dict[int, str] = {}
        self._watches: dict[str, int] = {}
        self._inside: dict[str, set[str]] = {}  # a directory and those watched directly in it
        self._refused: set[str] = set()

    def start(self) -> None:
        """Watches the root and all below it.

        Raises:
            OSError: The root cannot be watched.
        """
        self._queue.watch(self._root)
        self._add_tree(self._root)

    def __len__(self) -> int:
        return len(self._paths)

    def retry(self) -> tuple[str, ...]:
        """Tries again what could not be watched or listed; returns what now is, or is gone."""
        refused, self._refused = self._refused, set()
        for path in sorted(refused):
            self._add_tree(path)
        return tuple(refused - self._refused)

    def take(self, event: KernelEvent) -> str | None:
        """Follows an event; returns the path that changed, or None where it says nothing new.

        A path is returned after its directory is watched: whoever looks then misses nothing.
        """
        directory = self._paths.get(event.watch)
        if directory is None:
            return None
        if directory == self._root and event.mask & _ENDS_ROOT:
            self.ended = True
            return directory
        if event.mask & kernel.IN_IGNORED:
            self._drop(event.watch, directory)
            return None
        if not event.name:
            return directory
        path = os.path.join(directory, event.name)
        if event.mask & kernel.IN_ISDIR:
            self._follow(event.mask, path)
        return path

    def _follow(self, mask: int, path: str) -> None:
        if mask & _GOES:
            self._forget_below(path)
        if mask & _COMES:
            self._forget_below(path)  # another directory may have had the name
            self._add_tree(path)

    def _add_tree(self, top: str) -> None:
        """Watches a directory and all below it, as far as they can be read and are still there.

        Each is listed after it is watched: what comes meanwhile is found by the one or told by the
        other.
        """
        pending = [top]
        while pending and not self.full:
            path = pending.pop()
            try:
                self._keep(self._queue.watch(path), path)
                pending += _directories_in(path)
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    self.full = True
                elif error.errno not in (errno.ENOENT, errno.ENOTDIR):
                    self._refused.add(path)

    def _keep(self, watch: int, path: str) -> None:
        before = self._paths.get(watch)
        if before is not None and before != path:  # moved here before its going was told
            self._unname(before)
        self._paths[watch] = path
        self._watches[path] = watch
        self._inside.setdefault(os.path.dirname(path), set()).add(path)

    def _drop(self, watch: int, path: str) -> None:
        self._paths.pop(watch, None)
        if self._watches.get(path) == watch:
            self._unname(path)

    def _unname(self, path: str) -> int | None:
        """Forgets which watch a path has; returns it."""
        beside = self._inside.get(os.path.dirname(path), set())
        beside.discard(path)
        if not beside:
            self._inside.pop(os.path.dirname(path), None)
        return self._watches.pop(path, None)

    def _forget_below(self, path: str) -> None:
        """Ends the watches at and below a path, at the price of what lies there."""
        pending = [path]
        while pending:
            known = pending.pop()
            pending += self._inside.get(known, ())
            watch = self._unname(known)
            if watch is not None:
                self._paths.pop(watch, None)
                self._queue.forget(watch)


def _directories_in(path: str) -> list[str]:
    with os.scandir(path) as entries:
        return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]

"""Linux' events of one tree, read on a thread of their own."""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from typing import TYPE_CHECKING

from ckpt_tui.watch.kernel_events import IN_Q_OVERFLOW, KernelQueue, watch_limit
from ckpt_tui.watch.ports import WatchRefusedError
from ckpt_tui.watch.spelling import spelled
from ckpt_tui.watch.watched_tree import WatchedTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.watch.kernel_events import KernelEvent

GATHER_SECONDS = 0.01
"""Pause between two reads: in a burst it saves a wake-up for each event."""
_JOIN_SECONDS = 1.0


class InotifyWatch:
    """Recursive events below one root, which is watched even if the path to it is a link.

    Args:
        root: Absolute path; events are reported below this very spelling.
        on_path: Called on the reading thread with each absolute path that changed.
        on_lost: Called on the reading thread when events were lost.
    """

    def __init__(
        self, root: str, *, on_path: Callable[[str], None], on_lost: Callable[[], None]
    ) -> None:
        self._root = root
        self._resolved = os.path.realpath(root)
        self._on_path = on_path
        self._on_lost = on_lost
        self._queue: KernelQueue | None = None
        self._tree: WatchedTree | None = None
        self._lock = threading.Lock()  # the tree's
        self._lost = False
        self._thread = threading.Thread(target=self._run, name="ckpt-tui-inotify", daemon=True)

    def start(self) -> None:
        """Starts watching; returns once every directory of the tree is watched.

        Raises:
            WatchRefusedError: There is no inotify, or a limit of it is reached.
            OSError: The root is not there, or cannot be watched.
        """
        try:
            self._queue = KernelQueue()
        except (AttributeError, OSError) as error:
            raise WatchRefusedError(_why_no_instance(error)) from error
        self._tree = WatchedTree(self._resolved, self._queue)
        try:
            self._tree.start()
        except OSError as error:
            self.stop()
            if error.errno == errno.ENOSPC:
                raise _watches_used_up() from error
            raise
        if self._tree.full:
            self.stop()
            raise _watches_used_up()
        self._thread.start()

    def alive(self) -> bool:
        """False once the root went away, or the queue could not be read any more."""
        return self._thread.is_alive()

    def is_complete(self) -> bool:
        """False after events were lost, as moves may have been among them.

        Directories that could not be watched or listed are tried again.

        Raises:
            WatchRefusedError: The system's limit leaves directories unwatched.
        """
        if self._tree is None or self._lost:
            return False
        with self._lock:
            for path in self._tree.retry():
                self._on_path(self._spell(path))
            if self._tree.full:
                raise _watches_used_up()
        return True

    def stop(self) -> None:
        """Ends the watch and gives its resources back; may block as long as the tree does."""
        if self._queue is None:
            return
        self._queue.stop()
        if self._thread.ident is not None:
            self._thread.join(_JOIN_SECONDS)
        if not self._thread.is_alive():
            self._queue.close()
        self._queue = None

    def _run(self) -> None:
        queue, tree = self._queue, self._tree
        if queue is None or tree is None:
            return
        with contextlib.suppress(OSError):
            while not tree.ended and (events := queue.read()) is not None:
                for path in self._changed(tree, events):
                    self._on_path(self._spell(path))
                if not queue.rest(GATHER_SECONDS):
                    return

    def _changed(self, tree: WatchedTree, events: list[KernelEvent]) -> dict[str, None]:
        """The paths that changed, each once, in order."""
        changed: dict[str, None] = {}
        with self._lock:
            for event in events:
                if event.mask & IN_Q_OVERFLOW:
                    self._lost = True
                    self._on_lost()
                path = tree.take(event)
                if path is not None:
                    changed[path] = None
        return changed

    def _spell(self, path: str) -> str:
        return spelled(path, self._root, self._resolved)


def _why_no_instance(error: AttributeError | OSError) -> str:
    if isinstance(error, AttributeError):
        return "this system has no inotify"
    if error.errno == errno.EMFILE:
        return (
            "no inotify instance: its limit (fs.inotify.max_user_instances) or that of open files"
        )
    return f"no inotify instance: {error.strerror}"


def _watches_used_up() -> WatchRefusedError:
    return WatchRefusedError(f"inotify watch limit reached ({watch_limit()})")

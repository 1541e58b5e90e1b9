"""Events of systems other than Linux. The only module that imports watchdog.

watchdog's own faults are held here: warnings that fill stderr, lost events that only its log speaks
of, and threads that end in silence.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import warnings
from typing import TYPE_CHECKING

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver
from watchdog.utils import BaseThread

from ckpt_tui.watch.ports import WatchRefusedError
from ckpt_tui.watch.spelling import spelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from watchdog.observers.api import BaseObserver

_EVENTS: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,  # few systems tell of a file that is closed
    FileMovedEvent,
]
_LOGGER = logging.getLogger("watchdog")
# With any handler there, Python's handler of last resort does not write to stderr.
_SILENCE = logging.NullHandler()
_JOIN_SECONDS = 1.0
# Our threads are told from others' by comparing before and after.
_START_LOCK = threading.Lock()


class NativeWatch:
    """Recursive events below one root, which is watched even if the path to it is a link.

    Args:
        root: Absolute path; events are reported below this very spelling.
        on_path: Called on a watchdog thread with each absolute path that changed.
        on_lost: Called on a watchdog thread when events were lost.
    """

    def __init__(
        self, root: str, *, on_path: Callable[[str], None], on_lost: Callable[[], None]
    ) -> None:
        self._resolved = os.path.realpath(root)
        self._handler = _PathHandler(root, self._resolved, on_path)
        self._complaints = _ComplaintHandler(on_lost)
        self._observer: BaseObserver | None = None
        self._threads: tuple[threading.Thread, ...] = ()

    def start(self) -> None:
        """Starts watching; returns once the tree was offered to the system.

        Raises:
            WatchRefusedError: There is no event interface.
            OSError: The root is not there, or cannot be watched.
        """
        _keep_quiet()
        try:
            with _START_LOCK:
                self._start()
        except OSError:
            self.stop()
            raise

    def _start(self) -> None:
        threads = set(threading.enumerate())
        observer = Observer()
        if isinstance(observer, PollingObserver):
            raise WatchRefusedError("this system has no events of its own")
        self._observer = observer
        _LOGGER.addHandler(self._complaints)
        observer.start()
        observer.schedule(self._handler, self._resolved, recursive=True, event_filter=_EVENTS)
        self._threads = tuple(
            thread
            for thread in threading.enumerate()
            if thread not in threads and isinstance(thread, BaseThread)
        )

    def alive(self) -> bool:
        """False once any thread has ended: watchdog ends some when the root goes or on a fault."""
        return all(thread.is_alive() for thread in self._threads)

    def is_complete(self) -> bool:
        """True as far as can be told."""
        return True

    def stop(self) -> None:
        """Ends the watch and gives its resources back; may block as long as the tree does."""
        if self._observer is not None:
            # OSError: a watch went by itself. RuntimeError: the thread was never started.
            with contextlib.suppress(OSError, RuntimeError):
                self._observer.stop()
                self._observer.join(_JOIN_SECONDS)
            self._observer = None
        _LOGGER.removeHandler(self._complaints)


class _PathHandler(FileSystemEventHandler):
    """Reports an event's paths, spelled as the user spelled the root."""

    def __init__(self, root: str, resolved: str, on_path: Callable[[str], None]) -> None:
        self._root = root
        self._resolved = resolved
        self._on_path = on_path

    def on_any_event(self, event: FileSystemEvent) -> None:
        for path in (event.src_path, event.dest_path):
            if path:
                self._on_path(spelled(os.fsdecode(path), self._root, self._resolved))


class _ComplaintHandler(logging.Handler):
    """Takes every warning in watchdog's log as lost events: that is where it tells of them."""

    def __init__(self, on_lost: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._on_lost = on_lost

    def emit(self, record: logging.LogRecord) -> None:
        self._on_lost()


def _keep_quiet() -> None:
    # For each new directory watchdog may warn with the text of all its watches: megabytes.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
    _LOGGER.addHandler(_SILENCE)

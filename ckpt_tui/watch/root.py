"""One root: how its changes are heard of, and whether it is still the directory it was."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.fs import calls
from ckpt_tui.watch.choose import Choice, WatchMode, choose_mode
from ckpt_tui.watch.ports import WatchRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.watch.ports import EventSource

_ABSENT = Choice(WatchMode.POLL, "the directory is not there: waiting for it")


class _Identity(NamedTuple):
    """Which directory a path leads to; a deleted and recreated one differs, or loses its events."""

    resolved: str
    device: int
    inode: int


class RootWatch:
    """Watches one root and takes it up again when it is replaced, unmounted or recreated.

    Every method may block as long as the file system does.

    Args:
        root: Absolute path.
        force_poll: Never use events.
        on_path: Called on any thread with each path that changed.
        on_lost: Called on any thread when events were lost.
    """

    def __init__(
        self,
        root: str,
        *,
        force_poll: bool,
        on_path: Callable[[str], None],
        on_lost: Callable[[], None],
    ) -> None:
        self._root = root
        self._force_poll = force_poll
        self._on_path = on_path
        self._on_lost = on_lost
        self._identity: _Identity | None = None
        self._source: EventSource | None = None
        self.choice = _ABSENT

    def refresh(self) -> bool:
        """Takes up the root if it is new, changed or no longer heard; True if it was."""
        identity = _identify(self._root)
        heard = self._source is None or self._source.alive()
        if identity == self._identity and heard:
            return False
        self.close()
        self._identity = identity
        self.choice = _ABSENT
        if identity is not None:
            self._open()
        return True

    def complete(self) -> None:
        """Before a sweep: mends what is unheard of the tree, or gives up events for polling."""
        try:
            if self._source is None or self._source.is_complete():
                return
        except WatchRefusedError as error:
            self.close()
            self.choice = Choice(WatchMode.POLL, str(error))
        else:
            self.close()
            self._open()

    def close(self) -> None:
        """Stops listening."""
        if self._source is not None:
            self._source.stop()
            self._source = None

    def _open(self) -> None:
        self.choice = choose_mode(self._root, force_poll=self._force_poll)
        if not self.choice.mode.uses_events:
            return
        try:
            source = _native_source(self._root, self._on_path, self._on_lost)
            source.start()
        except WatchRefusedError as error:
            self.choice = Choice(WatchMode.POLL, str(error))
        except (FileNotFoundError, NotADirectoryError):
            # The root, or a directory below it, went just now: the next refresh tries again.
            self._identity = None
            self.choice = _ABSENT
        except OSError as error:
            self.choice = Choice(WatchMode.POLL, f"events cannot be had: {error.strerror}")
        else:
            self._source = source


def _identify(root: str) -> _Identity | None:
    try:
        status = calls.stat(root)
    except OSError:
        return None
    return _Identity(calls.realpath(root), status.st_dev, status.st_ino)


def _native_source(
    root: str, on_path: Callable[[str], None], on_lost: Callable[[], None]
) -> EventSource:
    # Imported on the watching thread and only if needed: it costs more than a first look.
    if sys.platform == "linux":
        from ckpt_tui.watch.inotify import InotifyWatch

        return InotifyWatch(root, on_path=on_path, on_lost=on_lost)
    try:
        from ckpt_tui.watch.native import NativeWatch
    except Exception as error:
        raise WatchRefusedError(f"watchdog cannot be loaded: {error}") from error
    return NativeWatch(root, on_path=on_path, on_lost=on_lost)

"""What the watcher needs of the store and of the system's events, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Lookable(Protocol):
    """Something that can be looked at again and again; only one thread ever calls it."""

    def look(
        self, dirty: frozenset[str] | None = None, show: Callable[[object], None] | None = None
    ) -> object:
        """Looks and returns an immutable snapshot.

        Args:
            dirty: Absolute paths (files or directories) that may have changed; None for all.
            show: Called with unfinished snapshots while the look takes long.

        Raises:
            OSError: A root itself cannot be listed. Bad content never raises.
        """

    def hot_paths(self) -> tuple[str, ...]:
        """Absolute directories worth looking at often: saves in flight, the newest few."""

    def growing_paths(self) -> tuple[str, ...]:
        """Those of the hot paths that a save in flight is about."""

    def awaited_markers(self) -> tuple[str, ...]:
        """Absolute paths of the files that would commit the saves in flight, by being there."""

    def checkpoint_paths(self) -> tuple[str, ...]:
        """Absolute paths of all that is known, to be looked at again a few at a time."""

    def run_paths(self) -> tuple[str, ...]:
        """Absolute directories of all runs; their pointers may be overwritten in place."""

    def directories(self) -> tuple[str, ...]:
        """Absolute directories whose own times tell that something in them changed."""

    def roots(self) -> tuple[str, ...]:
        """The absolute directories that the snapshot is about."""

    def expect_stale(self, seconds: float) -> None:
        """Says for how long the file system may answer from a cache; 0 for never."""

    def saving(self) -> bool:
        """True while any checkpoint is in flight."""


class EventSource(Protocol):
    """The system's events below one root."""

    def start(self) -> None:
        """Starts to report.

        Raises:
            WatchRefusedError: The system gives no events here.
            OSError: The root is not there, or cannot be watched.
        """

    def alive(self) -> bool:
        """False once events have ceased for good."""

    def is_complete(self) -> bool:
        """False if a part of the tree is unheard, and starting anew would mend it.

        Raises:
            WatchRefusedError: A limit of the system keeps a part of the tree unheard.
        """

    def stop(self) -> None:
        """Ends reporting."""


class WatchRefusedError(Exception):
    """The system gives no events, or not of the whole tree; the text says why."""

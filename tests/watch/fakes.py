"""Stands in for the store and for the screen."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_SECONDS = 10.0
NEVER_SECONDS = 3600.0


def wait_until(holds: Callable[[], bool], patience_seconds: float = PATIENCE_SECONDS) -> None:
    """Waits for something that tells nobody when it happens; fails the test if it does not."""
    pause = threading.Event()
    end = time.monotonic() + patience_seconds
    while not holds():  # asked once each time: what holds for a moment has held
        assert time.monotonic() < end
        pause.wait(0.01)


class FolderStore:
    """Knows the paths below one root, and learns of a change only through a dirty path above it."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.looks: list[frozenset[str] | None] = []
        self.in_flight = False
        self.hot: tuple[str, ...] = ()
        self.markers: tuple[str, ...] = ()
        self._known: frozenset[str] = frozenset()

    def look(self, dirty: frozenset[str] | None = None, show: object = None) -> object:
        os.listdir(self.root)
        self.looks.append(dirty)
        for path in (self.root,) if dirty is None else dirty:
            gone = {known for known in self._known if known == path or known.startswith(path + "/")}
            self._known = (self._known - gone) | self._walk(path)
        return self._known

    def hot_paths(self) -> tuple[str, ...]:
        return self.hot

    def growing_paths(self) -> tuple[str, ...]:
        return ()

    def run_paths(self) -> tuple[str, ...]:
        return ()

    def awaited_markers(self) -> tuple[str, ...]:
        return self.markers

    def checkpoint_paths(self) -> tuple[str, ...]:
        return ()

    def directories(self) -> tuple[str, ...]:
        return ()

    def roots(self) -> tuple[str, ...]:
        return (self.root,)

    def expect_stale(self, seconds: float) -> None:
        pass

    def saving(self) -> bool:
        return self.in_flight

    def _walk(self, path: str) -> set[str]:
        if not (path + "/").startswith(self.root + "/"):
            return set()
        found = {path} if path != self.root and os.path.lexists(path) else set()
        for parent, directories, files in os.walk(path):
            found |= {os.path.join(parent, name) for name in directories + files}
        return found


class Screen:
    """Takes snapshots and lets a test wait for the one it expects."""

    def __init__(self) -> None:
        self.snapshots: list[object] = []
        self._news = threading.Condition()

    def show(self, snapshot: object) -> None:
        with self._news:
            self.snapshots.append(snapshot)
            self._news.notify_all()

    def await_snapshot(self, accept: Callable[[object], bool]) -> None:
        """Waits until the newest snapshot is accepted; fails the test if none comes."""
        with self._news:
            came = self._news.wait_for(
                lambda: bool(self.snapshots) and accept(self.snapshots[-1]), PATIENCE_SECONDS
            )
        assert came, f"waited in vain; {len(self.snapshots)} snapshots, last: {self.snapshots[-1:]}"

    def await_paths(self, *paths: str) -> None:
        """Waits until the newest snapshot of a `FolderStore` holds exactly these paths."""
        self.await_snapshot(lambda snapshot: snapshot == frozenset(paths))

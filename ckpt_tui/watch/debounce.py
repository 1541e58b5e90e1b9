"""Gathers changed paths into batches, so that a burst of events costs one look."""

from __future__ import annotations

import os
from typing import NamedTuple

QUIET_SECONDS = 0.04
LONGEST_SECONDS = 0.15
MAX_PATHS = 100_000


class Batch(NamedTuple):
    """Paths that changed within one window; `full` if they cannot be told one by one."""

    full: bool
    paths: frozenset[str]


class Debounce:
    """A window that closes after a short silence, or after a longest time whatever happens.

    The window opens with the first path. It closes `quiet_seconds` after the last one, and at the
    latest `longest_seconds` after the first. All times come from the caller's clock, in seconds.
    """

    def __init__(
        self,
        quiet_seconds: float = QUIET_SECONDS,
        longest_seconds: float = LONGEST_SECONDS,
        max_paths: int = MAX_PATHS,
    ) -> None:
        self._quiet_seconds = quiet_seconds
        self._longest_seconds = longest_seconds
        self._max_paths = max_paths
        self._paths: set[str] = set()
        self._full = False
        self._first_at: float | None = None
        self._last_at = 0.0

    def add(self, path: str, now: float) -> None:
        """Adds one changed path."""
        if not self._full:
            self._paths.add(path)
            if len(self._paths) > self._max_paths:
                self._forget_paths()
        self._touch(now)

    def add_full(self, now: float) -> None:
        """Says that anything may have changed, for example because events were lost."""
        self._forget_paths()
        self._touch(now)

    def drop_inside(self, directories: frozenset[str]) -> None:
        """Forgets gathered paths that lie directly in these directories."""
        if not directories or self._full or not self._paths:
            return
        self._paths = {path for path in self._paths if os.path.dirname(path) not in directories}
        if not self._paths:
            self._first_at = None

    def due_at(self) -> float | None:
        """When the open window closes; None if none is open."""
        if self._first_at is None:
            return None
        return min(self._last_at + self._quiet_seconds, self._first_at + self._longest_seconds)

    def take(self, now: float) -> Batch | None:
        """The closed window's paths, given once; None while it is open or empty."""
        due = self.due_at()
        return None if due is None or now < due else self.flush()

    def flush(self) -> Batch | None:
        """What has been gathered so far, whether or not the window is due; None if nothing."""
        if self._first_at is None:
            return None
        batch = Batch(self._full, frozenset(self._paths))
        self._paths = set()
        self._full = False
        self._first_at = None
        return batch

    def _touch(self, now: float) -> None:
        if self._first_at is None:
            self._first_at = now
        self._last_at = now

    def _forget_paths(self) -> None:
        self._full = True
        self._paths = set()

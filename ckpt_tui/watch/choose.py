"""Chooses how a directory is watched: by the kernel's events, or by looking every few seconds."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import NamedTuple

from ckpt_tui.fs import calls
from ckpt_tui.fs.mounts import Mount, is_below, mount_of, read_mounts, sees_events
from ckpt_tui.fs.staleness import ASKED_SECONDS, stale_seconds


class WatchMode(StrEnum):
    """How changes are heard of."""

    STARTING = "starting"
    INOTIFY = "inotify"
    EVENTS = "events"
    """The event interface of a system other than Linux."""
    POLL = "poll"

    @property
    def uses_events(self) -> bool:
        """True if the system tells of changes, so that looking is only the safety net."""
        return self in (WatchMode.INOTIFY, WatchMode.EVENTS)


class Choice(NamedTuple):
    """How to watch.

    Attributes:
        mode: The mode.
        reason: The reason for it in words, to be shown to the user.
        stale_seconds: For how long the file system may answer from a cache; 0 for never.
    """

    mode: WatchMode
    reason: str
    stale_seconds: float = 0.0


def choose_mode(
    path: str, *, force_poll: bool = False, mounts: tuple[Mount, ...] | None = None
) -> Choice:
    """Chooses the mode for the tree below `path`.

    Args:
        path: The directory to watch. Resolving its links may block on a dead mount.
        force_poll: The user asked for polling.
        mounts: The mounts to judge by; None reads this process's.
    """
    choice = _choose(path, mounts)
    if not force_poll:
        return choice
    stale_seconds = max(choice.stale_seconds, ASKED_SECONDS)
    return Choice(WatchMode.POLL, "polling was asked for", stale_seconds)


def _choose(path: str, mounts: tuple[Mount, ...] | None) -> Choice:
    resolved = calls.realpath(path)
    known = read_mounts() if mounts is None else mounts
    here = mount_of(resolved, known) if known else None
    if not known or here is None:
        mode = WatchMode.INOTIFY if sys.platform == "linux" else WatchMode.EVENTS
        return Choice(mode, "unknown file system: events are tried")
    support = sees_events(here, known)
    if not support.sees_events:
        return Choice(WatchMode.POLL, support.reason, stale_seconds(here))
    for mount in known:
        if mount.mount_point != resolved and is_below(mount.mount_point, resolved):
            inner = sees_events(mount, known)
            if not inner.sees_events:
                reason = f"{mount.mount_point} is {inner.reason}"
                return Choice(WatchMode.POLL, reason, stale_seconds(mount))
    return Choice(WatchMode.INOTIFY, support.reason)

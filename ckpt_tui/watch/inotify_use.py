"""How many inotify watches this process really holds, read from `/proc` (proc(5), fdinfo).

watchdog does not say when the kernel refuses a watch below the root, and an unwatched directory
looks just like a quiet one. So the watches are counted against the directories.
"""

from __future__ import annotations

import os
from pathlib import Path

_FD_DIRECTORY = "/proc/self/fd"
_FD_INFO_DIRECTORY = "/proc/self/fdinfo"
_LIMITS = {
    "fs.inotify.max_user_watches": "/proc/sys/fs/inotify/max_user_watches",
    # The same limit, per user namespace: a container may have a lower one.
    "user.max_inotify_watches": "/proc/sys/user/max_inotify_watches",
}


def inotify_fds() -> frozenset[int]:
    """This process's open inotify instances; empty where there is no `/proc`."""
    try:
        names = os.listdir(_FD_DIRECTORY)
    except OSError:
        return frozenset()
    return frozenset(int(name) for name in names if _is_inotify(name))


def _is_inotify(name: str) -> bool:
    try:
        target = os.readlink(f"{_FD_DIRECTORY}/{name}")
    except OSError:
        return False
    return target in ("anon_inode:inotify", "inotify")


def count_watches(fd: int) -> int | None:
    """The number of watches of one inotify instance; None if it cannot be read."""
    try:
        text = Path(f"{_FD_INFO_DIRECTORY}/{fd}").read_text(encoding="ascii")
    except OSError:
        return None
    return sum(line.startswith("inotify wd:") for line in text.splitlines())


def count_directories(root: str) -> int:
    """The number of readable directories in the tree at `root`, itself included.

    Links are not followed. A directory that is mounted twice counts once, as it does for inotify.
    """
    seen: set[tuple[int, int]] = set()
    pending = [root]
    while pending:
        path = pending.pop()
        try:
            status = os.stat(path, follow_symlinks=path == root)
            with os.scandir(path) as entries:
                inner = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        identity = (status.st_dev, status.st_ino)
        if identity not in seen:
            seen.add(identity)
            pending += inner
    return len(seen)


def watch_limit() -> str:
    """The lowest limit of watches in force, as `name = number` with sysctl's name."""
    found = [(limit, name) for name, path in _LIMITS.items() if (limit := _read_number(path))]
    if not found:
        return "fs.inotify.max_user_watches"
    limit, name = min(found)
    return f"{name} = {limit}"


def _read_number(path: str) -> int | None:
    try:
        return int(Path(path).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None

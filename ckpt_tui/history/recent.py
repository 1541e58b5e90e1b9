"""The directories that were opened lately: a small file in the user's state directory."""

from __future__ import annotations

import os
from typing import NamedTuple

from ckpt_tui.fs.small_json import read_small_json, write_small_json
from ckpt_tui.fs.user_directory import is_off, user_directory
from ckpt_tui.history.place import is_kept

MOST_RECENT = 12
SWITCH = "CKPT_TUI_STATE"
"""Environment variable: "0", "off" or "no" remembers nothing."""
_NAME = "recent.json"


class Recent(NamedTuple):
    """One directory.

    Attributes:
        path: Absolute path.
        opened_at: When it was opened last, seconds since the epoch.
    """

    path: str
    opened_at: float


def recent_path() -> str:
    """Absolute path of the file: below ``$XDG_STATE_HOME``, else ``~/.local/state``."""
    return os.path.join(user_directory("XDG_STATE_HOME", ".local/state"), _NAME)


def recent_directories() -> tuple[Recent, ...]:
    """What was opened, the latest first; nothing where nothing is remembered or readable."""
    if not _is_remembered():
        return ()
    rows = read_small_json(recent_path())
    found = [recent for row in rows if (recent := _recent(row))] if isinstance(rows, list) else []
    return tuple(sorted(found, key=lambda recent: -recent.opened_at)[:MOST_RECENT])


def remember(path: str, now: float) -> None:
    """Puts a directory first.

    Nothing happens where nothing is to be remembered, where the file cannot be written, or where it
    would lie in that very directory.

    Args:
        path: Absolute path.
        now: Seconds since the epoch.
    """
    if not _is_remembered():
        return
    others = [recent for recent in recent_directories() if recent.path != path]
    rows = [{"path": r.path, "opened_at": r.opened_at} for r in (Recent(path, now), *others)]
    write_small_json(recent_path(), rows[:MOST_RECENT], not_below=path)


def _is_remembered() -> bool:
    return is_kept() and not is_off(SWITCH)


def _recent(row: object) -> Recent | None:
    path = row.get("path") if isinstance(row, dict) else None
    opened_at = row.get("opened_at") if isinstance(row, dict) else None
    right = isinstance(path, str) and os.path.isabs(path) and isinstance(opened_at, int | float)
    return Recent(str(path), float(opened_at)) if right and opened_at is not None else None

"""Where the history lies, and whether it is kept."""

from __future__ import annotations

import os

from ckpt_tui.fs.user_directory import is_off, user_directory

SWITCH = "CKPT_TUI_HISTORY"
"""Environment variable: "0", "off" or "no" switches the history off."""


def history_path() -> str:
    """Absolute path of the database: below ``$XDG_STATE_HOME``, else ``~/.local/state``."""
    return os.path.join(user_directory("XDG_STATE_HOME", ".local/state"), "history.sqlite")


def is_kept() -> bool:
    """Whether a history is kept at all."""
    return not why_not_kept()


def why_not_kept() -> str:
    """Why no history is kept, and what would change that; "" where one is."""
    if is_off(SWITCH):
        return f"switched off by {SWITCH}"
    # A user without a home: a relative path would lie in whatever directory is watched.
    return "" if os.path.isabs(history_path()) else "no home directory: set XDG_STATE_HOME"

"""Where the cache lies, and whether it is used."""

from __future__ import annotations

import os

from ckpt_tui.fs.user_directory import is_off, user_directory

SWITCH = "CKPT_TUI_CACHE"
"""Environment variable: "0", "off" or "no" switches the cache off."""


def cache_path() -> str:
    """Absolute path of the database: below ``$XDG_CACHE_HOME``, else ``~/.cache``."""
    return os.path.join(user_directory("XDG_CACHE_HOME", ".cache"), "facts.sqlite")


def why_not_used() -> str:
    """Why nothing is cached, and what would change that; "" where something is."""
    if is_off(SWITCH):
        return f"switched off by {SWITCH}"
    return "" if os.path.isabs(cache_path()) else "no home directory: set XDG_CACHE_HOME"

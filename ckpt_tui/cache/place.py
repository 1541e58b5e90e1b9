"""Where the cache lies, and whether it is used."""

from __future__ import annotations

import os

from ckpt_tui.fs.user_directory import CACHE_SWITCH, cache_file, is_off


def cache_path() -> str:
    """Absolute path of the database: below ``$XDG_CACHE_HOME``, else ``~/.cache``."""
    return cache_file("facts.sqlite")


def why_not_used() -> str:
    """Why nothing is cached, and what would change that; "" where something is."""
    if is_off(CACHE_SWITCH):
        return f"switched off by {CACHE_SWITCH}"
    return "" if os.path.isabs(cache_path()) else "no home directory: set XDG_CACHE_HOME"

"""Where results of `verify` are remembered, and whether they are."""

from __future__ import annotations

import os
from typing import NamedTuple

from ckpt_tui.fs.user_directory import CACHE_SWITCH, cache_file, is_off

SWITCH = "CKPT_TUI_VERIFIED"
"""Environment variable: "0", "off" or "no" remembers no results, and uses none."""


class ResultsStamp(NamedTuple):
    """What the system says of the database; another one as soon as somebody has written it."""

    mtime_ns: int
    size_bytes: int
    inode: int


def results_path() -> str:
    """Absolute path of the user's database; "" where nothing is to be remembered."""
    path = cache_file("verified.sqlite")
    off = is_off(SWITCH) or is_off(CACHE_SWITCH)
    return path if os.path.isabs(path) and not off else ""


def stamp_of(path: str) -> ResultsStamp | None:
    """For a comparison with an earlier one; None where there is no database."""
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return ResultsStamp(info.st_mtime_ns, info.st_size, info.st_ino)

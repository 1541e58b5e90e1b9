"""Exit codes; scripts and monitoring rely on them."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Level

if TYPE_CHECKING:
    from collections.abc import Iterable


class ExitCode(IntEnum):
    """What a command's end means."""

    OK = 0
    WARNING = 1
    CRITICAL = 2
    UNKNOWN = 3
    EMPTY = 4
    USAGE = 64
    INTERNAL = 70
    INTERRUPTED = 130


_OF_LEVEL = {
    Level.OK: ExitCode.OK,
    Level.WARNING: ExitCode.WARNING,
    Level.CRITICAL: ExitCode.CRITICAL,
    Level.UNKNOWN: ExitCode.UNKNOWN,
    Level.EMPTY: ExitCode.EMPTY,
}

# Over several runs the worst, in this order: a run that cannot resume is worse than one unread.
_WORST_FIRST = (Level.CRITICAL, Level.UNKNOWN, Level.WARNING, Level.EMPTY, Level.OK)


def badness(level: Level) -> int:
    """0 for the worst level."""
    return _WORST_FIRST.index(level)


def worst_level(levels: Iterable[Level]) -> Level:
    """The worst of several levels; EMPTY where there is none."""
    return min(levels, key=badness, default=Level.EMPTY)


def exit_code_of(level: Level) -> ExitCode:
    """The exit code that stands for a level."""
    return _OF_LEVEL[level]

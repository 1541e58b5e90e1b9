"""Whether reading ahead in other processes pays, and in how many."""

from __future__ import annotations

import os
from typing import NamedTuple

from ckpt_tui.fs.pace import LEAST_SECONDS, many_worth, most_readers

LEAST_EACH_SECONDS = 0.002
"""Handing over what is read quicker than this costs as much as reading it."""


class Cost(NamedTuple):
    """What one checkpoint took, seconds.

    Attributes:
        wall: On the wall.
        cpu: Of this thread's CPU time; the rest was spent waiting for the file system.
    """

    wall: float
    cpu: float


def processes_worth(left: int, each: Cost) -> int:
    """How many processes should read what is left; 0 for none.

    `CKPT_TUI_READERS` sets the most; 0 keeps everything in one process.
    """
    if each.wall < LEAST_EACH_SECONDS or left * each.wall < LEAST_SECONDS:
        return 0
    cores = usable_cores()
    return min(most_readers(), cores) if cores > 1 else 0


def threads_worth(left: int, each: Cost) -> bool:
    """Whether to ask for many at once: a slow file server answers them as quickly as one."""
    return many_worth(left, each.wall, each.cpu)


def usable_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

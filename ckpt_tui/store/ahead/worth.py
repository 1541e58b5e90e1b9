"""Whether reading ahead in other processes pays, and in how many."""

from __future__ import annotations

import os
from typing import NamedTuple

SAMPLE = 8
"""So many are read here first: most looks are over by then, and what one costs is known."""
LEAST_SECONDS = 0.5
"""Where less is left to do, starting processes is not worth it."""
LEAST_EACH_SECONDS = 0.002
"""Handing over what is read quicker than this costs as much as reading it."""
MOST = 8
VARIABLE = "CKPT_TUI_READERS"


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
    return min(_most(), cores) if cores > 1 else 0


def threads_worth(left: int, each: Cost) -> bool:
    """Whether to ask for many at once: a slow file server answers them as quickly as one."""
    waits = each.wall - each.cpu
    return waits > each.wall / 2 and left * waits > LEAST_SECONDS and _most() > 0


def usable_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _most() -> int:
    try:
        return max(0, min(64, int(os.environ.get(VARIABLE, MOST))))
    except ValueError:
        return MOST

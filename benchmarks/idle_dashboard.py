"""CPU time of the whole dashboard in a pseudo-terminal while nothing happens; see `idle`."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.terminal import BARE, Terminal

if TYPE_CHECKING:
    from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_FIELD_AFTER_NAME = 11  # utime, stime and those of children that were waited for: proc(5)


class Idle(NamedTuple):
    """What a program cost while nobody touched it.

    Attributes:
        cpu_share: Of one core.
        bytes_per_second: Written to the terminal.
    """

    cpu_share: float
    bytes_per_second: float


def dashboard_idle(run: Path, settle_seconds: float, seconds: float) -> tuple[Idle, Idle]:
    """The dashboard on a directory, and a bare Textual app that shows one word."""
    dashboard = [sys.executable, "-m", "ckpt_tui", os.fspath(run)]
    bare = [sys.executable, "-c", BARE]
    return idle_of(dashboard, settle_seconds, seconds), idle_of(bare, 2.0, seconds)


def idle_of(command: list[str], settle_seconds: float, seconds: float) -> Idle:
    """Starts a program in a pseudo-terminal, leaves it alone, and ends it."""
    with Terminal(command) as terminal:
        terminal.swallow(settle_seconds)
        cpu, began = _cpu_seconds(terminal.pid), time.perf_counter()
        written = terminal.swallow(seconds)
        took = time.perf_counter() - began
        return Idle((_cpu_seconds(terminal.pid) - cpu) / took, written / took)


def _cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return sum(map(int, fields[_FIELD_AFTER_NAME : _FIELD_AFTER_NAME + 4])) / _TICKS

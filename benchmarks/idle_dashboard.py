"""CPU time of the whole dashboard in a pseudo-terminal while nothing happens; see `idle`."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.first_paint import BARE, COLUMNS, ROWS

if TYPE_CHECKING:
    from pathlib import Path

_ENVIRONMENT = {
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "CKPT_TUI_HISTORY": "0",
    "CKPT_TUI_CACHE": "0",
}
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
    pid, fd = pty.fork()
    if pid == 0:
        os.execve(command[0], command, {**os.environ, **_ENVIRONMENT})
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        _swallow(fd, settle_seconds)
        cpu, began = _cpu_seconds(pid), time.perf_counter()
        written = _swallow(fd, seconds)
        took = time.perf_counter() - began
        return Idle((_cpu_seconds(pid) - cpu) / took, written / took)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)


def _swallow(fd: int, seconds: float) -> int:
    """Reads what comes for so long, as a terminal does; returns how many bytes came."""
    deadline, count = time.monotonic() + seconds, 0
    while (rest := deadline - time.monotonic()) > 0:
        if select.select([fd], [], [], rest)[0]:
            count += len(os.read(fd, 1 << 16))
    return count


def _cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return sum(map(int, fields[_FIELD_AFTER_NAME : _FIELD_AFTER_NAME + 4])) / _TICKS

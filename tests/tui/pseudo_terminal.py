"""The stub program in a pseudo terminal: what it is sent, what it sends, how it ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60.0
LEAVES_SCREEN = "\x1b[?1049l"
SHOWS_CURSOR = "\x1b[?25h"
MOUSE_ON = "\x1b[?1000h"
MOUSE_OFF = "\x1b[?1000l"
_RENDITION = re.compile(r"\x1b\[([0-9;:]*)m")
_SEQUENCE = re.compile(r"\x1b\[[0-9;?<>=]*[A-Za-z]")
_OF_A_TERMINAL = ("COLORTERM", "COLORFGBG", "COLUMNS", "LINES", "NO_COLOR", "STY", "TMUX")


class Ended(NamedTuple):
    """How the program ended."""

    code: int
    output: str

    @property
    def after(self) -> str:
        """The text that was written once the screen was left."""
        return _SEQUENCE.sub("", self.output.rpartition(LEAVES_SCREEN)[2])


class Terminal:
    """The stub program in a pseudo terminal.

    Args:
        arguments: Of the stub program.
        environ: Variables in place of those of a plain xterm.
        size: Columns and lines.
    """

    def __init__(
        self,
        *arguments: str,
        environ: Mapping[str, str] | None = None,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        self._master, slave = pty.openpty()
        self.output = ""
        self._since = 0
        self._set_size(size)
        inherited = {k: v for k, v in os.environ.items() if k not in _OF_A_TERMINAL}
        own = {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.tui.stub_program", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env={**inherited, **own, **(environ or {})},
            start_new_session=True,
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leaves no program behind, whatever a test came to."""
        self.process.kill()
        self.process.wait()
        self.vanish()

    def wait_for(self, text: str) -> None:
        """Reads until that was written, since something was last done to the program."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.output[self._since :]:
            assert time.monotonic() < deadline, self.output[-2000:]
            if not self._read():
                break
        assert text in self.output[self._since :], self.output[-2000:]

    def type(self, keys: str) -> None:
        """Types."""
        self._since = len(self.output)
        os.write(self._master, keys.encode())

    def resize(self, size: tuple[int, int]) -> None:
        """Gives the terminal another size, and tells the program."""
        self._since = len(self.output)
        self._set_size(size)
        self.process.send_signal(signal.SIGWINCH)

    def stop_and_continue(self) -> None:
        """Waits until the program has stopped itself, and wakes it."""
        stopped = os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        assert stopped is not None
        while select.select([self._master], [], [], 0)[0]:
            self._read()
        assert LEAVES_SCREEN in self.output
        self._since = len(self.output)
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> Ended:
        """Reads to the end."""
        while self._read():
            pass
        return Ended(self.process.wait(PATIENCE_SECONDS), self.output)

    def vanish(self) -> None:
        """Takes the terminal away; no signal tells the program, as it is nobody's session."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def _set_size(self, size: tuple[int, int]) -> None:
        columns, lines = size
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], PATIENCE_SECONDS)
        assert ready, self.output[-2000:]
        data = b""
        with contextlib.suppress(OSError):  # Linux says EIO where the other end was closed
            data = os.read(self._master, 65536)
        self.output += data.decode(errors="replace")
        return bool(data)


def renditions(output: str) -> set[str]:
    """Kinds of SGR parameters that were sent: "bold", "16", "256", "true", "default", …"""
    kinds: set[str] = set()
    for found in _RENDITION.finditer(output):
        numbers = [int(number or 0) for number in re.split("[;:]", found[1])]
        while numbers:
            kinds.add(_kind_of(numbers))
    return kinds


def _kind_of(numbers: list[int]) -> str:
    """The kind of the first parameter, which is taken away with what belongs to it."""
    first = numbers.pop(0)
    if first in (38, 48):
        kind = {2: ("true", 3), 5: ("256", 1)}[numbers.pop(0)]
        del numbers[: kind[1]]
        return kind[0]
    if first in (39, 49):
        return "default"
    if 30 <= first <= 47 or 90 <= first <= 107:
        return "16"
    names = {0: "reset", 1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse"}
    return names.get(first, str(first))

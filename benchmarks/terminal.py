"""A program behind a pseudo-terminal of 120 x 40, as a person at a keyboard meets it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLUMNS, ROWS = 120, 40
LONGEST_WAIT_SECONDS = 60.0
ENVIRONMENT = {
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "CKPT_TUI_HISTORY": "0",
    "CKPT_TUI_CACHE": "0",
    "CKPT_TUI_STATE": "0",
}
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("ready-to-go")
    def on_key(self, event):
        self.query_one(Static).update(f"key {event.key} {event.time}")
Bare().run()
"""
"""An application that shows one word, and the key that was pressed."""


class Terminal:
    """Starts a command and holds the other end of its terminal.

    Args:
        command: The program's path and its arguments.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, {**os.environ, **ENVIRONMENT})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

    def wait_for(self, seen: bytes) -> float:
        """Reads until these bytes have come; seconds since now.

        Raises:
            TimeoutError: They did not come.
        """
        began, screen = time.perf_counter(), b""
        while seen not in screen:
            if time.perf_counter() - began > LONGEST_WAIT_SECONDS:
                raise TimeoutError(f"{seen!r} did not come: {screen[-200:]!r}")
            if select.select([self.fd], [], [], 1.0)[0]:
                screen += self._read(screen)
        return time.perf_counter() - began

    def _read(self, before: bytes) -> bytes:
        try:
            return os.read(self.fd, 1 << 16)
        except OSError as error:  # how Linux says that the program has ended
            raise RuntimeError(f"the program ended: {before[-300:].decode()}") from error

    def type(self, key: bytes) -> None:
        """Presses a key."""
        os.write(self.fd, key)

    def drain(self, silence_seconds: float) -> tuple[float, int]:
        """Reads until nothing has come for so long; when the last byte came, and how many came."""
        last, count = time.perf_counter(), 0
        deadline = last + LONGEST_WAIT_SECONDS
        while time.perf_counter() < deadline:
            if not select.select([self.fd], [], [], silence_seconds)[0]:
                break
            count += len(os.read(self.fd, 1 << 16))
            last = time.perf_counter()
        return last, count

    def press(self, key: bytes, silence_seconds: float) -> tuple[float, int]:
        """Seconds from the key to the last byte of what it changed, and the bytes."""
        start = time.perf_counter()
        self.type(key)
        select.select([self.fd], [], [], LONGEST_WAIT_SECONDS)
        last, count = self.drain(silence_seconds)
        return last - start, count

    def swallow(self, seconds: float) -> int:
        """Reads whatever comes for so long; returns how many bytes came."""
        deadline, count = time.perf_counter() + seconds, 0
        while (left := deadline - time.perf_counter()) > 0:
            if select.select([self.fd], [], [], left)[0]:
                count += len(os.read(self.fd, 1 << 16))
        return count


class Key(NamedTuple):
    """A key whose repaint is timed, and what is pressed before and after it untimed."""

    sent: bytes
    before: bytes = b""
    after: bytes = b""


def times_of_keys(
    terminal: Terminal, keys: Mapping[str, Key], silence_seconds: float
) -> dict[str, float]:
    """Milliseconds from each key to the last byte of its repaint, one key after the other."""
    times = {}
    for name, key in keys.items():
        if key.before:
            terminal.press(key.before, silence_seconds)
        times[name] = terminal.press(key.sent, silence_seconds)[0] * 1e3
        if key.after:
            terminal.press(key.after, silence_seconds)
    return times


def presses(keys: Mapping[str, Key]) -> int:
    """How many keys a round presses."""
    return sum(1 + bool(key.before) + bool(key.after) for key in keys.values())

"""In a real terminal: exit codes, signals, and a terminal that is left as it was found."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from ckpt_tui.tui.options import DEFAULT_OPTIONS
from ckpt_tui.tui.run import run_dashboard
from tests.tui import situations
from tests.tui.builders import StubFeed

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 30.0
LEAVES_SCREEN = "\x1b[?1049l"
SHOWS_CURSOR = "\x1b[?25h"
MOUSE_OFF = "\x1b[?1000l"


class Ended(NamedTuple):
    """How the program ended."""

    code: int
    output: str


class Terminal:
    """A program in a pseudo terminal of 80 columns."""

    def __init__(self) -> None:
        self._master, slave = pty.openpty()
        self.output = ""
        environ = {**os.environ, "COLUMNS": "80", "LINES": "24", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.tui.stub_program"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env=environ,
            start_new_session=True,
        )
        os.close(slave)

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.output:
            assert time.monotonic() < deadline, self.output[-2000:]
            if not self._read():
                break
        assert text in self.output, self.output[-2000:]

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self) -> Ended:
        while self._read():
            pass
        code = self.process.wait(PATIENCE_SECONDS)
        os.close(self._master)
        return Ended(code, self.output)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], PATIENCE_SECONDS)
        assert ready, self.output[-2000:]
        data = b""
        with contextlib.suppress(OSError):  # Linux says EIO where the other end was closed
            data = os.read(self._master, 65536)
        self.output += data.decode(errors="replace")
        return bool(data)


@pytest.mark.parametrize(
    ("act", "code"),
    [("q", 0), ("\x03", 130), (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["q", "ctrl+c", "int", "term", "hup"],
)
def test_the_terminal_is_left_clean(act: str | signal.Signals, code: int) -> None:
    terminal = Terminal()
    terminal.wait_for("RESUME FROM")
    if isinstance(act, str):
        terminal.type(act)
    else:
        terminal.process.send_signal(act)
    ended = terminal.end()
    assert ended.code == code
    for sequence in (LEAVES_SCREEN, SHOWS_CURSOR, MOUSE_OFF):
        assert sequence in ended.output
    assert ended.output.rstrip().endswith("stopped=True")


def test_a_theme_that_is_not_there_is_refused() -> None:
    options = DEFAULT_OPTIONS._replace(theme="no-such")
    with pytest.raises(ValueError, match=r"no theme 'no-such'; there are .*textual-light"):
        run_dashboard(StubFeed(situations.empty()), options)


def test_a_crash_is_told_after_the_terminal_is_clean() -> None:
    terminal = Terminal()
    terminal.wait_for("RESUME FROM")
    terminal.type("r")
    ended = terminal.end()
    assert ended.code == 70
    assert "a fault of our own" in ended.output.partition(LEAVES_SCREEN)[2]

"""A command in a process of its own: exit codes, signals, and nobody who stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.process import ROOT

_PROGRAM = """
import os, signal, sys, time
from ckpt_tui.cli.apart import run_apart
from ckpt_tui.cli.outcome import finish

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it would be ignored, rightly

def work():
    print(os.getpid(), flush=True)
    {0}

sys.exit(run_apart(lambda: finish(work)))
"""
_SLEEP = "time.sleep(30)"


class _Apart:
    """A process whose child does some work."""

    def __init__(self, work: str) -> None:
        self.parent = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM.format(work)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            start_new_session=True,
        )
        assert self.parent.stdout is not None
        self.child = int(self.parent.stdout.readline())

    def end(self) -> tuple[int, bytes]:
        """The exit code and what was said on stderr; both processes are over."""
        _, said = self.parent.communicate(timeout=20)
        _until(lambda: _state(self.child) in "ZX-")
        return self.parent.returncode, said


def _until(holds: object, seconds: float = 10.0) -> None:
    assert callable(holds)
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _state(pid: int) -> str:
    """The kernel's letter for a process's state; "-" where there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "-"
    return text.rpartition(")")[2].split()[0]


@pytest.mark.parametrize("code", [0, 1, 3, 64])
def test_exit_code(code: int) -> None:
    assert _Apart(f"return {code}").end() == (code, b"")


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signal_to_the_parent_alone(number: signal.Signals, code: int) -> None:
    apart = _Apart(_SLEEP)
    apart.parent.send_signal(number)
    assert apart.end() == (code, b"")


def test_interrupt_of_both_as_from_a_terminal() -> None:
    apart = _Apart(_SLEEP)
    os.killpg(apart.parent.pid, signal.SIGINT)
    assert apart.end() == (130, b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV])
def test_child_dies_without_a_word(number: signal.Signals) -> None:
    apart = _Apart(_SLEEP)
    os.kill(apart.child, number)
    assert apart.end() == (128 + number, b"")


def test_child_dies_while_its_own_child_holds_the_pipe() -> None:
    apart = _Apart("os.fork() or (os.setsid(), os.close(1), os.close(2)); time.sleep(2)")
    os.kill(apart.child, signal.SIGKILL)
    began = time.monotonic()
    assert apart.parent.wait(10) == 137
    assert time.monotonic() - began < 1.5


def test_child_ends_with_a_parent_that_is_killed() -> None:
    apart = _Apart(_SLEEP)
    apart.parent.kill()
    assert apart.end()[0] == -signal.SIGKILL


def test_parent_stops_and_goes_on_with_its_child() -> None:
    apart = _Apart("time.sleep(1); return 1")
    os.kill(apart.child, signal.SIGSTOP)
    _until(lambda: _state(apart.parent.pid) == "T")
    apart.parent.send_signal(signal.SIGCONT)
    assert apart.end() == (1, b"")

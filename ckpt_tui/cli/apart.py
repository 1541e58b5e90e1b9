"""Runs a command in a process that can be left behind.

A thread that waits for a FUSE daemon which read the request and never answers cannot be killed, and
a process is not over before its last thread (Linux, `fs/fuse/dev.c`, `request_wait_answer`). So a
command that must end in time does its work in a child: it tells its exit code through a pipe, and
the process that the shell knows ends whatever becomes of the child.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from typing import TYPE_CHECKING

from ckpt_tui.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_FORWARDED = (signal.SIGTERM, signal.SIGHUP)


def run_apart(command: Callable[[], int]) -> int:
    """Runs a command in a child process and returns its exit code as soon as that is known.

    Signals that would end this process are handed on; while the child is stopped, so is this.

    Args:
        command: Raises nothing; it may print. No other thread may run yet.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(command, writing)
    os.close(writing)
    return _wait_for(child, reading)


def _work(command: Callable[[], int], writing: int) -> None:
    """The child's part. It lets go of the terminal and of pipes before it tells its end."""
    code = int(ExitCode.INTERNAL)
    try:
        code = command()
    finally:
        sys.stderr.flush()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        os.write(writing, bytes((code & 0xFF,)))
        os._exit(code)


def _wait_for(child: int, reading: int) -> int:
    def hand_on(number: int, _frame: FrameType | None) -> None:
        os.kill(child, number)

    def wake(_number: int, _frame: FrameType | None) -> None:
        """Being handled is what makes a signal write into the wake-up pipe."""

    for number in _FORWARDED:
        signal.signal(number, hand_on)
    # The terminal sends its own to both; the child's answer decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    awake, waker = os.pipe()
    os.set_blocking(awake, False)
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, wake)
    while True:
        changed, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
        if changed and os.WIFSTOPPED(status):
            os.kill(os.getpid(), signal.SIGSTOP)
        ready = select.select((reading, awake), (), ())[0]
        if awake in ready:
            os.read(awake, 4096)
        if reading in ready:
            told = os.read(reading, 1)
            return told[0] if told else _code_of_death(child)


def _code_of_death(child: int) -> int:
    """The exit code of a child that ended without a word, as a shell would put it."""
    try:
        status = os.waitpid(child, 0)[1]
    except ChildProcessError:  # it was waited for a moment ago
        return ExitCode.INTERNAL
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code

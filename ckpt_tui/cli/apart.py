"""Runs a command in a process that can be left behind.

A thread that waits for a FUSE daemon which read the request and never answers cannot be killed, and
a process is not over before its last thread (Linux, `fs/fuse/dev.c`, `request_wait_answer`). So a
command that must end in time does its work in a child: it tells its exit code through a pipe, and
the process that the shell knows ends whatever becomes of the child.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from typing import TYPE_CHECKING

from ckpt_tui.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_FORWARDED = (signal.SIGTERM, signal.SIGHUP)
_ANSWER_SECONDS = 0.5


def run_apart(command: Callable[[], int]) -> int:
    """Runs a command in a child process and returns its exit code as soon as that is known.

    Signals that would end this process are handed on; while the child is stopped, so is this. The
    child ends with this process, however that ends.

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
    threading.Thread(target=_end_with_parent, args=(writing,), daemon=True).start()
    code = int(ExitCode.INTERNAL)
    try:
        code = command()
    finally:
        with contextlib.suppress(OSError):  # nobody may listen any more
            sys.stderr.flush()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        with contextlib.suppress(OSError):
            os.write(writing, bytes((code & 0xFF,)))
        os._exit(code)


def _end_with_parent(writing: int) -> None:
    """Ends this process when nobody holds the pipe's other end: the parent was killed."""
    poll = select.poll()
    poll.register(writing, 0)  # an error is told unasked
    poll.poll()
    os.kill(os.getpid(), signal.SIGTERM)


def _wait_for(child: int, reading: int) -> int:
    def hand_on(number: int, _frame: FrameType | None) -> None:
        os.kill(child, number)

    def wake(_number: int, _frame: FrameType | None) -> None:
        """Being handled is what makes a signal write into the wake-up pipe."""

    awake, waker = os.pipe()
    os.set_blocking(awake, False)
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker)
    for number in _FORWARDED:
        signal.signal(number, hand_on)
    for number in (signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, wake)
    os.set_blocking(reading, False)  # what the child started may hold its end for longer than it
    patience = None
    while True:
        changed, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
        if changed and not os.WIFSTOPPED(status):
            return _last_word(reading, status)
        if changed:
            os.kill(os.getpid(), signal.SIGSTOP)
            os.kill(child, signal.SIGCONT)  # whoever let this one go on may not know of the other
        ready = select.select((reading, awake), (), (), patience)[0]
        if reading in ready:
            told = os.read(reading, 1)
            return told[0] if told else _code_of_death(os.waitpid(child, 0)[1])
        if awake in ready:
            woken_by = os.read(awake, 4096)
            patience = _ANSWER_SECONDS if signal.SIGINT in woken_by else patience
        else:  # a terminal interrupts both, who else does it may know only this one
            os.kill(child, signal.SIGINT)
            patience = None


def _last_word(reading: int, status: int) -> int:
    """The exit code of a child that has ended: what it told, else how it died."""
    with contextlib.suppress(BlockingIOError):
        if told := os.read(reading, 1):
            return told[0]
    return _code_of_death(status)


def _code_of_death(status: int) -> int:
    """The exit code of a child that ended without a word, as a shell would put it."""
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code

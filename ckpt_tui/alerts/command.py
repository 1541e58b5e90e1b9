"""Runs the user's program for an event: no shell, no terminal, a time limit for its whole group."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from ckpt_tui.core.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from threading import Event

MOST_STDERR_BYTES = 4096
LOOK_SECONDS = 0.05
_PIPE_BYTES = 1 << 16
_LONGEST_REASON = 200


def run_command(
    argv: Sequence[str],
    body: bytes,
    variables: Mapping[str, str],
    timeout_seconds: float,
    given_up: Event | None = None,
) -> str:
    """Runs a program and waits for it; returns why that failed, or "".

    It is a session of its own, begins in `/`, so that no relative path means a file among the
    checkpoints, and after the time limit is killed with all that it started in its group.

    Args:
        argv: Program and arguments.
        body: For its stdin; less than a pipe holds (64 KiB), so that writing it never blocks.
        variables: Added to the environment.
        timeout_seconds: Time it has.
        given_up: Set when it has no more time at all.
    """
    name = printable(argv[0])
    try:
        process = subprocess.Popen(  # noqa: S603  # the user's own configuration names it
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, **variables},
            cwd="/",
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return f"{name} cannot be run: {getattr(error, 'strerror', None) or error}"
    try:
        _hand_over(process, body)
        said, ended = _wait(process, timeout_seconds, given_up)
    finally:
        _end(process)
    if not ended:
        return f"{name} did not end in {timeout_seconds:g} s and was killed"
    if process.returncode:
        return f"{name} failed with {_how(process.returncode)}{said}"
    return ""


def _hand_over(process: subprocess.Popen[bytes], body: bytes) -> None:
    if process.stdin is not None:
        with contextlib.suppress(OSError):  # it may not read its stdin
            process.stdin.write(body)
            process.stdin.flush()
        with contextlib.suppress(OSError):
            process.stdin.close()


def _wait(
    process: subprocess.Popen[bytes], timeout_seconds: float, given_up: Event | None
) -> tuple[str, bool]:
    """What it said last on stderr, and whether it ended in time.

    Something that it left behind may keep the pipe open: its own end is what counts.
    """
    if process.stderr is None:
        return "", False
    descriptor, said = process.stderr.fileno(), b""
    os.set_blocking(descriptor, False)
    deadline = time.monotonic() + timeout_seconds
    is_open = True
    while True:
        ended = process.poll() is not None
        if is_open and select.select([descriptor], [], [], 0 if ended else LOOK_SECONDS)[0]:
            part = os.read(descriptor, MOST_STDERR_BYTES)
            is_open = bool(part)
            said = (said + part)[-MOST_STDERR_BYTES:]
        elif not is_open and not ended:
            time.sleep(LOOK_SECONDS)
        if ended:
            return _last_line(said + _rest(descriptor)), True
        if time.monotonic() >= deadline or (given_up is not None and given_up.is_set()):
            return "", False


def _rest(descriptor: int) -> bytes:
    """What a program that has ended left in the pipe, and no more than fits into one."""
    with contextlib.suppress(BlockingIOError):
        return os.read(descriptor, _PIPE_BYTES)
    return b""


def _last_line(said: bytes) -> str:
    lines = said.decode(errors="replace").strip().splitlines()
    return f": {printable(lines[-1].strip())[:_LONGEST_REASON]}" if lines else ""


def _how(code: int) -> str:
    if code > 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kills the group of a process that has not ended, and frees what belongs to it."""
    if process.poll() is None:  # not waited for yet, so that the group's number is still its own
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stderr is not None:
        process.stderr.close()

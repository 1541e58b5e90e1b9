"""Runs the user's program for an event: no shell, no terminal, a time limit for its whole group."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from typing import IO, TYPE_CHECKING

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
        body: For its stdin; it may read it late, in part or never.
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
        said, ended = _wait(process, body, timeout_seconds, given_up)
    finally:
        _end(process)
    if not ended:
        return f"{name} did not end in {timeout_seconds:g} s and was killed"
    if process.returncode:
        return f"{name} failed with {_how(process.returncode)}{said}"
    return ""


def _wait(
    process: subprocess.Popen[bytes], body: bytes, timeout_seconds: float, given_up: Event | None
) -> tuple[str, bool]:
    """What it said last on stderr, and whether it ended in time.

    Something that it left behind may keep the pipes open: its own end is what counts.
    """
    if process.stdin is None or process.stderr is None:
        return "", False
    handed, said = _Handed(process.stdin, body), _Said(process.stderr)
    deadline = time.monotonic() + timeout_seconds
    while True:
        ended = process.poll() is not None
        patience = 0 if ended else LOOK_SECONDS
        readable, writable, _ = select.select(said.waits, handed.waits, [], patience)
        if readable:
            said.take(MOST_STDERR_BYTES)
        if writable:
            handed.write()
        if ended:
            said.take(_PIPE_BYTES)
            return _last_line(said.last), True
        if time.monotonic() >= deadline or (given_up is not None and given_up.is_set()):
            return "", False


class _Handed:
    """What is handed over on stdin, as far as the program takes it.

    Attributes:
        waits: The pipe while there is more to hand over; empty from then on.
    """

    def __init__(self, pipe: IO[bytes], body: bytes) -> None:
        os.set_blocking(pipe.fileno(), False)
        self.waits = [pipe]
        self._left = memoryview(body)

    def write(self) -> None:
        """Writes as much as the pipe holds; closes it after the last byte."""
        (pipe,) = self.waits
        try:
            self._left = self._left[os.write(pipe.fileno(), self._left) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no more
            self._left = self._left[:0]
        if not self._left:
            self.waits = []
            pipe.close()


class _Said:
    """What was said on stderr.

    Attributes:
        waits: The pipe while more may come; empty from then on.
        last: The last bytes.
    """

    def __init__(self, pipe: IO[bytes]) -> None:
        os.set_blocking(pipe.fileno(), False)
        self.waits = [pipe]
        self.last = b""

    def take(self, most_bytes: int) -> None:
        """Reads what is there."""
        for pipe in self.waits:
            with contextlib.suppress(BlockingIOError):
                part = os.read(pipe.fileno(), most_bytes)
                self.last = (self.last + part)[-MOST_STDERR_BYTES:]
                if not part:
                    self.waits = []


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
    for pipe in (process.stdin, process.stderr):
        if pipe is not None:
            pipe.close()

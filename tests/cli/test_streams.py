"""Streams that nobody reads, or that take nothing: the exit code stays what it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.process import ROOT, ckpt_tui
from tests.store.runs import write_checkpoint

ENDS = [
    (["check", "/nowhere/at/all"], 3),
    (["latest", "/nowhere/at/all"], 3),
    (["check", "--timeout", "5", "/nowhere/at/all"], 3),
    (["check", "--no-such-option"], 64),
    (["check", "--no-\udcff"], 64),
]


def _argv(arguments: list[str]) -> list[str]:
    return [sys.executable, "-m", "ckpt_tui", *arguments]


def run_with_stderr(arguments: list[str], stderr: int) -> int:
    done = subprocess.run(
        _argv(arguments),
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        timeout=60,
        check=False,
        cwd=ROOT,
    )
    return done.returncode


@pytest.mark.parametrize(("arguments", "code"), ENDS)
def test_nobody_reads_stderr(arguments: list[str], code: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert run_with_stderr(arguments, writing) == code
    finally:
        os.close(writing)


@pytest.mark.parametrize(("arguments", "code"), ENDS)
def test_stderr_is_closed(arguments: list[str], code: int) -> None:
    program = f"import os; os.close(2); os.execv({sys.executable!r}, {_argv(arguments)!r})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        stdout=subprocess.DEVNULL,
        timeout=60,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize(("arguments", "code"), ENDS)
def test_stderr_is_full(arguments: list[str], code: int) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        assert run_with_stderr(arguments, full) == code
    finally:
        os.close(full)


def test_a_time_limit_beyond_what_a_thread_can_wait(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10)
    ended = ckpt_tui("check", "--timeout", "1e300", tmp_path / "run")
    assert (ended.code, ended.err) == (0, "")

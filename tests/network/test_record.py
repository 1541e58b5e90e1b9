"""`record` ends in time and says why, wherever a mount hangs."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli import record
from tests.cli.process import ROOT
from tests.store.runs import write_checkpoint
from tests.watch.fakes import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.network.fuse_mount import FuseMount
    from tests.network.injected import Injected


@pytest.fixture
def own_signals() -> Iterator[None]:
    """The command takes the signals of the process; they are given back."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def recorder(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ckpt_tui", "record", *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.usefixtures("own_signals")
def test_a_directory_that_gives_no_answer_is_named(
    tmp_path: Path, hung: Injected, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(record, "_PATIENCE_SECONDS", 0.1)
    (tmp_path / "run").mkdir()
    hung.hang = "run"
    path = tmp_path / "a.jsonl"
    asked = record.make_parser().parse_args([str(tmp_path / "run"), str(path)])
    assert record.run(asked) == 3
    assert f"no answer from {tmp_path / 'run'}" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("hangs", ["directory", "recording"])
def test_a_signal_ends_what_waits_for_a_hung_mount(
    tmp_path: Path, mounted: FuseMount, number: signal.Signals, code: int, hangs: str
) -> None:
    (mounted.source / "place").mkdir()
    (tmp_path / "run").mkdir()
    mounted.behave(hang="place")
    place = mounted.path / "place"
    asked = (place, tmp_path / "a") if hangs == "directory" else (tmp_path / "run", place / "a")
    process = recorder(*asked)
    wait_until(lambda: mounted.held_count() > 0)
    began = time.monotonic()
    process.send_signal(number)
    assert process.wait(10) == code
    assert time.monotonic() - began < 5.0


def test_a_recording_over_a_hung_look_ends_well(tmp_path: Path, mounted: FuseMount) -> None:
    write_checkpoint(mounted.source / "run", 10)
    path = tmp_path / "a.jsonl"
    mounted.behave(hang="manifest.json")
    process = recorder(mounted.path / "run", path)
    wait_until(lambda: path.exists() and mounted.held_count() > 0)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert f"recorded to {path}" in out

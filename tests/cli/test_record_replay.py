"""`record`, `replay` and `--record` as processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.recording.output import RecordingFile
from ckpt_tui.recording.recorder import ALIVE_SECONDS, FrameWriter
from ckpt_tui.recording.tape import Tape
from tests.cli.process import ROOT, ckpt_tui
from tests.recording.builders import STATUS, night, record
from tests.tui.builders import FrozenClock

if TYPE_CHECKING:
    from pathlib import Path


def test_a_summary_without_a_terminal(tmp_path: Path) -> None:
    record(tmp_path / "a.jsonl", night())
    told = ckpt_tui("replay", tmp_path / "a.jsonl")
    assert told.code == 0
    assert "5 frames over 4m 00s" in told.out
    assert "step 400 committed" in told.out
    assert told.err == ""


def test_a_summary_as_json(tmp_path: Path) -> None:
    record(tmp_path / "a.jsonl", night())
    told = ckpt_tui("replay", tmp_path / "a.jsonl", "--json").json()
    assert told["schema"] == "ckpt-tui/replay/1"
    assert (told["frames"], told["sessions"], told["ended"]) == (5, 1, True)
    assert (told["from"], told["to"]) == ("2026-01-01T11:00:00Z", "2026-01-01T11:04:00Z")
    assert told["events"][0] == {
        "at": "2026-01-01T11:01:00Z",
        "frame": 2,
        "level": "info",
        "kind": "happened",
        "code": "save-began",
        "message": "step 300: a save began",
        "lasted_seconds": None,
        "first": False,
    }


def test_an_alarm_raised_is_told_from_one_cleared(tmp_path: Path) -> None:
    path, clock = tmp_path / "a.jsonl", FrozenClock()
    with RecordingFile(str(path)) as file:
        writer = FrameWriter(file, clock)
        for error in (None, "EIO", None, None):
            writer.tell(night()[0], STATUS._replace(error=error))
            clock.advance(ALIVE_SECONDS)
    rows = [row.split(maxsplit=3) for row in ckpt_tui("replay", path).out.splitlines()[1:]]
    failed = [(at, level, kind) for at, level, kind, text in rows if "EIO" in text]
    assert failed == [
        ("2026-01-01T11:01:00Z", "warning", "raised"),
        ("2026-01-01T11:03:00Z", "warning", "cleared"),
    ]


def test_where_a_compressed_one_ends_early_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    record(path, night())
    os.truncate(path, path.stat().st_size - 40)
    told = ckpt_tui("replay", path)
    assert told.code == 0
    assert "ends early, behind line 6 of 2026-01-01T11:04:00Z" in told.err
    assert ckpt_tui("replay", path, "--json").json()["early_end"]["line"] == 6


def test_a_cut_line_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record(path, night(), ends=False)
    os.truncate(path, path.stat().st_size - 5)
    told = ckpt_tui("replay", path)
    assert told.code == 0
    assert "line 6 is not whole" in told.err


@pytest.mark.parametrize("content", [None, "", "no recording\n", '{"schema":"ckpt-tui/check/1"}\n'])
def test_what_is_no_recording_is_refused(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "a.jsonl"
    if content is not None:
        path.write_text(content)
    told = ckpt_tui("replay", path, "--json")
    assert told.code == 3
    assert str(path) in told.err
    assert told.out == ""


def test_nothing_is_recorded_into_what_is_watched(tmp_path: Path) -> None:
    told = ckpt_tui("record", tmp_path, tmp_path / "a.jsonl")
    assert told.code == 64
    assert "watched directory" in told.err
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_there_cannot_be_recorded(tmp_path: Path) -> None:
    assert ckpt_tui("record", tmp_path / "none", tmp_path / "a.jsonl").code == 3
    assert not (tmp_path / "a.jsonl").exists()


def test_the_dashboards_option_needs_a_terminal(tmp_path: Path) -> None:
    told = ckpt_tui(tmp_path, "--record", "a.jsonl")
    assert told.code == 64
    assert "ckpt-tui record DIR FILE" in told.err


def test_a_save_is_recorded_while_it_happens(tmp_path: Path) -> None:
    watched, path = tmp_path / "run", tmp_path / "night.jsonl.gz"
    watched.mkdir()
    command = [sys.executable, "-m", "ckpt_tui", "record", str(watched), str(path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: path.exists() and path.stat().st_size > 200)
        saved = watched / "step-10"
        saved.mkdir()
        (saved / "model.bin").write_bytes(b"x" * 100)
        (saved / "manifest.json.tmp").write_text(json.dumps(manifest()))
        size = path.stat().st_size
        (saved / "manifest.json.tmp").rename(saved / "manifest.json")
        wait_until(lambda: path.stat().st_size > size)
    finally:
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert f"ckpt-tui replay {path}" in out
    tape = Tape(str(path))
    last = tape.show(len(tape.index) - 1).snapshot
    assert [c.step for c in last.checkpoints] == [10]
    assert tape.index.ended


def manifest() -> dict[str, object]:
    entry = {"role": "model", "path": "model.bin", "rank": 0, "size_bytes": 100}
    return {
        "schema": "ckpt-tui/manifest/1",
        "checkpoint_id": "step-10",
        "step": 10,
        "world_size": 1,
        "committed": True,
        "entries": [entry | {"checkpoint_id": "step-10"}],
    }


def wait_until(holds: object) -> None:
    until = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)

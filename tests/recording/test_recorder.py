from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.recording import lines
from ckpt_tui.recording import recorder as module
from ckpt_tui.recording.output import RecordingError, RecordingFile, check_place
from ckpt_tui.recording.recorder import ALIVE_SECONDS, FrameWriter, Recorder
from ckpt_tui.recording.tape import Tape
from tests.cli.process import ROOT, child_of
from tests.recording.builders import STATUS, night
from tests.tui.builders import FrozenClock, facts, run_of, snapshot_of

if TYPE_CHECKING:
    from pathlib import Path


def kinds(path: Path) -> list[str]:
    return [json.loads(line).get("kind", "header") for line in path.read_text().splitlines()]


def test_only_what_is_new_is_written(tmp_path: Path) -> None:
    path, clock, (first, second, *_) = tmp_path / "a.jsonl", FrozenClock(), night()
    with RecordingFile(str(path)) as file:
        writer = FrameWriter(file, clock)
        writer.tell(None, STATUS)
        for picture in (first, None, first, second, None):
            writer.tell(picture, STATUS)
            clock.advance(1.0)
        polled = STATUS._replace(mode="poll")
        writer.tell(None, polled)
        writer.tell(None, polled._replace(last_look_monotonic=1003.0))
        clock.advance(ALIVE_SECONDS)
        writer.tell(None, polled)
    assert kinds(path) == ["header", "full", "delta", "alive", "alive"]


def test_an_alarm_that_only_time_raises_is_told(tmp_path: Path) -> None:
    path, clock = tmp_path / "a.jsonl", FrozenClock()
    with RecordingFile(str(path)) as file:
        writer = FrameWriter(file, clock)
        writer.tell(night()[0], STATUS)
        clock.advance(1.0)
        for _ in range(3):
            writer.tell(None, STATUS._replace(error="EIO"))
            clock.advance(ALIVE_SECONDS)
    events = [(e.frame, e.event.level) for e in Tape(str(path)).index.events]
    assert events == [(1, "warning"), (2, "critical")]


def test_a_full_frame_comes_when_changes_outgrow_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LEAST_BETWEEN_FULL", 0)
    path, clock, pictures = tmp_path / "a.jsonl", FrozenClock(), night()
    with RecordingFile(str(path)) as file:
        writer = FrameWriter(file, clock)
        for turn in range(40):
            writer.tell(pictures[turn % 2]._replace(version=turn), STATUS)
            clock.advance(1.0)
    told = kinds(path)
    assert told.count("full") > 2
    sizes = [len(line) for line in path.read_text().splitlines()]
    full = sum(size for size, kind in zip(sizes, told, strict=True) if kind == "full")
    assert full < 0.7 * sum(sizes)


@pytest.mark.parametrize("place", ["watched/a.jsonl", "watched/below/a.jsonl", "link/a.jsonl"])
def test_nothing_is_written_into_what_is_watched(tmp_path: Path, place: str) -> None:
    (tmp_path / "watched" / "below").mkdir(parents=True)
    (tmp_path / "link").symlink_to("watched/below")
    with pytest.raises(RecordingError, match="watched directory"):
        check_place(str(tmp_path / place), str(tmp_path / "watched"))


def test_a_link_of_the_file_itself_is_resolved(tmp_path: Path) -> None:
    (tmp_path / "watched").mkdir()
    (tmp_path / "a.jsonl").symlink_to("watched/a.jsonl")
    with pytest.raises(RecordingError, match="watched directory"):
        check_place(str(tmp_path / "a.jsonl"), str(tmp_path / "watched"))
    check_place(str(tmp_path / "watched-2.jsonl"), str(tmp_path / "watched"))


@pytest.mark.parametrize("name", ["a.txt", "a.gz"])
def test_another_file_is_left_as_it_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("a diary\n")
    with pytest.raises(RecordingError, match="name another"):
        RecordingFile(str(path))
    assert path.read_text() == "a diary\n"


def test_a_full_disk_is_one_remark_and_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "full.jsonl"
    failed: list[int] = []
    recorder = Recorder(str(path), lambda: STATUS, lambda: failed.append(1))
    recorder._file._put = _no_space
    recorder.start()
    recorder.offer(night()[0])
    recorder.stop(5.0)
    recorder.offer(night()[1])
    assert failed == [1]
    ((where, why),) = recorder.remarks
    assert where == str(path)
    assert "No space left" in why


def _no_space(_data: bytes) -> None:
    raise OSError(28, "No space left on device")


def test_a_disk_that_does_not_answer_is_told(tmp_path: Path) -> None:
    released = threading.Event()
    recorder = Recorder(str(tmp_path / "hung.jsonl"), lambda: STATUS, lambda: None)
    recorder._file._put = lambda _data: released.wait(20) and None
    recorder.start()
    recorder.offer(night()[0])
    recorder.stop(0.05)
    ((_, why),) = recorder.remarks
    released.set()
    assert "no answer in 0.05 s" in why


def test_a_frame_that_could_not_be_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MOST_LINE_BYTES", 5000)
    path, clock = tmp_path / "a.jsonl", FrozenClock()
    with RecordingFile(str(path)) as file:
        writer = FrameWriter(file, clock)
        writer.tell(night()[0], STATUS)
        clock.advance(1.0)
        many = snapshot_of(run_of([facts(100 * n) for n in range(50)]), version=2)
        with pytest.raises(RecordingError, match=r"longer than 4\.88 KiB.*fewer checkpoints"):
            writer.tell(many, STATUS)
    assert kinds(path) == ["header", "full"]


def test_no_plain_form_of_a_checkpoint_is_kept(tmp_path: Path) -> None:
    """What is kept beside the snapshot is a small part of what a full frame takes in the file."""
    run = run_of([facts(100 * n, age=9000.0 - n, ranks=64) for n in range(1, 40)])
    pictures = [snapshot_of(run, version=1), snapshot_of(run, version=2)]
    with RecordingFile(str(tmp_path / "a.jsonl")) as file:
        writer, clock = FrameWriter(file, FrozenClock()), FrozenClock()
        writer.tell(pictures[0], STATUS)  # what is made once is made
        tracemalloc.start()
        try:
            writer = FrameWriter(file, clock)
            size = -file.written_bytes
            for picture in pictures:
                writer.tell(picture, STATUS)
            kept, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert kept < 0.5 * (size + file.written_bytes)


def test_what_was_offered_last_is_written_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    recorder = Recorder(str(path), lambda: STATUS, lambda: None)
    recorder.start()
    for picture in night():
        recorder.offer(picture)
    recorder.stop(5.0)
    tape = Tape(str(path))
    assert tape.show(len(tape.index) - 1).snapshot == night()[-1]
    assert tape.index.ended


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_recorder_that_is_killed_leaves_what_it_saw(tmp_path: Path, name: str) -> None:
    watched, path = tmp_path / "watched", tmp_path / name
    watched.mkdir()
    command = [sys.executable, "-m", "ckpt_tui", "record", str(watched), str(path), "--poll"]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        until = time.monotonic() + 20
        while not path.exists() or path.stat().st_size < 200:
            assert time.monotonic() < until
            assert process.poll() is None
            os.sched_yield()
    finally:
        os.kill(child_of(process.pid), signal.SIGKILL)
        process.wait()
    tape = Tape(str(path))
    assert not tape.index.ended
    assert tape.show(0).snapshot.root == str(watched)

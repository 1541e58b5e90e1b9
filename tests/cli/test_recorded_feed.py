from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli.recorded import RecordedFeed
from ckpt_tui.recording.output import RecordingError
from ckpt_tui.recording.tape import Tape
from ckpt_tui.watch.status import WatchStatus
from tests.recording.builders import night
from tests.tui import situations
from tests.tui.builders import StubFeed

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot


class WatchedFeed(StubFeed):
    """A feed with the status of a watch service."""

    def status(self) -> WatchStatus:
        return WatchStatus("poll", "asked for", 5.0)


def recorded(path: Path, *pictures: Snapshot) -> list[object]:
    told: list[object] = []
    live = WatchedFeed(pictures[0])
    feed = RecordedFeed(live, str(path), "/mnt/checkpoints")
    feed.start(told.append)
    for picture in pictures:
        live.send(picture)
    assert feed.snapshot() == pictures[-1]
    feed.stop()
    assert live.stopped
    assert feed.problem == ""
    return told


def test_what_is_shown_is_recorded_and_handed_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert len(recorded(path, *night())) == len(night())
    tape = Tape(str(path))
    shown = tape.show(len(tape.index) - 1)
    assert shown.snapshot == night()[-1]
    assert (shown.status.mode, shown.status.last_look_monotonic) == ("poll", 5.0)


def test_the_run_of_an_event_is_named_where_there_are_several(tmp_path: Path) -> None:
    several = situations.several_runs()
    recorded(tmp_path / "a.jsonl", several)
    recorded(tmp_path / "b.jsonl", several, several._replace(runs=several.runs[1:], version=2))
    for event in Tape(str(tmp_path / "b.jsonl")).index.events:
        assert ":" in event.event.message


def test_a_file_in_the_watched_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="watched directory"):
        RecordedFeed(WatchedFeed(night()[0]), str(tmp_path / "a.jsonl"), str(tmp_path))

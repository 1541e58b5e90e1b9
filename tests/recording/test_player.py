from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.recording.feed import ReplayClock, ReplayFeed
from ckpt_tui.recording.output import RecordingFile
from ckpt_tui.recording.player import Player
from ckpt_tui.recording.recorder import ALIVE_SECONDS, FrameWriter
from ckpt_tui.recording.tape import Tape
from tests.recording.builders import STATUS, night, record
from tests.tui.builders import NOW, FrozenClock

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def player(tmp_path: Path) -> Player:
    record(tmp_path / "a.jsonl", night())
    return Player(Tape(str(tmp_path / "a.jsonl")))


def test_it_stands_still_at_first(player: Player) -> None:
    assert not player.advance(3600)
    assert (player.frame, player.wall) == (0, NOW)


def test_time_passes_at_its_speed(player: Player) -> None:
    player.toggle()
    assert not player.advance(5.0)  # 50 s at the first speed
    assert player.wall == NOW + 50
    assert player.advance(2.0)
    assert (player.frame, player.wall) == (1, NOW + 70)


def test_it_stops_at_the_end_and_begins_anew(player: Player) -> None:
    player.toggle()
    player.advance(1000)
    assert (player.frame, player.playing) == (4, False)
    player.toggle()
    assert (player.frame, player.playing) == (0, True)


def test_events_are_gone_to(player: Player) -> None:
    seen = []
    for _ in range(4):
        player.go_to_event(1)
        seen.append(player.frame)
    assert seen == [1, 2, 3, 4]
    player.go_to_event(-1)
    assert player.frame == 3


def test_warnings_are_gone_to_and_what_was_cleared_is_none(tmp_path: Path) -> None:
    path, clock, picture = tmp_path / "a.jsonl", FrozenClock(), night()[0]
    with RecordingFile(str(path)) as file:
        writer = FrameWriter(file, clock)
        for error in (None, "EIO", None, None, "EIO"):
            writer.tell(picture, STATUS._replace(error=error))
            clock.advance(ALIVE_SECONDS)
    player = Player(Tape(str(path)))
    kinds = {(e.frame, e.event.kind) for e in player.tape.index.events if not e.event.first}
    assert (3, "cleared") in kinds
    assert player.go_to_warning(1)
    assert player.frame == 1
    assert player.go_to_warning(1)
    assert player.frame == 4
    assert not player.go_to_warning(1)
    assert player.go_to_warning(-1)
    assert player.frame == 1
    assert not player.go_to_warning(-1)
    assert player.frame == 1


@pytest.mark.parametrize("by_event", [False, True])
def test_a_frame_that_cannot_be_shown_is_gone_past(tmp_path: Path, by_event: bool) -> None:
    path = tmp_path / "a.jsonl"
    record(path, night()[:2])
    lines = path.read_text().splitlines()
    lines[2] = lines[2].partition(',"content"')[0] + ',"content":["~",{"7":null}]}'
    path.write_text("\n".join(lines) + "\n")
    record(path, night())
    player = Player(Tape(str(path)))
    seen = []
    for _ in range(3):
        player.go_to_event(1) if by_event else player.step(1)
        seen.append((player.frame, bool(player.problem)))
    assert seen == [(0, True), (3 if by_event else 2, False), (4 if by_event else 3, False)]


def test_a_minute_may_end_between_two_frames(player: Player) -> None:
    player.go(1)
    player.skip(30)
    assert (player.frame, player.wall) == (1, NOW + 90)
    player.skip(-60)
    assert (player.frame, player.wall) == (0, NOW + 30)
    player.skip(1e9)
    assert player.frame == 4


def test_the_feed_and_the_clock_are_of_the_recorded_moment(player: Player) -> None:
    feed, clock = ReplayFeed(player), ReplayClock(player)
    player.go(2)
    player.skip(30)
    assert feed.snapshot() == night()[2]
    assert feed.status().mode == "replay"
    assert clock.wall() == NOW + 150
    age = clock.monotonic() - (feed.status().last_look_monotonic or 0)
    assert age == pytest.approx(120)

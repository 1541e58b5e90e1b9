from __future__ import annotations

import os
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.alarms.values import EventKind
from ckpt_tui.recording.feed import ReplayClock, ReplayFeed
from ckpt_tui.recording.player import Player
from ckpt_tui.recording.tape import Tape
from ckpt_tui.tui.actions.dashboard import ACTIONS
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.replay.actions import REPLAY_ACTIONS, WITHOUT
from ckpt_tui.tui.replay.lines import Progress, banner_line, progress_line
from ckpt_tui.tui.replay.screen import ReplayScreen
from ckpt_tui.tui.widgets.size_bar import SizeBar
from tests.recording.builders import night, record
from tests.tui.app_tests import Dashboard
from tests.tui.builders import NOW

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from textual.pilot import Pilot

PLAYING = Progress(NOW, 12, 340, 0.5, True, 60.0, (), "step 1300 died", True, 242.0)


def replay_app(path: Path, ascii_only: bool = False) -> tuple[DashboardApp, Player]:
    player = Player(Tape(str(path)))
    options = DashboardOptions(ascii=ascii_only, clock=ReplayClock(player))
    return DashboardApp(ReplayFeed(player), options, partial(ReplayScreen, player)), player


@asynccontextmanager
async def replay(path: Path, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Replay]:
    record(path, night())
    app, player = replay_app(path)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Replay(Dashboard(app, pilot, None, None), player)


class Replay:
    """A dashboard over a recording, and where it is."""

    def __init__(self, board: Dashboard, player: Player) -> None:
        self.board = board
        self.player = player

    async def press(self, *keys: str) -> str:
        await self.board.press(*keys)
        return self.board.text()


async def test_it_says_that_nothing_is_live(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        first = played.board.text().splitlines()[0]
        assert " REPLAY " in first
        assert "2026-01-01 11:00:00 UTC" in first
        assert "nothing here is live" in first


async def test_frames_are_stepped_through(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        assert played.board.rows() == ["iter_0000200", "iter_0000100"]
        text = await played.press("full_stop")
        assert "2 of 5" in text
        assert "now: step 300: a save began" in text
        assert played.board.rows()[0] == "iter_0000300"
        await played.press("end")
        assert played.board.rows() == ["iter_0000400", "iter_0000300", "iter_0000200"]
        text = await played.press("comma", "comma")
        assert "3 of 5" in text
        assert "⊘ uncommitted" in text
        await played.press("home")
        assert played.board.rows() == ["iter_0000200", "iter_0000100"]


async def test_ages_are_of_the_recorded_moment(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl", (160, 40)) as played:
        assert "committed 50m 00s ago" in played.board.text()
        text = await played.press("end")
        assert "committed 20m 40s ago" in text  # 1000 s before the first frame, four minutes later
        text = await played.press("home", "n")
        assert "2026-01-01 11:01:00 UTC" in text


async def test_events_are_gone_to(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        assert "in 1m 00s: step 300: a save began" in played.board.text()
        await played.press("greater_than_sign", "greater_than_sign")
        assert played.player.frame == 2
        await played.press("less_than_sign")
        assert played.player.frame == 1


async def test_it_plays_and_stands_still(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        assert "▶ ×60" in await played.press("x", "space")
        played.player.advance(4.1)
        await played.board.pilot.pause()
        assert not played.player.playing
        assert played.player.frame == 4
        assert "■ ×60" in await played.press("X", "x")


async def test_alarms_of_a_later_time_are_forgotten(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        await played.press("end")
        later = len(played.board.main.desk.events)
        await played.press("home")
        assert len(played.board.main.desk.events) < max(1, later)


async def test_the_log_has_the_times_of_then_after_a_jump(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        await played.press("end")
        desk = played.board.main.desk
        told = {event.message: event.at for event in desk.events if not event.first}
        assert told["step 300: a save began"] == NOW + 60
        assert any("deleted" in text and at == NOW + 180 for text, at in told.items())
        assert [event.at for event in desk.events] == sorted(
            (event.at for event in desk.events), reverse=True
        )
        text = await played.press("L")
        assert "11:01:00" in text
        assert "save began" in text


async def test_an_alarm_has_held_since_it_was_raised_then(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        raised = {
            told.event.code: NOW + 60 * told.frame
            for told in played.player.tape.index.events
            if told.event.kind is EventKind.RAISED
        }
        for keys in (("end",), ("home", "end"), ("comma",)):
            await played.press(*keys)
            alarms = played.board.main.desk.alarms
            assert alarms
            assert all(alarm.since == raised[alarm.code.value] for alarm in alarms)
        assert min(alarm.since for alarm in alarms) < NOW + 180


async def test_warnings_are_gone_to_by_a_key(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        await played.press("a")
        assert played.player.frame == 2
        await played.press("home", "A")
        assert played.player.frame == 0
        assert played.board.toasts() == ["There is no alarm before."]


async def test_a_recording_that_breaks_off_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    record(path, night())
    os.truncate(path, path.stat().st_size - 40)
    app, _ = replay_app(path)
    async with app.run_test() as pilot:
        await pilot.pause()
        (told,) = Dashboard(app, pilot, None, None).toasts()
        assert "ends early" in told


async def test_what_means_nothing_is_not_offered(tmp_path: Path) -> None:
    async with replay(tmp_path / "a.jsonl") as played:
        offered = {action.id for action in played.board.main.actions}
        assert offered >= {"replay.play", "timeline", "quit"}
        assert not offered & WITHOUT
        await played.press("r", "W")
        assert played.board.toasts() == []
        assert not played.board.main.query_one(SizeBar).display


async def test_a_line_that_is_wrong_is_told_and_the_last_good_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record(path, night())
    lines = path.read_text().splitlines()
    lines[2] = lines[2].partition('"content"')[0] + '"content":["cut",9,9,[]]}'
    path.write_text("\n".join(lines) + "\n")
    app, _ = replay_app(path)
    async with app.run_test(size=(120, 40)) as pilot:
        app.simulate_key("full_stop")
        await pilot.pause()
        text = Dashboard(app, pilot, None, None).text()
        assert "line 3" in text
        assert "step 200" in text


def test_no_key_means_two_things() -> None:
    keys = [key for action in REPLAY_ACTIONS for key in action.keys.split(",")]
    assert len(keys) == len(set(keys))
    taken = {k: a.id for a in ACTIONS if a.id not in WITHOUT for k in a.keys.split(",")}
    assert {key: taken[key] for key in keys if key in taken} == {
        "home": "move.top",
        "end": "move.bottom",
        "space": "mark",
    }


def test_what_is_left_out_is_there_in_a_live_dashboard() -> None:
    assert {action.id for action in ACTIONS} >= WITHOUT


@pytest.mark.parametrize("width", [40, 80, 120, 200])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_the_lines_fit(width: int, ascii_only: bool) -> None:
    for progress in (PLAYING, PLAYING._replace(events=("a" * 300,)), PLAYING._replace(problem="x")):
        assert width_of(progress_line(progress, width, ascii_only)) <= width
    assert width_of(banner_line(NOW, NOW + 9, "/tmp/" + "x" * 300, width)) <= width


def test_the_next_event_is_told_with_the_time_until_then() -> None:
    assert "in 4m 02s: step 1300 died" in text_of(progress_line(PLAYING, 120))


async def to_the_death(pilot: Pilot[None]) -> None:
    for key in ("full_stop", "full_stop"):
        await pilot.press(key)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_picture(
    snap_compare: Callable[..., bool],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ckpt_tui.tui.replay.screen.time.time", lambda: NOW + 8 * 3600)
    record(tmp_path / "night.jsonl", night())
    player = Player(Tape("night.jsonl"))
    options = DashboardOptions(clock=ReplayClock(player))
    app = DashboardApp(ReplayFeed(player), options, partial(ReplayScreen, player))
    assert snap_compare(app, run_before=to_the_death, terminal_size=size)

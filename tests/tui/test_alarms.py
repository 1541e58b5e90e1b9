"""Alarms on the screen: the log, its filter, what rings, what never leaves the screen."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.alerts.settings import QUIET
from ckpt_tui.core.alarms.values import AlarmLevel
from ckpt_tui.tui.alarm_desk import MOST_EVENTS, AlarmDesk
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.screens.event_lines import event_lines, levels_text, next_level
from ckpt_tui.tui.screens.events import EventsScreen
from tests.tui import situations
from tests.tui.app_tests import dashboard
from tests.tui.builders import LIVE, FrozenClock, StubStatus, facts, run_of, snapshot_of

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot

DEAD = facts(1300, met=False, age=0.0, took=None)


def broken(version: int = 2) -> Snapshot:
    """The healthy job after its last save died."""
    made = [facts(step, age=(1300 - step) * 6.0, ranks=8) for step in range(1200, 0, -100)]
    return snapshot_of(run_of([DEAD, *made]), version=version, free_bytes=9000 * 2**30)


class Desk:
    def __init__(self, **settings: Any) -> None:
        self.sent: list[str] = []
        self.clock = FrozenClock()
        self.desk = AlarmDesk(QUIET._replace(**settings), "/mnt", self.clock, self.sent.append)
        self.desk.start()
        self.take(situations.healthy())

    def take(self, picture: Snapshot, seconds: float = 1.0, status: StubStatus = LIVE) -> None:
        self.clock.advance(seconds)
        self.desk.take(picture, status)


async def test_the_log_tells_what_happened_and_what_holds() -> None:
    async with dashboard(situations.healthy(), (120, 30)) as board:
        board.clock.advance(1)
        await board.send(broken())
        assert "1 needs a look: ⚠ step 1300: never finished" in board.text()
        await board.press("L")
        assert isinstance(board.app.screen, EventsScreen)
        text = board.text()
        assert "11:00:01 ⚠ warning  for 0.0 s" in text
        assert "11:00:01 ⚠ warning  raised" in text
        assert "11:00:01 · info     save died" in text
        assert "2026-01-01" in text
        await board.press("f")
        assert "save died" not in board.text()
        assert "warning and worse" in board.text()
        await board.press("f")
        assert "no alarm" in board.text()
        await board.press("L")
        assert not isinstance(board.app.screen, EventsScreen)


@pytest.mark.parametrize("key", ["escape", "q", "L"])
async def test_the_log_closes_and_the_program_does_not(key: str) -> None:
    async with dashboard(situations.hostile(), (80, 24)) as board:
        await board.press("L", "j", "G", "g", "ctrl+d", key)
        assert not isinstance(board.app.screen, EventsScreen)
        assert board.app.is_running


@pytest.mark.parametrize("size", [(20, 5), (40, 12), (80, 24), (120, 40), (200, 60)])
async def test_the_log_fits_any_size(size: tuple[int, int]) -> None:
    async with dashboard(situations.hostile(), size) as board:
        await board.press("L", "G")
        assert [strip.cell_length for strip in board.strips()] == [size[0]] * size[1]
        assert "\x1b" not in board.text()


async def test_alarms_go_on_while_the_picture_is_held() -> None:
    async with dashboard(situations.healthy(), (120, 30)) as board:
        await board.press("p")
        await board.send(broken())
        assert "PAUSED" in board.text()
        assert board.rows()[0] == "iter_0001200"
        assert board.main.desk.alarms[0].code == "newest-failed"


def test_levels_can_be_told_without_colour() -> None:
    made = Desk()
    made.take(broken()._replace(free_bytes=1))
    rows = [text_of(row) for row in event_lines(made.desk, None, made.clock.wall(), 120)]
    assert rows[1].split()[1:3] == ["✗", "critical"]
    assert rows[2].split()[1:3] == ["⚠", "warning"]
    assert any("· info " in row for row in rows)


def test_the_filter_goes_round() -> None:
    level, seen = None, []
    for _ in range(4):
        seen.append(levels_text(level))
        level = next_level(level)
    assert seen == ["all levels", "warning and worse", "only critical", "all levels"]


@pytest.mark.parametrize("width", [30, 60, 80, 120])
def test_no_line_of_the_log_is_wider_than_the_screen(width: int) -> None:
    made = Desk()
    for name in situations.ALL:
        made.take(situations.ALL[name](), 60)
    for row in event_lines(made.desk, None, made.clock.wall(), width):
        assert width_of(row) <= width


def test_the_log_is_bounded() -> None:
    made = Desk()
    pictures = (broken(), situations.healthy())
    for place in range(MOST_EVENTS + 10):
        made.take(pictures[place % 2], 60)
    assert len(made.desk.events) == MOST_EVENTS
    assert made.desk.events[0].at >= made.desk.events[-1].at


def test_by_default_nothing_rings() -> None:
    made = Desk()
    made.take(broken())
    assert made.sent == []


def test_bell_and_notification(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMUX", "STY", "VTE_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    made = Desk(bell=True, notify=True)
    made.take(broken())
    bell, notice = made.sent
    assert bell == "\a"
    assert notice.startswith("\x1b]9;ckpt-tui warning: llama-70b: step 1300: never finished")
    made.take(situations.healthy())
    made.take(situations.healthy(), 60)
    assert len(made.sent) == 2


def test_what_stood_there_at_the_first_look_is_no_news() -> None:
    made = Desk(bell=True)
    other = AlarmDesk(QUIET._replace(bell=True), "/mnt", made.clock, made.sent.append)
    other.take(broken(), LIVE)
    assert other.alarms
    assert made.sent == []


@pytest.mark.parametrize(("level", "rings"), [("warning", True), ("critical", False)])
def test_the_least_level_that_leaves_the_screen(level: str, rings: bool) -> None:
    made = Desk(bell=True, level=AlarmLevel(level))
    made.take(broken())
    assert bool(made.sent) is rings


def test_a_program_is_told_of_what_is_raised_and_of_what_is_cleared(tmp_path: Path) -> None:
    code = (
        "import json, sys; event = json.load(sys.stdin);"
        " open(sys.argv[1], 'a').write(event['event'] + ' ' + event['code'] + '\\n')"
    )
    log = tmp_path / "log"
    made = Desk(command=(sys.executable, "-S", "-c", code, str(log)))
    made.take(broken())
    made.take(situations.healthy())
    made.take(situations.healthy(), 60)
    made.desk.stop()
    assert log.read_text().splitlines() == ["raised newest-failed", "cleared newest-failed"]


def test_what_does_not_get_through_is_in_the_log_and_in_the_header() -> None:
    made = Desk(command=("/no/such/program",))
    made.take(broken())
    made.desk.stop()
    made.take(broken())
    assert made.desk.events[0].code == "delivery-failed"
    told = [alarm.message for alarm in made.desk.alarms if alarm.code == "delivery-failing"]
    assert told == [
        "alarms do not get through: command: /no/such/program cannot be run:"
        " No such file or directory"
    ]

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.tui.timeline.screen import TimelineScreen
from tests.tui import situations
from tests.tui.app_tests import app_for, dashboard
from tests.tui.builders import facts, run_of, snapshot_of
from tests.tui.timeline.builders import night, night_facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    from tests.tui.app_tests import Dashboard

SIZES = [(80, 24), (120, 40), (200, 60)]


async def opened(board: Dashboard) -> TimelineScreen:
    await board.press("t")
    screen = board.app.screen
    assert isinstance(screen, TimelineScreen)
    await screen.workers.wait_for_complete()
    await board.pilot.pause()
    return screen


async def test_it_opens_on_the_save_under_the_cursor() -> None:
    async with dashboard(night()) as board:
        await board.press("j", "j")
        await opened(board)
        assert "step 3250 · ✔ exact" in board.text()
        assert "34 of 36" in board.text()


async def test_the_cursor_moves_over_saves_and_events() -> None:
    async with dashboard(night()) as board:
        await opened(board)
        await board.press("h")
        assert "35 of 36" in board.text()
        await board.press("left_square_bracket")
        first = board.text()
        assert "▶ " in first
        await board.press("g")
        assert "the oldest that is known" in board.text()
        await board.press("G", "l")
        assert "36 of 36" in board.text()


async def test_zoom_keeps_the_save_in_sight() -> None:
    async with dashboard(night()) as board:
        await opened(board)
        for _ in range(6):
            await board.press("plus")
        assert board.text().count("✔") < 10
        await board.press("h", "h", "h")
        assert "▲" in board.text()
        for _ in range(6):
            await board.press("minus")
        assert board.text().count("✔") > 30


async def test_enter_puts_the_table_on_it() -> None:
    async with dashboard(night()) as board:
        await opened(board)
        await board.press("h", "h", "h", "enter")
        await board.pilot.pause()
        assert board.cursor() == "iter_0003150"


async def test_it_follows_the_run_while_it_is_open() -> None:
    async with dashboard(night()) as board:
        screen = await opened(board)
        more = snapshot_of(run_of([*night_facts(), facts(3550, age=1.0)]), version=2)
        await board.send(more)
        screen._look()
        await screen.workers.wait_for_complete()
        await board.pilot.pause()
        assert "step 3550" in board.text()
        assert "37 of 37" in board.text()


@pytest.mark.parametrize("name", sorted(situations.ALL))
async def test_every_situation_can_be_shown(name: str) -> None:
    async with dashboard(situations.ALL[name](), (80, 24)) as board:
        await opened(board)
        for key in ("h", "l", "right_square_bracket", "plus", "minus", "j", "escape"):
            await board.press(key)
        assert not isinstance(board.app.screen, TimelineScreen)


async def open_it(pilot: Pilot[None]) -> None:
    await pilot.press("t")
    await pilot.app.screen.workers.wait_for_complete()
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_picture(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    assert snap_compare(app_for(night()), run_before=open_it, terminal_size=size)


def test_picture_in_ascii(snap_compare: Callable[..., bool]) -> None:
    app = app_for(night(), ascii=True)
    assert snap_compare(app, run_before=open_it, terminal_size=SIZES[0])

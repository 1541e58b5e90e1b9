"""Every screen and every list, resized live: nothing crashes, lines stay whole."""

from __future__ import annotations

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.tui.planner.panel import PlannerPanel
from tests.tui import situations
from tests.tui.app_tests import dashboard

SIZES = [(200, 60), (120, 40), (119, 29), (80, 24), (79, 23), (60, 20), (20, 5), (1, 1), (100, 30)]
SCREENS = {
    "help": "question_mark",
    "log": "L",
    "timeline": "t",
    "json": "m",
    "planner": "P",
    "palette": "colon",
    "take": "C",
    "export": "e",
    "filter": "slash",
    "shards": "2 tab",
    "wide": "w",
}


@pytest.mark.parametrize("name", SCREENS)
async def test_every_screen_at_every_size(name: str) -> None:
    panel = {"panel": lambda: PlannerPanel(PlanInputs(), None)}
    async with dashboard(situations.mixed(), (120, 40), **panel) as board:
        await board.press("j", *SCREENS[name].split())
        for width, height in SIZES:
            await board.pilot.resize_terminal(width, height)
            await board.press("down")
            assert [strip.cell_length for strip in board.strips()] == [width] * height
        assert board.app.is_running


@pytest.mark.parametrize("name", ["mixed", "nothing", "empty", "runs"])
async def test_sixty_columns_answer(name: str) -> None:
    async with dashboard(situations.ALL[name](), (60, 20)) as board:
        text = board.text()
        loud = {"nothing": "NOTHING TO RESUME", "empty": "NOTHING YET"}
        assert loud.get(name, "RESUME FROM") in text
        assert "? help" in text
        for checkpoint in situations.ALL[name]().checkpoints[:4]:
            assert str(checkpoint.verdict) in text


async def test_names_of_any_script_stand_in_line() -> None:
    async with dashboard(situations.hostile(), (100, 30)) as board:
        await board.press("g")
        rows = [strip.text for strip in board.strips() if "检查点" in strip.text]
        assert rows
        assert {strip.cell_length for strip in board.strips()} == {100}

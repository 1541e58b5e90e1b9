"""Every key of the registry does what the help says; printable keys are text in the filter."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from textual.widgets import Static

from ckpt_tui.tui.actions.dashboard import ACTIONS, GROUPS
from ckpt_tui.tui.actions.planner import EDITING_KEYS, READING_KEYS
from ckpt_tui.tui.actions.registry import PLACES
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.options import DEFAULT_OPTIONS
from ckpt_tui.tui.screens.help import help_lines
from ckpt_tui.tui.screens.main import MainScreen
from ckpt_tui.tui.screens.text import TextScreen
from ckpt_tui.tui.widgets.detail_pane import DetailPane
from ckpt_tui.tui.widgets.filter_bar import FilterBar
from ckpt_tui.tui.widgets.panel import Panel
from ckpt_tui.tui.widgets.rank_grid import RankGrid
from ckpt_tui.tui.widgets.tab_line import Tab
from tests.tui import situations
from tests.tui.app_tests import dashboard
from tests.tui.builders import facts, run_of, snapshot_of

if TYPE_CHECKING:
    from textual.app import ComposeResult

NARROW = (80, 24)


def test_the_registry_is_sound() -> None:
    keys = [key for action in ACTIONS for key in action.keys.split(",")]
    assert len(keys) == len(set(keys))
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    for action in ACTIONS:
        assert len(action.label) <= 10
        assert action.help
        assert action.group in GROUPS
        owner, _, name = action.call.partition("(")[0].rpartition(".")
        assert callable(getattr(DashboardApp if owner == "app" else MainScreen, f"action_{name}"))


def test_no_place_has_two_actions_on_one_key() -> None:
    for place, actions in PLACES.items():
        keys = [key for action in actions for key in action.keys.split(",")]
        assert len(keys) == len(set(keys)), place
    ids = [action.id for actions in PLACES.values() for action in actions]
    assert len({*ids}) == len(ids) - len({*READING_KEYS} & {*EDITING_KEYS})


def test_help_lists_every_action() -> None:
    text = "\n".join(text_of(row) for row in help_lines(ACTIONS, DEFAULT_OPTIONS, 76))
    for action in ACTIONS:
        assert action.help in text
        assert action.shown in text
    assert "Reload (8m) and down time (0m) are not measured" in " ".join(text.split())
    assert "weights-only" in text


async def test_moving() -> None:
    async with dashboard(situations.healthy(), NARROW) as board:
        await board.press("j", "j", "down")
        assert board.cursor() == "iter_0000900"
        await board.press("k", "up")
        assert board.cursor() == "iter_0001100"
        await board.press("G")
        assert board.cursor() == "iter_0000100"
        await board.press("g")
        assert board.cursor() == "iter_0001200"
        await board.press("ctrl+d")
        assert board.cursor() == "iter_0000500"
        await board.press("ctrl+u")
        assert board.cursor() == "iter_0001200"


async def test_headings_are_stepped_over() -> None:
    async with dashboard(situations.several_runs(), NARROW) as board:
        await board.press("g")
        seen = [board.cursor()]
        for _ in range(5):
            await board.press("j")
            seen.append(board.cursor())
        assert seen == ["iter_0000040", "final", *(f"iter_0000{n}00" for n in (8, 7, 6, 6))]
        await board.press("right_square_bracket")
        assert board.cursor() == "iter_0000040"
        await board.press("left_square_bracket", "left_square_bracket")
        assert board.cursor() == "final"
        assert "reward (2 of 3)" in board.text()


async def test_open_and_back_where_the_pane_has_no_place() -> None:
    async with dashboard(situations.mixed(), NARROW) as board:
        await board.press("j", "j", "j")
        assert "missing-shard" not in board.text()
        await board.press("enter")
        assert "missing-shard" in board.text()
        assert "RESUME FROM" in board.text()
        assert board.main.pane.has_focus_within
        await board.press("escape")
        assert "missing-shard" not in board.text()
        assert board.main.table.has_focus
        await board.press("escape", "escape")
        assert board.app.is_running


async def test_tabs() -> None:
    async with dashboard(situations.with_tensors()) as board:
        pane = board.main.query_one(DetailPane)
        assert pane.tab is Tab.ROLES
        for key, tab in zip("23451", [*list(Tab)[1:5], Tab.ROLES], strict=True):
            await board.press(key)
            assert pane.tab is tab
        await board.press("3")
        assert "distcp/__0_0.distcp" in board.text()
        await board.press("0")
        assert pane.tab is Tab.ROLES


async def test_the_tab_that_tells_most_is_shown_until_one_is_chosen() -> None:
    async with dashboard(situations.mixed()) as board:
        seen = [board.main.pane.tab]
        for key in "jjj3k":
            await board.press(key)
            seen.append(board.main.pane.tab)
    by_state = [Tab.SHARDS, Tab.ROLES, Tab.ROLES, Tab.FINDINGS]
    assert seen == [*by_state, Tab.FILES, Tab.FILES]


async def test_the_rank_grid_has_a_cursor() -> None:
    async with dashboard(situations.mixed()) as board:
        grid = board.main.query_one(RankGrid)
        assert list(grid.model.under_cursor) == [1187]
        assert "rank 1187 · ? silent" in board.text()
        await board.press("tab", "h")
        assert list(grid.model.under_cursor) == [1186]
        await board.press("g", "l", "j")
        assert grid.model.under_cursor[0] > 1
        await board.press("G")
        assert grid.model.under_cursor[-1] == situations.RANKS - 1
        cursor = grid.model.under_cursor
        await board.send(situations.mixed()._replace(version=9))
        assert list(grid.model.under_cursor) == list(cursor)


async def test_the_filter_takes_printable_keys() -> None:
    async with dashboard(situations.mixed(), NARROW) as board:
        await board.press("slash", *"quit")
        assert board.app.is_running
        assert board.rows() == []
        await board.press(*["backspace"] * 4)
        await board.press(*"step>12200")
        assert len(board.rows()) == 3
        assert "3/8" in board.text()
        await board.press("x")
        assert "step needs a value, such as step>5000" in board.text()
        assert len(board.rows()) == 3
        await board.press("backspace", "enter")
        assert board.main.table.has_focus
        assert len(board.rows()) == 3
        assert "3 of 8 shown · filter step>12200" in board.text()
        await board.press("slash")
        assert board.main.query_one(FilterBar).text_input.value == "step>12200"
        await board.press("escape")
        assert len(board.rows()) == 8
        assert not board.main.query_one(FilterBar).display


async def test_escape_clears_a_filter_that_was_kept() -> None:
    async with dashboard(situations.mixed(), NARROW) as board:
        await board.press("slash", *"exact", "enter")
        assert len(board.rows()) == 3
        await board.press("escape")
        assert len(board.rows()) == 8


async def test_faults_only() -> None:
    async with dashboard(situations.mixed(), NARROW) as board:
        await board.press("f")
        assert board.rows() == ["iter_0012500", "iter_0012200", "iter_0012050"]
        assert "faults only" in board.text()
        await board.press("f")
        assert len(board.rows()) == 8


async def test_sorting() -> None:
    async with dashboard(situations.mixed()) as board:
        assert "step ▼" in board.text()
        await board.press("s", "s")
        assert "size▼1" in board.text()
        assert "age▼2" in board.text()
        assert board.rows()[-1] in ("iter_0010000", "iter_0008000")
        await board.press("S")
        assert "size▲1" in board.text()
        assert board.rows()[0] in ("iter_0010000", "iter_0008000")
        assert board.cursor() == "iter_0012500"


async def test_a_click_on_a_title_sorts_and_on_a_row_moves() -> None:
    async with dashboard(situations.mixed()) as board:
        await board.pilot.click("#table", offset=(42, 0))
        await board.pilot.pause()
        assert "size▼1" in board.text()
        assert "step▼2" in board.text()
        await board.pilot.click("#table", offset=(42, 0))
        await board.pilot.pause()
        assert "size▲1" in board.text()
        await board.pilot.click("#table", offset=(10, 3))
        await board.pilot.pause()
        assert board.cursor() == board.rows()[2]
        await board.pilot.click("#table", offset=(10, 3))
        await board.pilot.pause()
        assert board.main.pane.has_focus_within


async def test_clicks_on_tabs_and_keys() -> None:
    async with dashboard(situations.mixed()) as board:
        await board.pilot.click("#pane-tabs", offset=(22, 0))
        await board.pilot.pause()
        assert board.main.pane.tab is Tab.ROLES
        line = board.text().splitlines()[-1]
        await board.pilot.click("#keys", offset=(line.index("faults"), 0))
        await board.pilot.pause()
        assert "faults only" in board.text()


async def test_a_paused_picture_stays_while_watching_goes_on() -> None:
    async with dashboard(situations.healthy()) as board:
        await board.press("p")
        assert "PAUSED" in board.text()
        await board.send(situations.mixed())
        board.clock.advance(90)
        board.main.tick()
        await board.pilot.pause()
        assert len(board.rows()) == 12
        assert "this picture is 1m 30s old" in board.text()
        assert "committed 10m 00s ago" in board.text()
        await board.press("p")
        assert board.rows()[0] == "iter_0012500"
        assert "PAUSED" not in board.text()


async def test_ages_tick() -> None:
    async with dashboard(situations.healthy()) as board:
        board.clock.advance(5)
        board.main.tick()
        await board.pilot.pause()
        assert "looked 5.4 s ago" in board.text()
        assert "committed 10m 05s ago" in board.text()


async def test_rescan_asks_the_feed() -> None:
    async with dashboard(situations.healthy()) as board:
        await board.press("r")
        assert board.feed.refreshed == 1


async def test_copying() -> None:
    async with dashboard(situations.healthy()) as board:
        await board.press("y")
        assert board.app.clipboard == "/mnt/checkpoints/llama-70b/iter_0001200"
        assert board.toasts() == [
            "The path was sent to the terminal's clipboard. If it did not arrive: C."
        ]
        await board.press("Y")
        row = json.loads(board.app.clipboard)
        assert (row["step"], row["verdict"], row["world_size"]) == (1200, "exact", 8)


async def test_a_path_that_is_no_text_is_copied_as_a_shell_word() -> None:
    made = [facts(1, name="a'\udcff\n")]
    async with dashboard(snapshot_of(run_of(made))) as board:
        await board.press("y")
        assert board.app.clipboard == "$'/mnt/checkpoints/llama-70b/a\\'\\xff\\x0a'"


async def test_a_row_too_long_for_the_clipboard_is_refused() -> None:
    made = facts(1)._replace(not_checked=("x" * 80_000,))
    async with dashboard(snapshot_of(run_of([made]))) as board:
        await board.press("Y")
        assert board.app.clipboard == ""
        (told,) = board.toasts()
        assert told.startswith("The row as JSON was not sent: it is too long for a terminal's")


async def test_all_columns() -> None:
    async with dashboard(situations.mixed(), NARROW) as board:
        assert "took" not in board.text()
        await board.press("w")
        assert "all columns" in board.text()
        await board.press(*["l"] * 12)
        assert "megatron-dist" in board.text().splitlines()[8]
        await board.press("w")
        assert "took" not in board.text()
        assert "▶ ✔ exact" in board.text()


async def test_help_opens_and_closes() -> None:
    async with dashboard(situations.healthy()) as board:
        await board.press("question_mark")
        assert isinstance(board.app.screen, TextScreen)
        assert "continues exactly from its step" in board.text()
        assert "reset" in "\n".join(text_of(row) for row in board.app.screen.text.lines)
        await board.press("q")
        assert not isinstance(board.app.screen, TextScreen)
        assert board.app.is_running


async def test_the_palette_offers_actions_and_steps() -> None:
    async with dashboard(situations.mixed()) as board:
        await board.press("colon")
        assert board.app.screen is not board.main
        await board.press(*"12100")
        await board.app.workers.wait_for_complete()
        await board.press("enter")
        await board.pilot.pause()
        assert board.cursor() == "iter_0012100"
        await board.press("ctrl+p")
        await board.press(*"only damaged")
        await board.app.workers.wait_for_complete()
        await board.press("enter")
        await board.pilot.pause()
        assert "faults only" in board.text()


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+c", 130)])
async def test_quitting(key: str, code: int) -> None:
    async with dashboard(situations.healthy()) as board:
        await board.press(key)
        assert board.app.return_code == code


class CountingPanel(Panel):
    """A panel that says what it was told."""

    def compose(self) -> ComposeResult:
        yield Static("the panel", id="told")

    def show_run(self, run: object, snapshot: object = None) -> None:
        self.query_one(Static).update("the panel heard" if run is not None else "nothing")


async def test_a_panel_takes_the_panes_place() -> None:
    async with dashboard(situations.healthy(), panel=CountingPanel) as board:
        assert "planner" in board.text().splitlines()[-1]
        assert "panel heard" not in board.text()
        await board.press("P")
        assert "panel heard" in board.text()
        assert "required roles" not in board.text()
        await board.press("P")
        assert "required roles" in board.text()
        await board.press("P", "escape")
        assert "panel heard" not in board.text()


async def test_without_a_panel_there_is_no_key_for_it() -> None:
    async with dashboard(situations.healthy()) as board:
        await board.press("P")
        assert "planner" not in board.text()
        await board.press("question_mark", "G")
        assert "planner" not in board.text().replace("planner's", "")

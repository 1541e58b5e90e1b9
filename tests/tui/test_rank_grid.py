"""The grid of ranks on the screen: keys, cursor, zoom, order, and what is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.outliers import OutlierKind
from ckpt_tui.tui.actions.grid import GRID_KEYS
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.options import DEFAULT_OPTIONS
from ckpt_tui.tui.screens.help import help_lines
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.tui.widgets.rank_grid import RankGrid
from ckpt_tui.tui.widgets.shards_view import ShardsView
from tests.tui import rank_situations as ranks
from tests.tui import situations
from tests.tui.app_tests import app_for, dashboard

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.tui.app_tests import Dashboard

SIZES = [(80, 24), (120, 40), (200, 60)]
BY_SIZE = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


async def open_grid(board: Dashboard) -> RankGrid:
    """Puts the cursor of the table on the odd checkpoint, and the keys into its grid."""
    await board.press("j", "2", "enter")
    grid = board.main.query_one(RankGrid)
    assert grid.has_focus
    return grid


def caption(board: Dashboard) -> str:
    lines = board.main.query_one("#shards-caption", TextLines).lines
    return " / ".join(text_of(row) for row in lines)


@BY_SIZE
async def test_all_sixteen_thousand_ranks_are_seen_at_once(size: tuple[int, int]) -> None:
    async with dashboard(ranks.large(), size) as board:
        grid = await open_grid(board)
        layout = grid.model.layout
        assert len(layout.rows) <= grid.size.height
        assert sum(row.length for row in layout.rows) == ranks.MANY
        text = board.text()
        for sign in ("▼", "»", "✗", f"{layout.group} ranks a cell"):
            assert sign in text
        assert "2 outliers: rank 640 short by 12 %" in text


@BY_SIZE
async def test_keys_lead_from_trouble_to_trouble(size: tuple[int, int]) -> None:
    async with dashboard(ranks.large(), size) as board:
        grid = await open_grid(board)
        assert ranks.SHORT in grid.model.under_cursor
        await board.press("z")
        assert list(grid.model.under_cursor) == [ranks.SHORT]
        assert "rank 640 · PP 0 DP 80 TP 0 · ▼ small · short by 12 %" in caption(board)
        assert "distcp/__640_0.distcp · 2026-01-01 10:40:00 UTC" in caption(board)
        seen = []
        for key in "nnnnNNNN":
            await board.press(key)
            seen += grid.model.under_cursor
            row = grid.model.cursor[0]
            assert grid.scroll_offset.y <= row < grid.scroll_offset.y + grid.size.height
        there = [ranks.LATE, ranks.MISSING, ranks.CUT, ranks.SHORT]
        assert seen == [*there, ranks.CUT, ranks.MISSING, ranks.LATE, ranks.SHORT]


async def test_zoom_goes_in_steps_and_back() -> None:
    async with dashboard(ranks.large(), SIZES[0]) as board:
        grid = await open_grid(board)
        groups = [grid.model.layout.group]
        for key in ("plus", "plus", "minus", "minus", "minus", "z", "plus", "z"):
            await board.press(key)
            groups.append(grid.model.layout.group)
            assert ranks.SHORT in grid.model.under_cursor
        assert groups == [32, 16, 8, 16, 32, 32, 1, 1, 32]


async def test_rows_by_a_parallel_axis() -> None:
    async with dashboard(ranks.large()) as board:
        grid = await open_grid(board)
        labels = []
        for _ in range(4):
            await board.press("o")
            labels.append(grid.model.label_of(0))
            assert ranks.SHORT in grid.model.under_cursor
        assert labels == ["PP 0", "DP 0", "TP 0", "0"]
        await board.press("o")
        assert "rows by PP" in board.text()
        assert "  PP 15 █" in board.text()


async def test_moving_scrolls_and_stays_inside() -> None:
    async with dashboard(ranks.large(), SIZES[0]) as board:
        grid = await open_grid(board)
        await board.press("z", "G", "j", "l", "pagedown")
        assert list(grid.model.under_cursor) == [ranks.MANY - 1]
        assert grid.scroll_offset.y == 256 - grid.size.height
        await board.press("h", "k")
        assert list(grid.model.under_cursor) == [ranks.MANY - 2 - 64]
        await board.press("g", "k", "h", "pageup")
        assert list(grid.model.under_cursor) == [0]
        assert grid.scroll_offset.y == 0
        await board.press("l", "j", "j")
        assert list(grid.model.under_cursor) == [129]
        assert "129" not in caption(board).split("distcp")[0].split("·")[1]
        await board.pilot.click(RankGrid, offset=(grid.model.gutter + 5, 3))
        row = grid.model.cursor[0]
        assert row == grid.scroll_offset.y + 3
        assert list(grid.model.under_cursor) == [row * 64 + 5]


async def test_a_click_beside_the_cells_does_nothing() -> None:
    async with dashboard(ranks.large()) as board:
        grid = await open_grid(board)
        before = grid.model.place
        await board.pilot.click(RankGrid, offset=(1, 1))
        await board.pilot.click(RankGrid, offset=(grid.model.gutter + 64, 1))
        assert grid.model.place == before


async def test_keys_do_nothing_where_there_are_no_ranks() -> None:
    async with dashboard(situations.several_runs()) as board:
        grid = board.main.query_one(RankGrid)
        await board.press("j", "2")
        grid.focus()
        await board.press("z", "n", "o", "plus", "l", "G")
        assert board.app.is_running


async def test_a_save_in_flight_keeps_the_cursor_and_the_zoom() -> None:
    async with dashboard(ranks.large_in_flight()) as board:
        await board.press("2", "enter")
        grid = board.main.query_one(RankGrid)
        await board.press("z", "n")
        rank = list(grid.model.under_cursor)
        picture = ranks.large_in_flight(9100)._replace(version=2)
        await board.send(picture)
        assert list(grid.model.under_cursor) == rank
        assert grid.model.layout.group == 1
        assert "█ done 9100" in board.text()


async def test_a_picture_that_leaves_the_shards_alone_makes_no_new_cells() -> None:
    async with dashboard(ranks.large()) as board:
        await open_grid(board)
        view = board.main.query_one(ShardsView)
        cells = view._cells
        run = ranks.large().runs[0]
        shown = view._checkpoint
        assert shown is not None
        view.show(shown._replace(why="judged again"), board.main.shown.runs[0].resume)
        assert view._cells is cells
        view.show(run.checkpoints[1], run.resume)
        assert view._cells is not cells


async def test_the_keys_of_the_grid_are_in_the_footer_and_in_the_help() -> None:
    async with dashboard(ranks.large()) as board:
        assert "z zoom" not in board.text()
        await open_grid(board)
        assert "z zoom" in board.text()
        assert "n trouble" in board.text()
    text = "\n".join(text_of(row) for row in help_lines(GRID_KEYS, DEFAULT_OPTIONS, 76))
    for key in GRID_KEYS:
        assert key.help in text
        assert callable(getattr(RankGrid, f"action_{key.call[8:].partition('(')[0]}"))


async def test_sizes_of_a_settled_checkpoint_are_compared_with_another() -> None:
    async with dashboard(ranks.large()) as board:
        await open_grid(board)
        cells = board.main.query_one(ShardsView)._cells
        assert len(cells.usual_bytes) == ranks.MANY
        assert [o.kind for o in cells.outliers] == [OutlierKind.SHORT, OutlierKind.LATE]


@BY_SIZE
@pytest.mark.parametrize("keys", ["j 2 enter", "j 2 enter o z n"], ids=["whole", "by-stage"])
def test_picture(snap_compare: Callable[..., bool], size: tuple[int, int], keys: str) -> None:
    assert snap_compare(app_for(ranks.large()), press=keys.split(), terminal_size=size)


def test_picture_in_flight(snap_compare: Callable[..., bool]) -> None:
    app = app_for(ranks.large_in_flight())
    assert snap_compare(app, press=["2", "enter"], terminal_size=SIZES[0])


def test_picture_in_ascii(snap_compare: Callable[..., bool]) -> None:
    app = app_for(ranks.large(), ascii=True)
    assert snap_compare(app, press=["j", "2", "enter"], terminal_size=SIZES[0])

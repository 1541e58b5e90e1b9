"""Filter, order and marks at work in the dashboard, while rows come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.remembered import Remembered
from ckpt_tui.tui.widgets.filter_bar import FilterBar
from ckpt_tui.tui.widgets.typed_line import BAD_CLASS
from tests.tui import situations
from tests.tui.app_tests import dashboard
from tests.tui.builders import facts, run_of, snapshot_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from ckpt_tui.core.snapshot import Snapshot
    from tests.tui.app_tests import Dashboard

NARROW = (80, 24)


def picture(*steps: int, version: int = 1) -> Snapshot:
    made = [facts(s, age=(1000 - s) * 6.0, size=(s % 3 + 1) * 2**30, ranks=2) for s in steps]
    return snapshot_of(run_of(made), version=version)


def steps(board: Dashboard) -> list[int]:
    return [int(name.removeprefix("iter_")) for name in board.rows()]


async def test_earlier_filters_come_back() -> None:
    remembered = Remembered()
    async with dashboard(situations.mixed(), NARROW, remembered=remembered) as board:
        text_input = board.main.query_one(FilterBar).text_input
        await board.press("slash", *"exact", "enter")
        await board.press("escape", "slash", *"step=12050", "enter")
        assert remembered.filters == ("step=12050", "exact")
        await board.press("escape", "slash", *"rng")
        seen = []
        for key in ("up", "up", "up", "down", "down", "down"):
            await board.press(key)
            seen.append(text_input.value)
        assert seen == ["step=12050", "exact", "exact", "step=12050", "rng", "rng"]
        await board.press("up", "up")
        assert len(board.rows()) == 3
        await board.press("enter")
        assert remembered.filters == ("exact", "step=12050")


async def test_what_is_still_typed_is_no_mistake() -> None:
    async with dashboard(situations.mixed()) as board:
        await board.press("slash", *"exact step>")
        bar = board.main.query_one(FilterBar)
        assert len(board.rows()) == 3
        assert not bar.has_class(BAD_CLASS)
        assert "step needs a value, such as step>5000" in board.text()


async def test_a_mistake_stays_until_it_is_mended() -> None:
    remembered = Remembered()
    async with dashboard(situations.mixed(), remembered=remembered) as board:
        bar = board.main.query_one(FilterBar)
        await board.press("slash", *"exact age<3")
        assert bar.has_class(BAD_CLASS)
        assert len(board.rows()) == 3
        await board.press("enter")
        assert bar.display
        assert remembered.filters == ()
        await board.press("h", "enter")
        assert not bar.display
        assert remembered.filters == ("exact age<3h",)


async def test_a_filter_by_age_holds_as_time_passes() -> None:
    async with dashboard(picture(100, 200, 300)) as board:
        await board.press("slash", *"age<81m", "enter")
        assert steps(board) == [300, 200]
        board.clock.advance(1)
        board.main.tick()
        assert steps(board) == [300, 200]
        board.clock.advance(60)
        board.main.tick()
        await board.pilot.pause()
        assert steps(board) == [300]


async def test_the_cursor_finds_back_to_a_row_that_a_filter_hid() -> None:
    async with dashboard(picture(*range(100, 700, 100))) as board:
        await board.press("j", "j")
        assert board.cursor() == "iter_0000400"
        await board.press("slash", *"step<300")
        assert board.cursor() == "iter_0000200"
        await board.press("escape")
        assert board.cursor() == "iter_0000400"
        await board.press("slash", *"step<300", "enter", "j", "escape")
        assert board.cursor() == "iter_0000100"


async def test_the_order_that_was_chosen_last_is_the_first_of_the_next_start(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "dashboard.json")
    async with dashboard(picture(1, 2, 3, 4), remembered=Remembered(path)) as board:
        await board.press("s", "s", "S")
        await board.app.workers.wait_for_complete()
        assert steps(board) == [3, 1, 4, 2]
    async with dashboard(picture(1, 2, 3, 4), remembered=Remembered(path)) as board:
        assert steps(board) == [3, 1, 4, 2]
        assert "sorted by size, then age" in board.text()
    async with dashboard(
        picture(1, 2, 3, 4), remembered=Remembered(path), sort=("step",), columns=("step", "name")
    ) as board:
        assert steps(board) == [1, 2, 3, 4]
        assert "iter_0000001" in board.text()
        titles = board.text().splitlines()[board.main.table.region.y]
        assert titles.split() == ["step", "▲", "name"]


async def test_marks_are_seen_counted_and_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with dashboard(situations.mixed(), NARROW) as board:
        await board.press("space", "j", "space")
        lines = board.text().splitlines()
        assert [row[2] for row in lines if "saving" in row and "12500" in row][-1] == "*"
        assert sum(row[:4] == "▌▶*✔" for row in lines) == 1
        assert "2 marked" in board.text()
        await board.press("space")
        assert "1 marked" in board.text()
        await board.press("slash", *"state:incomplete", "enter")
        assert "1 marked, 1 of them hidden" in board.text()
        await board.press("U", "escape")
        assert "marked" not in board.text()
        assert not any(row[2:3] == "*" for row in board.text().splitlines()[5:])


async def test_marks_cursor_and_order_stay_while_rows_come_and_go() -> None:
    async with dashboard(picture(*range(1, 10)), NARROW) as board:
        table = board.main.table
        await board.press("s", "s", "slash", *"step>2", "enter")
        assert steps(board) == [5, 8, 4, 7, 3, 6, 9]
        await board.press("g", "space", "j", "j", "j")
        assert board.cursor() == "iter_0000007"
        await board.press("space")
        await board.send(picture(*range(2, 13), version=2))
        assert steps(board) == [5, 8, 11, 4, 7, 10, 3, 6, 9, 12]
        assert board.cursor() == "iter_0000007"
        assert [checkpoint.step for checkpoint in table.marked] == [7, 5]
        await board.send(picture(2, 3, 7, 9, version=3))
        assert steps(board) == [7, 3, 9]
        assert board.cursor() == "iter_0000007"
        assert [checkpoint.step for checkpoint in table.marked] == [7]
        await board.send(picture(2, 3, 5, 9, version=4))
        assert steps(board) == [5, 3, 9]
        assert board.cursor() == "iter_0000005"
        assert [checkpoint.step for checkpoint in table.marked] == [5]


async def test_a_held_picture_can_be_filtered_sorted_and_marked() -> None:
    async with dashboard(picture(1, 2, 3)) as board:
        await board.press("p")
        await board.send(picture(1, 2, 3, 4, version=2))
        await board.press("slash", *"step>1", "enter", "s", "s", "space")
        assert steps(board) == [2, 3]
        await board.press("p")
        assert steps(board) == [2, 4, 3]
        assert "1 marked" in board.text()


async def test_the_newest_is_followed_in_a_sorted_and_filtered_table() -> None:
    async with dashboard(picture(1, 2, 3)) as board:
        await board.press("s", "s", "slash", *"!step=2", "enter")
        assert board.cursor() == "iter_0000003"
        await board.send(picture(1, 2, 3, 4, version=2))
        assert board.cursor() == "iter_0000004"
        assert "following the newest" in board.text()


async def test_a_mistake_stays_said_however_fast_it_was_typed() -> None:
    async with dashboard(situations.mixed()) as board:
        await board.press("slash")
        await board.rush(*"size>1x")
        await board.pilot.pause()
        assert board.main.query_one(FilterBar).has_class(BAD_CLASS)
        assert "enter keeps" not in board.text()


async def test_what_stands_above_the_resume_point_needs_a_look() -> None:
    made = [facts(300, roles=("model",)), facts(200), facts(100, roles=("model",))]
    async with dashboard(snapshot_of(run_of(made))) as board:
        await board.press("f")
        assert steps(board) == [300]


async def test_a_run_is_found_by_the_name_that_its_heading_has() -> None:
    picture = situations.several_runs()
    runs = tuple(run._replace(name=f"team/{run.name}") for run in picture.runs)
    async with dashboard(picture._replace(runs=runs)) as board:
        await board.press("slash", *"run:team/sft")
        assert len(board.rows()) == 3

"""The table shows the newest picture's rows, whatever came before, and keeps its cursor."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ckpt_tui.core.snapshot import Reading
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Level
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.widgets.checkpoint_table import CheckpointTable
from tests.tui import situations
from tests.tui.app_tests import Dashboard, dashboard
from tests.tui.builders import FrozenClock, StubFeed, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from ckpt_tui.core.snapshot import Snapshot


class Row(NamedTuple):
    """What a step of the model knows of a checkpoint."""

    step: int
    finished: bool
    size: int


class Step(NamedTuple):
    """A picture, and where the cursor is put before it comes."""

    runs: tuple[tuple[Row, ...], ...]
    cursor: int


rows = st.builds(Row, st.integers(1, 12), st.booleans(), st.integers(1, 3))
a_run = st.lists(rows, max_size=6, unique_by=lambda row: row.step).map(tuple)
steps = st.builds(Step, st.lists(a_run, max_size=3).map(tuple), st.integers(0, 30))


def picture_of(step: Step, version: int) -> Snapshot:
    runs = []
    for number, content in enumerate(step.runs):
        root = f"/mnt/run-{number}"
        made = [
            facts(r.step, root=root, met=r.finished, size=r.size * 2**20, age=2000.0 - r.step * 60)
            for r in content
        ]
        runs.append(run_of(made, path=root))
    return snapshot_of(*runs, root="/mnt", version=version)


async def put_cursor(board: Dashboard, place: int) -> None:
    keys = [key for key in board.main.table.order if not key.startswith("\0")]
    if keys:
        board.main.table.move_cursor(keys[place % len(keys)])
        await board.pilot.pause()


def newest_beside(picture: Snapshot, path: str | None) -> str | None:
    for run in picture.runs:
        if any(c.path == path for c in run.checkpoints):
            return run.newest.path if run.newest else None
    return None


async def check(board: Dashboard, old: Snapshot, new: Snapshot) -> None:
    table = board.main.table
    before = table.cursor_key
    followed = newest_beside(old, before) == before and before is not None
    await board.send(new)
    keys = [key for key in table.order if not key.startswith("\0")]
    assert keys == [c.path for run in new.runs for c in run.checkpoints]
    if not keys:
        assert table.cursor_key is None
        return
    assert table.cursor_key in keys
    run_path = (before or "").rpartition("/")[0]
    run = next((run for run in new.runs if run.path == run_path), None)
    if followed and run is not None and run.newest is not None:
        assert table.cursor_key == run.newest.path
    elif before in keys:
        assert table.cursor_key == before
    screen = board.text()
    for key in table.visible_keys():
        checkpoint = next(c for c in new.checkpoints if c.path == key)
        assert any(
            f" {checkpoint.step} " in text and checkpoint.verdict.value in text
            for text in screen.splitlines()
        )


class Running(NamedTuple):
    """A dashboard that goes on from one example to the next; to start one takes long."""

    runner: asyncio.Runner
    board: Dashboard

    def run(self, playing: Coroutine[Any, Any, None]) -> None:
        self.runner.run(playing)


@pytest.fixture
def running() -> Iterator[Running]:
    with asyncio.Runner() as runner:
        opening = dashboard(snapshot_of(), size=(120, 24))
        yield Running(runner, runner.run(opening.__aenter__()))
        runner.run(opening.__aexit__(None, None, None))


@given(sequence=st.lists(steps, min_size=2, max_size=5))
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink would take minutes
)
def test_any_sequence_of_pictures_ends_at_the_newest(
    running: Running, sequence: list[Step]
) -> None:
    running.run(_play(running.board, sequence))


async def _play(board: Dashboard, sequence: list[Step]) -> None:
    old = snapshot_of()
    await board.send(old)
    for version, step in enumerate(sequence, 2):
        new = picture_of(step, version)
        await put_cursor(board, step.cursor)
        await check(board, old, new)
        old = new


async def test_only_lines_that_changed_are_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [facts(step, age=(900 - step) * 6.0, ranks=8) for step in range(800, 0, -100)]
    flying = facts(900, met=False, age=1.0, took=None, ranks=8, absent=(7,))
    first = run_of(made, in_flight=[saving(flying)])
    grown = saving(flying._replace(size_bytes=flying.size_bytes + 2**30))
    later = first._replace(checkpoints=(grown, *first.checkpoints[1:]))
    async with dashboard(snapshot_of(first), size=(80, 24)) as board:
        drawn: list[int] = []
        table = board.main.table
        original = table.render_line

        def spy(y: int) -> object:
            drawn.append(y)
            return original(y)

        monkeypatch.setattr(table, "render_line", spy)
        await board.send(snapshot_of(later, version=2))
        assert set(drawn) == {1}
        drawn.clear()
        board.main.tick()
        await board.pilot.pause()
        assert drawn == []
        board.clock.advance(60)
        board.main.tick()
        await board.pilot.pause()
        assert 1 not in drawn
        assert set(drawn) == set(range(2, 10))


async def test_a_burst_of_pictures_is_one_redraw() -> None:
    run = situations.healthy().runs[0]
    async with dashboard(situations.healthy()) as board:
        for version in range(2, 200):
            board.feed.send(snapshot_of(run, version=version))
        await board.send(situations.mixed())
        assert board.rows()[0] == "iter_0012500"


async def test_the_view_stays_while_rows_come_above_it() -> None:
    made = [facts(step, age=(6000 - step) * 1.0, ranks=2) for step in range(1, 101)]
    async with dashboard(snapshot_of(run_of(made)), size=(80, 24)) as board:
        await board.press(*["pagedown"] * 3, *"kkkkk")
        table = board.main.table
        cursor, line = board.cursor(), table.order.index(table.cursor_key or "")
        height = line - table.scroll_offset.y
        more = [*made, facts(101, age=1.0, ranks=2), facts(102, age=0.5, ranks=2)]
        await board.send(snapshot_of(run_of(more), version=2))
        assert board.cursor() == cursor
        line = table.order.index(table.cursor_key or "")
        assert line - table.scroll_offset.y == height


async def test_the_newest_is_followed_until_the_cursor_leaves_it() -> None:
    made = [facts(step, age=600.0 - step) for step in (100, 200)]
    async with dashboard(snapshot_of(run_of(made)), size=(80, 24)) as board:
        assert "following the newest" in board.text()
        await board.send(snapshot_of(run_of([*made, facts(300, age=1.0)]), version=2))
        assert board.cursor() == "iter_0000300"
        await board.press("j")
        assert "following" not in board.text()
        again = [*made, facts(300, age=1.0), facts(400, age=0.5)]
        await board.send(snapshot_of(run_of(again), version=3))
        assert board.cursor() == "iter_0000200"
        await board.press("g")
        assert board.cursor() == "iter_0000400"
        assert "following the newest" in board.text()


@pytest.mark.parametrize(("keys", "cursor"), [((), "iter_0000300"), (("j",), "iter_0000100")])
async def test_the_first_cursor_waits_for_all_runs(keys: tuple[str, ...], cursor: str) -> None:
    """Which run is read first is chance; but a cursor that somebody moved stays."""
    old = run_of([facts(s, age=9000.0 - s, root="/mnt/a") for s in (100, 200)], path="/mnt/a")
    young = run_of([facts(300, age=60.0, root="/mnt/b")], path="/mnt/b")
    part = snapshot_of(old, root="/mnt")._replace(reading=Reading(2, 3, False))
    async with dashboard(part, size=(80, 24)) as board:
        assert board.cursor() == "iter_0000200"
        await board.press(*keys)
        await board.send(snapshot_of(old, young, root="/mnt", version=2))
        assert board.cursor() == cursor
        await board.send(snapshot_of(old, root="/mnt", version=3))
        await board.send(snapshot_of(old, young, root="/mnt", version=4))
        assert board.cursor() != "iter_0000300", "afterwards it stays where it is"


async def test_a_row_that_goes_leaves_the_cursor_on_its_line() -> None:
    made = [facts(step, age=600.0 - step) for step in (100, 200, 300, 400)]
    async with dashboard(snapshot_of(run_of(made)), size=(80, 24)) as board:
        await board.press("j", "j")
        assert board.cursor() == "iter_0000200"
        left = [m for m in made if m.step != 200]
        await board.send(snapshot_of(run_of(left), version=2))
        assert board.cursor() == "iter_0000100"


async def test_thousands_of_rows() -> None:
    made = [facts(step, age=(2001 - step) * 60.0, ranks=1) for step in range(2000, 0, -1)]
    judged = tuple(judge(one) for one in made)
    run = run_of([])._replace(checkpoints=judged, resume=judged[0], level=Level.OK)
    async with dashboard(snapshot_of(run), size=(120, 40)) as board:
        assert len(board.rows()) == 2000
        assert len(board.main.table.visible_keys()) < 40
        await board.press("G")
        assert board.cursor() == "iter_0000001"
        newest = judge(facts(2001, age=1.0, ranks=1))
        grown = run._replace(checkpoints=(newest, *judged), resume=newest)
        await board.send(snapshot_of(grown, version=2))
        assert board.cursor() == "iter_0000001"
        assert len(board.rows()) == 2001
        await board.press("slash", *"step=1000", "enter")
        assert board.rows() == ["iter_0001000"]


class HastyFeed(StubFeed):
    """A feed whose first picture is there before the screen is put up."""

    def start(self, on_change: Callable[[object], None]) -> None:
        super().start(on_change)
        self.picture = snapshot_of(run_of([facts(10)]))


async def test_a_picture_that_comes_before_the_screen_is_not_lost() -> None:
    app = DashboardApp(HastyFeed(snapshot_of()), DashboardOptions(clock=FrozenClock()))
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.screen.query_one(CheckpointTable).current is not None

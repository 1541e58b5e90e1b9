"""The field for a job of another world size, and the header's answer for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli.live import LiveFeed
from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.facts import Reshard
from ckpt_tui.store.members import Options
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.widgets.size_bar import SizeBar, world_size_of
from tests.store.runs import write_checkpoint
from tests.tui.app_tests import dashboard
from tests.tui.builders import facts, run_of, snapshot_of

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot

UNIVERSAL = Reshard(
    True, "by conversion with ds_to_universal, then load it as universal", ("rng",), converts=True
)
NATIVE = Reshard(True, "natively: each tensor is resharded on load", ("rng",))


def asked(world_size: int | None, reshard: Reshard | None = NATIVE) -> Snapshot:
    """Three checkpoints of 4 ranks, judged for a job of another size."""
    made = [facts(step)._replace(reshard=reshard) for step in (10, 20, 30)]
    run = run_of(made, requirements=Requirements(world_size=world_size))
    return snapshot_of(run, world_size=world_size)


@pytest.mark.parametrize(
    ("text", "size"), [("", None), ("  ", None), ("1", 1), (" 64 ", 64), ("200000", 200_000)]
)
def test_sizes(text: str, size: int | None) -> None:
    assert world_size_of(text) == size


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "200001", "²", "９", "9" * 5000])
def test_no_sizes(text: str) -> None:
    with pytest.raises(ValueError, match="a whole number from 1 to 200000"):
        world_size_of(text)


async def test_it_asks_on_enter_and_returns_to_the_table() -> None:
    async with dashboard(asked(None), size=(80, 24)) as it:
        bar = it.main.query_one(SizeBar)
        assert not bar.display
        await it.press("W", "6", "4")
        assert "world size 64" in it.text()
        assert it.feed.sizes_asked == []
        await it.press("enter")
        assert it.feed.sizes_asked == [64]
        assert not bar.display
        assert it.main.focused is it.main.table


async def test_an_empty_line_asks_for_the_writers_own_size() -> None:
    async with dashboard(asked(8), size=(80, 24)) as it:
        await it.press("W")
        assert "world size 8" in it.text()
        await it.press("ctrl+u", "enter")
        assert it.feed.sizes_asked == [None]


async def test_what_is_no_number_is_told_and_asks_nothing() -> None:
    async with dashboard(asked(None), size=(80, 24)) as it:
        await it.press("W", "q", "enter")
        assert "a whole number from 1 to 200000" in it.text()
        assert it.feed.sizes_asked == []
        await it.press("escape")
        assert not it.main.query_one(SizeBar).display
        assert it.main.focused is it.main.table


async def test_escape_leaves_a_filter_alone() -> None:
    async with dashboard(asked(8), size=(80, 24)) as it:
        await it.press("slash", "3", "0", "enter", "W", "escape")
        assert it.rows() == ["iter_0000030"]
        assert it.feed.sizes_asked == []


@pytest.mark.parametrize(
    ("reshard", "said"),
    [
        (NATIVE, "step 30 of 4 ranks: loads natively: each tens…; loses rng"),
        (UNIVERSAL, "step 30 of 4 ranks: by conversion with ds_to_…; loses rng"),
        (None, "nothing that 8 ranks can load"),
    ],
)
async def test_the_header_says_how_and_what_is_lost(reshard: Reshard | None, said: str) -> None:
    async with dashboard(asked(8, reshard), size=(72, 24)) as it:
        (row,) = [row for row in it.text().splitlines() if "FOR 8 RANKS" in row]
        assert said in row
        await it.send(asked(None, reshard))
        assert "FOR 8 RANKS" not in it.text()


async def test_where_nothing_is_there_the_size_is_still_told() -> None:
    async with dashboard(snapshot_of(world_size=1), size=(40, 12)) as it:
        assert "FOR 1 RANK" in it.text()


async def test_a_live_store_is_asked(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10, world_size=2)
    options = Options(Requirements(world_size=8))
    feed = LiveFeed(str(tmp_path / "run"), options, force_poll=True)
    app = DashboardApp(feed, DashboardOptions())
    async with app.run_test(size=(100, 24)) as pilot:

        async def until(text: str) -> None:
            for _ in range(1500):
                await pilot.pause(0.02)
                strips = app.screen._compositor.render_strips()
                if any(text in strip.text for strip in strips):
                    return
            raise AssertionError(text)

        await until("nothing that 8 ranks can load")
        await pilot.press("W", "ctrl+u", "2", "enter")
        await until("step 10 was written by as many ranks")
        feed.stop()

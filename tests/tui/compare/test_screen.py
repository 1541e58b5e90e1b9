"""The comparison on the screen."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.comparing.checkpoints import compare_checkpoints
from ckpt_tui.core.facts import TensorFacts
from ckpt_tui.core.tensors import Tensor, TensorListing
from ckpt_tui.core.verdict import judge
from ckpt_tui.tui.compare.lines import compare_lines
from ckpt_tui.tui.compare.screen import CompareScreen
from ckpt_tui.tui.lines import text_of, width_of
from tests.tui import situations
from tests.tui.app_tests import app_for, dashboard
from tests.tui.builders import facts, run_of, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.tensors_reading import TensorsReading
    from tests.tui.app_tests import Dashboard

SMALL, MIDDLE, LARGE = (80, 24), (120, 40), (200, 60)


def with_tensors() -> Snapshot:
    """The newer one has a wider layer, a new adapter, and lost its rng."""
    old = [
        TensorFacts("embed.weight", "bfloat16", (32000, 4096), 262_144_000, "model"),
        TensorFacts("layers.0.wq.weight", "bfloat16", (4096, 4096), 33_554_432, "model"),
        TensorFacts("lm_head.weight", "float32", (32000, 4096), 524_288_000, "model"),
    ]
    new = [
        TensorFacts("embed.weight", "bfloat16", (32064, 4096), 262_668_288, "model"),
        old[1],
        TensorFacts("lm_head.weight", "bfloat16", (32000, 4096), 262_144_000, "model"),
        TensorFacts("layers.0.adapter.weight", "bfloat16", (4096, 8), 65_536, "model"),
    ]
    without_rng = ("model", "optimizer", "scheduler", "progress")
    made = [
        facts(100, age=900.0, ranks=2, tensors=tuple(old)),
        facts(200, age=300.0, ranks=2, tensors=tuple(new), roles=without_rng),
    ]
    return snapshot_of(run_of(made))


async def settled(board: Dashboard) -> None:
    await board.app.workers.wait_for_complete()
    await board.pilot.pause()


async def test_two_marked_ones_are_shown_side_by_side() -> None:
    async with dashboard(situations.mixed(), SMALL) as board:
        await board.press("j", "space", "j", "j", "space", "c")
        await settled(board)
        text = board.text()
        assert "step 12200 and step 12400" in text
        assert "the second is 200 steps and 59m 58s after the first" in text
        assert "shards whole in one only" in text
        await board.press("G")
        assert "= both hold model, optimizer, scheduler, rng and progress" in board.text()
        await board.press("c")
        assert board.app.screen is board.main
        assert "2 marked" in board.text()


async def test_tensors_that_differ() -> None:
    async with dashboard(with_tensors(), MIDDLE) as board:
        await board.press("c")
        await settled(board)
        text = " ".join(board.text().split())
        assert "~ model: embed.weight bfloat16 32000×4096 bfloat16 32064×4096" in text
        assert "~ model: lm_head.weight float32 32000×4096 bfloat16 32000×4096" in text
        assert "+ model: layers.0.adapter.weight – bfloat16 4096×8" in text
        assert "- rng there –" in text


async def test_headers_are_read_beside_the_screen() -> None:
    may_go_on = threading.Event()

    def source(checkpoint: Checkpoint, _reading: TensorsReading) -> TensorListing:
        may_go_on.wait(10)
        tensor = Tensor(f"w{checkpoint.step}", "float32", (2,), 8, "model", (), 8)
        return TensorListing((tensor,), 1)

    async with dashboard(with_tensors(), MIDDLE, tensors=source) as board:
        await board.press("c")
        for _ in range(100):
            await board.pilot.pause(0.01)
            if "the headers are being read" in board.text():
                break
        assert "- rng" in board.text()
        await board.press("j")
        may_go_on.set()
        await settled(board)
        assert "being read" not in board.text()
        assert "- model: w100" in board.text()
        assert "+ model: w200" in board.text()


async def test_it_follows_the_two_while_it_is_open() -> None:
    made = [facts(100, age=900.0), facts(200, age=300.0)]
    async with dashboard(snapshot_of(run_of(made)), MIDDLE) as board:
        await board.press("c")
        await settled(board)
        assert "findings only of the second" not in board.text()
        broken = [made[0], facts(200, age=300.0, absent=(3,))]
        await board.send(snapshot_of(run_of(broken), version=2))
        screen = board.app.screen
        assert isinstance(screen, CompareScreen)
        screen.look()
        await settled(board)
        assert "findings only of the second" in board.text()
        await board.send(snapshot_of(run_of([made[0]]), version=3))
        screen.look()
        await settled(board)
        assert "findings only of the second" in board.text()
        await board.press("q")
        assert board.app.is_running


async def test_one_alone_says_what_to_do() -> None:
    async with dashboard(snapshot_of(run_of([facts(100)])), SMALL) as board:
        await board.press("c")
        assert board.app.screen is board.main
        assert board.toasts() == ["mark two checkpoints with space to compare them"]


@pytest.mark.parametrize("width", [20, 40, 71, 116, 196])
def test_every_line_fits(width: int) -> None:
    hostile = [judge(facts(None, name=c.facts.name)) for c in situations.hostile().checkpoints]
    pairs = [*pairwise(hostile), with_tensors().checkpoints]
    for first, second in pairs:
        for text in compare_lines(compare_checkpoints(first, second), width):
            assert width_of(text) <= width, text_of(text)


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE], ids=lambda size: f"{size[0]}x{size[1]}")
def test_picture(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    async def opened(pilot: Pilot[None]) -> None:
        await pilot.press("c")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()

    assert snap_compare(app_for(with_tensors()), run_before=opened, terminal_size=size)

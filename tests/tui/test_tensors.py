"""The Tensors tab: totals, search, order, chunks, and headers read late and off the screen."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.facts import TensorFacts
from ckpt_tui.core.tensors import Chunk, Note, NoteKind, Tensor, TensorListing
from ckpt_tui.tui.lines import piece, text_of, width_of
from ckpt_tui.tui.tensors.lines import head_lines, middle_cut
from ckpt_tui.tui.tensors.model import TensorModel
from ckpt_tui.tui.tensors.shelf import MOST_LISTINGS, MOST_TENSORS, Stamp, TensorShelf, stamp_of
from ckpt_tui.tui.tensors.view import TensorsView
from ckpt_tui.tui.widgets.detail_pane import DetailPane
from tests.tui.app_tests import dashboard
from tests.tui.builders import MIB, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.tensors_reading import TensorsReading
    from tests.tui.app_tests import Dashboard

SEEN = (TensorFacts("seen.by.look", "float32", (2,), 8, "model"),)
CHUNKS = (
    Chunk("__0_0.distcp", 0, (0, 0), (512, 64), 65536, 40),
    Chunk("__1_0.distcp", 1, (512, 0), (512, 64), 65536, 80),
)
LISTING = TensorListing(
    (
        Tensor("embed.weight", "bfloat16", (1024, 64), 2 * 65536, "model", CHUNKS, 2 * 65536),
        Tensor("lm_head.weight", "bfloat16", (1024, 64), 2 * 65536, "model", (), 0, "embed.weight"),
        Tensor("state.0.exp_avg", "float32", (1024, 64), MIB, "optimizer", CHUNKS[:1], MIB),
        Tensor("loss", "float32", (), 4, "", CHUNKS[:1], 4),
    ),
    4,
    (Note(NoteKind.UNREADABLE, "optimizer.pt", 1, 9, "it is cut"),),
)


def pictures() -> Snapshot:
    return snapshot_of(run_of([facts(500, tensors=SEEN), facts(400, tensors=SEEN)]))


class Source:
    """Lists tensors; waits until it is let go where it is told to."""

    def __init__(self, *, waits: bool = False) -> None:
        self.asked: list[str] = []
        self.readings: list[TensorsReading] = []
        self.begun = threading.Event()
        self.go_on = threading.Event()
        if not waits:
            self.go_on.set()

    def __call__(self, checkpoint: Checkpoint, reading: TensorsReading) -> TensorListing:
        assert threading.current_thread() is not threading.main_thread()
        self.asked.append(checkpoint.facts.name)
        self.readings.append(reading)
        self.begun.set()
        assert self.go_on.wait(20)
        return LISTING


async def until(board: Dashboard, text: str) -> None:
    """Waits for a text; what is read beside the screen takes its time."""
    for _ in range(300):
        if text in board.text():
            return
        await board.pilot.pause(0.02)
    raise AssertionError(board.text())


def view_of(board: Dashboard) -> TensorsView:
    return board.main.query_one(TensorsView)


async def test_headers_are_read_when_the_tab_is_looked_at_and_kept() -> None:
    source = Source()
    async with dashboard(pictures(), tensors=source) as board:
        assert not source.asked
        source.go_on.clear()
        await board.press("5")
        assert "seen.by.look" in board.text()
        source.go_on.set()
        await until(board, "embed.weight")
        text = " ".join(board.text().split())
        assert "4 tensors · 131 K elements · 1.13 MiB" in text
        assert "⚠ optimizer.pt cannot be read: it is cut" in text
        assert "1 tensor shares the bytes of another one: 128 KiB counted once" in text
        assert "role optimizer 1.00 MiB 1 model 128 KiB 2 other 4 B 1" in text
        assert "type float32 1.00 MiB 2 bfloat16 128 KiB 2" in text
        await board.press("j")
        await until(board, "embed.weight")
        await board.press("k")
        assert "embed.weight" in board.text()  # at once: it was kept
    assert source.asked == ["iter_0000500", "iter_0000400"]


async def test_what_is_read_for_a_checkpoint_that_was_left_is_given_up() -> None:
    source = Source(waits=True)
    async with dashboard(pictures(), tensors=source) as board:
        await board.press("5")
        await until(board, "reading headers")
        await asyncio.to_thread(source.begun.wait, 20)
        await board.press("j")
        assert source.readings[0].stopped
        await board.press("1")
        source.go_on.set()
        await board.pilot.pause(0.3)
        assert view_of(board).model.listing is not LISTING
        assert source.asked == ["iter_0000500"]  # the second was left before its turn


async def test_search_and_order() -> None:
    async with dashboard(pictures(), tensors=Source()) as board:
        await board.press("5")
        await until(board, "embed.weight")
        await board.press("tab", "slash", *"dtype:bf16")
        model = view_of(board).model
        assert [model.tensor(n).name for n in range(len(model))] == [
            "embed.weight", "lm_head.weight",
        ]  # fmt: skip
        await until(board, "2 of 4 tensors")
        await board.press("enter", "j")
        assert model.current is not None
        assert model.current.name == "lm_head.weight"
        await board.press("escape")
        assert len(model) == 4
        assert model.current.name == "lm_head.weight"
        await board.press("s", "s")
        assert [model.tensor(n).size_bytes for n in range(4)] == [MIB, 131072, 131072, 4]
        assert model.current.name == "lm_head.weight"
        await board.press("S")
        assert model.tensor(0).name == "loss"
        await board.press("escape")
        assert board.main.table.has_focus


async def test_a_bad_query_says_what_it_needs_and_leaves_the_list() -> None:
    async with dashboard(pictures(), tensors=Source()) as board:
        await board.press("5")
        await until(board, "embed.weight")
        await board.press("tab", "slash", *"size>x")
        await until(board, "size needs a value, such as size>16m")
        assert len(view_of(board).model) == 4
        await board.press("escape")
        assert not view_of(board).query_one("#tensors-find").display
        assert board.main.pane.has_focus_within


async def test_chunks_say_which_file_holds_which_rows() -> None:
    async with dashboard(pictures(), tensors=Source()) as board:
        await board.press("5")
        await until(board, "embed.weight")
        await board.press("tab", "enter")
        lines = board.text().splitlines()
        held = [line.split() for line in lines if "distcp" in line and "[" in line]
        assert held == [
            ["[0:512,", "0:64]", "0", "64.0", "KiB", "__0_0.distcp", "40"],
            ["[512:1024,", "0:64]", "1", "64.0", "KiB", "__1_0.distcp", "80"],
        ]
        await board.press("escape")
        assert "lm_head.weight" in board.text()
        assert board.main.pane.has_focus_within
        await board.press("escape")
        assert board.main.table.has_focus


async def test_a_save_in_flight_is_not_read() -> None:
    source = Source()
    picture = snapshot_of(run_of([], in_flight=[saving(facts(600, met=False, tensors=SEEN))]))
    async with dashboard(picture, tensors=source) as board:
        await board.press("5")
        await board.pilot.pause(0.3)
        assert "seen.by.look" in board.text()
        assert not source.asked
        done = facts(600, tensors=SEEN)
        await board.send(snapshot_of(run_of([done])))
        await until(board, "embed.weight")


async def test_without_a_source_the_tab_shows_what_the_look_saw() -> None:
    async with dashboard(pictures()) as board:
        await board.press("5")
        assert "1 tensor · 2 elements · 8 B" in board.text()
        assert board.main.query_one(DetailPane).tab.value == "Tensors"


@pytest.mark.parametrize("width", [1, 9, 24, 80])
@pytest.mark.parametrize("name", ["w", "layers.11.attention.wq.weight", "检查点" * 30, "x" * 10**6],
                         ids=["short", "long", "wide", "huge"])  # fmt: skip
def test_a_name_that_is_cut_keeps_both_ends(name: str, width: int) -> None:
    shown = middle_cut(name, width)
    assert width_of((piece(shown),)) <= width
    if width > 5 and len(name) > width:
        assert shown[0] == name[0]
        assert shown[-1] == name[-1]


def test_more_than_are_listed_are_told() -> None:
    model = TensorModel()
    model.show(LISTING._replace(total=20, notes=(Note(NoteKind.MORE_TENSORS, how_many=16),)))
    said = "\n".join(text_of(row) for row in head_lines(model, "", 118))
    assert "at least 20 tensors" in said
    assert "16 more tensors are counted, not listed" in said


def test_the_last_listings_are_kept_within_a_bound() -> None:
    shelf = TensorShelf()
    stamps = [Stamp(f"/run/{n}", 1, 1, 1) for n in range(MOST_LISTINGS + 2)]
    for stamp in stamps:
        shelf.put(stamp, LISTING)
    assert shelf.get(stamps[0]) is None
    assert shelf.get(stamps[-1]) is LISTING
    large = LISTING._replace(tensors=LISTING.tensors[:1] * MOST_TENSORS)
    shelf.put(stamps[0], large)
    assert [stamp for stamp in stamps if shelf.get(stamp)] == [stamps[0]]
    grown = facts(1)._replace(size_bytes=7)
    assert stamp_of(grown) != stamp_of(facts(1))

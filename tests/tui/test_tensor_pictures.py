"""Pictures of the tensor list alone. Look at each one before it is accepted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual.app import App, ComposeResult
from textual.scrollbar import ScrollBar

from ckpt_tui import tui
from ckpt_tui.core.tensors import Chunk, Note, NoteKind, Tensor, TensorListing
from ckpt_tui.core.verdict import judge
from ckpt_tui.tui.app import WholeCellScrollBar
from ckpt_tui.tui.tensors.table import TensorTable
from ckpt_tui.tui.tensors.view import TensorsView
from ckpt_tui.tui.widgets.line_view import Motion
from tests.tui.builders import facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from textual.pilot import Pilot

SIZES = [(80, 24), (120, 40), (200, 60)]
RANKS, LAYERS, WIDTH = 4, 12, 4096


def _split(name: str, shape: tuple[int, int], dtype: str, role: str, item_bytes: int) -> Tensor:
    rows, columns = shape
    each = rows // RANKS
    size = each * columns * item_bytes
    chunks = tuple(
        Chunk(f"__{rank}_0.distcp", rank, (rank * each, 0), (each, columns), size, rank * 512)
        for rank in range(RANKS)
    )
    return Tensor(name, dtype, shape, size * RANKS, role, chunks, size * RANKS)


def _tensors() -> Iterator[Tensor]:
    embed = _split("tok_embeddings.weight", (128256, WIDTH), "bfloat16", "model", 2)
    yield embed
    yield embed._replace(name="output.weight", stored_bytes=0, shares=embed.name)
    for layer in range(LAYERS):
        for part in ("attention.wq", "attention.wo", "feed_forward.w1", "feed_forward.w2"):
            name = f"layers.{layer}.{part}.weight"
            yield _split(name, (WIDTH, WIDTH), "bfloat16", "model", 2)
            yield _split(f"optimizer.{name}.exp_avg", (WIDTH, WIDTH), "float32", "optimizer", 4)
    yield Tensor("层.规范.weight", "float32", (), 4, "", (Chunk("__0_0.distcp", 0),), 4)


LISTING = TensorListing(
    tuple(_tensors()),
    99,
    (
        Note(NoteKind.OBJECTS, ".metadata", 26, 40530),
        Note(NoteKind.UNREADABLE, "rng_state_3.pt", 1, 900, "the zip archive has no end record"),
    ),
)


class TensorsApp(App[None]):
    """The list over the whole screen."""

    CSS_PATH = Path(tui.__path__[0]) / "app.tcss"

    def compose(self) -> ComposeResult:
        yield TensorsView()

    def on_mount(self) -> None:
        view = self.query_one(TensorsView)
        view.source = lambda _checkpoint, _reading: LISTING
        view.show(judge(facts(500)))

    async def listed(self, pilot: Pilot[None]) -> None:
        view = self.query_one(TensorsView)
        while view.model.listing is not LISTING:
            await pilot.pause(0.02)
        view.focus_target.focus()
        await pilot.pause()


@pytest.fixture(autouse=True)
def _own_scroll_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dashboard sets them for the whole process when it is made."""
    monkeypatch.setattr(ScrollBar, "renderer", WholeCellScrollBar)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_list(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    app = TensorsApp()

    async def prepare(pilot: Pilot[None]) -> None:
        await app.listed(pilot)
        app.query_one(TensorTable).navigate(Motion.HALF_DOWN)

    assert snap_compare(app, terminal_size=size, run_before=prepare)


def test_found_and_sorted(snap_compare: Callable[..., bool]) -> None:
    app = TensorsApp()

    async def prepare(pilot: Pilot[None]) -> None:
        await app.listed(pilot)
        await pilot.press("s", "s", "/", *"dtype:bf16", "space", *"shape:4096x4096", "enter")
        await pilot.pause(0.2)

    assert snap_compare(app, terminal_size=SIZES[0], run_before=prepare)


def test_chunks(snap_compare: Callable[..., bool]) -> None:
    app = TensorsApp()

    async def prepare(pilot: Pilot[None]) -> None:
        await app.listed(pilot)
        await pilot.press("enter")

    assert snap_compare(app, terminal_size=SIZES[0], run_before=prepare)

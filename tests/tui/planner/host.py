"""A small application that shows nothing but the planner, and ways to read it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App
from textual.scrollbar import ScrollBar
from textual.widgets import Input

from ckpt_tui import tui
from ckpt_tui.core.cadence import cadence_of
from ckpt_tui.tui.app import WholeCellScrollBar
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.planner.field import FieldRow
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, TextLines
from tests.tui.builders import facts, run_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.app import ComposeResult
    from textual.pilot import Pilot

    from ckpt_tui.core.runs import Run

TIB = 2**40
SAVES = [
    facts(500 * number, age=1800.0 * (8 - number), size=int(1.25 * TIB), took=130.0)._replace(
        save_seconds_is_lower_bound=True
    )
    for number in range(1, 8)
]
RUN = run_of(SAVES)._replace(name="")
SEVEN_SAVES = cadence_of(RUN.checkpoints)


class PlannerHost(App[None]):
    """The panel alone, with the dashboard's style sheet."""

    CSS_PATH = Path(tui.__path__[0]) / "app.tcss"
    CSS = "#planner { display: block; }"

    def __init__(self, run: Run | None = RUN, *, ascii_only: bool = False) -> None:
        super().__init__()
        ScrollBar.renderer = WholeCellScrollBar
        self._run = run
        self.set_class(ascii_only, ASCII_CLASS)

    def compose(self) -> ComposeResult:
        panel = PlannerPanel()
        panel.show_run(self._run)
        yield panel

    @property
    def panel(self) -> PlannerPanel:
        return self.query_one(PlannerPanel)

    def shown(self, part: str) -> str:
        """The text of one part of the panel."""
        lines = self.query_one(f"#planner-{part}", TextLines).lines
        return "\n".join(text_of(line) for line in lines)

    def note(self, field: str) -> str:
        """The word behind a field."""
        return self.query_one(f"#field-{field}", FieldRow).note.said

    def field(self, name: str) -> Input:
        return self.query_one(f"#{name}", Input)


@asynccontextmanager
async def hosted(
    size: tuple[int, int], run: Run | None = RUN, *, ascii_only: bool = False
) -> AsyncIterator[tuple[PlannerHost, Pilot[None]]]:
    """A running host on a screen of that size, drawn for the first time."""
    host = PlannerHost(run, ascii_only=ascii_only)
    async with host.run_test(size=size) as pilot:
        await opened(pilot)
        yield host, pilot


async def opened(pilot: Pilot[None]) -> None:
    """Waits for the panel, which makes itself when it is first shown."""
    while not pilot.app.screen.query("#planner-remarks"):
        await pilot.pause()
    await settle(pilot)


async def settle(pilot: Pilot[None]) -> None:
    """Lets a layout, and the drawing that waits for it, come to an end."""
    await pilot.pause()
    await pilot.pause()


async def type_into(pilot: Pilot[None], field: str, text: str) -> None:
    """Replaces the text of a field by typing, as a person does."""
    pilot.app.query_one(f"#{field}", Input).focus()
    await pilot.press(*("minus" if char == "-" else char for char in text))

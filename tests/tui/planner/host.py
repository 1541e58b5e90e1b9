"""A small application that shows nothing but the planner, and ways to read it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.scrollbar import ScrollBar
from textual.widgets import Input

from ckpt_tui import tui
from ckpt_tui.history.observed import observed
from ckpt_tui.tui.app import WholeCellScrollBar
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.planner.field import FieldRow
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, TextLines
from tests.tui.builders import facts, run_of, snapshot_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.app import ComposeResult
    from textual.pilot import Pilot

    from ckpt_tui.core.runs import Run
    from ckpt_tui.history.database import History
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.tui.widgets.panel import FaultTerms

TIB = 2**40
SAVES = [
    facts(500 * number, age=1800.0 * (8 - number), size=int(1.25 * TIB), took=130.0)._replace(
        save_seconds_is_lower_bound=True
    )
    for number in range(1, 8)
]
RUN = run_of(SAVES)._replace(name="")
SEVEN_SAVES = observed(RUN, None, 8.0)

_TIMES = [15, 14.5, 14, 13.5, 13, 12, 11.5, 11, 10.5, 8.5, 8, 7.5, 7, 6.5, 6, 5.5]
_STEPS = [1, 2, 3, 4, 5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
FAILED_RUN = run_of(
    [
        facts(500 * step, name=f"save-{number}", age=3600.0 * hours, size=TIB, took=130.0)
        for number, (step, hours) in enumerate(zip(_STEPS, _TIMES, strict=True))
    ]
)
"""Every 30 minutes; once the step goes back, once there is a gap of two hours."""


class PlannerHost(App[None]):
    """The panel alone, with the dashboard's style sheet."""

    CSS_PATH = Path(tui.__path__[0]) / "app.tcss"
    CSS = "#planner { display: block; }"

    def __init__(
        self,
        run: Run | None = RUN,
        *,
        ascii_only: bool = False,
        first: PlanInputs | None = None,
        history: History | None = None,
    ) -> None:
        super().__init__()
        ScrollBar.renderer = WholeCellScrollBar
        self._run = run
        self._first, self._history = first, history
        self.terms: list[FaultTerms] = []
        self.set_class(ascii_only, ASCII_CLASS)

    def compose(self) -> ComposeResult:
        panel = PlannerPanel(self._first, self._history)
        snapshot = None if self._run is None else snapshot_of(self._run, free_bytes=10 * TIB)
        panel.show_run(self._run, snapshot)
        yield panel

    def on_panel_terms_changed(self, event: PlannerPanel.TermsChanged) -> None:
        self.terms.append(event.terms)

    @property
    def toasts(self) -> str:
        """Messages that popped up."""
        return "\n".join(toast.message for toast in self._notifications)

    def drawn(self) -> str:
        """The characters of the whole screen."""
        return "\n".join(strip.text for strip in self.screen._compositor.render_strips())

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
    size: tuple[int, int], run: Run | None = RUN, **options: Any
) -> AsyncIterator[tuple[PlannerHost, Pilot[None]]]:
    """A running host on a screen of that size, drawn for the first time."""
    host = PlannerHost(run, **options)
    async with host.run_test(size=size) as pilot:
        await opened(pilot)
        yield host, pilot


async def opened(pilot: Pilot[None]) -> None:
    """Waits for the panel, which makes itself when it is first shown."""
    while not pilot.app.screen.query("#planner-remarks"):
        await pilot.pause()
    await settle(pilot)


async def filled(pilot: Pilot[None]) -> None:
    """Asks for what the directory shows, and waits for it."""
    await pilot.press("ctrl+r")
    await pilot.app.workers.wait_for_complete()
    await settle(pilot)


async def settle(pilot: Pilot[None]) -> None:
    """Lets a layout, and the drawing that waits for it, come to an end."""
    await pilot.pause()
    await pilot.pause()


async def type_into(pilot: Pilot[None], field: str, text: str) -> None:
    """Replaces the text of a field by typing, as a person does."""
    pilot.app.query_one(f"#{field}", Input).focus()
    await pilot.press(*("minus" if char == "-" else char for char in text))

"""A small application that shows nothing but the planner, and ways to read it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.widgets import Input

from ckpt_tui import tui
from ckpt_tui.core.cadence import Cadence
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, TextLines

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.pilot import Pilot

TIB = 2**40
SEVEN_SAVES = Cadence(30.0, 500, 13 / 6, True, int(1.25 * TIB), 7)


class PlannerHost(App[None]):
    """The panel alone, with the dashboard's style sheet."""

    CSS_PATH: ClassVar[list[str | Path]] = [Path(tui.__path__[0]) / "app.tcss"]
    CSS = "#planner { display: block; }"

    def __init__(self, cadence: Cadence | None = SEVEN_SAVES, *, ascii_only: bool = False) -> None:
        super().__init__()
        self._cadence = cadence
        self.set_class(ascii_only, ASCII_CLASS)

    def compose(self) -> ComposeResult:
        yield PlannerPanel(lambda: self._cadence)

    @property
    def panel(self) -> PlannerPanel:
        return self.query_one(PlannerPanel)

    def shown(self, part: str) -> str:
        """The text of one part of the panel."""
        lines = self.query_one(f"#planner-{part}", TextLines).lines
        return "\n".join(text_of(line) for line in lines)

    def note(self, field: str) -> str:
        """The word behind a field."""
        notes = self.query_one(f"#field-{field}").query(".field-note").results(TextLines)
        return "".join(text_of(line) for note in notes for line in note.lines)

    def field(self, name: str) -> Input:
        return self.query_one(f"#{name}", Input)


async def settle(pilot: Pilot[None]) -> None:
    """Lets the first layout, and the drawing that waits for it, come to an end."""
    await pilot.pause()
    await pilot.pause()


async def type_into(pilot: Pilot[None], field: str, text: str) -> None:
    """Replaces the text of a field by typing, as a person does."""
    host = pilot.app
    assert isinstance(host, PlannerHost)
    host.field(field).focus()
    await pilot.pause()
    await pilot.press(*(_KEY_NAMES.get(char, char) for char in text))
    await pilot.pause()


_KEY_NAMES = {".": "full_stop", ",": "comma", "%": "percent_sign", "-": "minus", " ": "space"}

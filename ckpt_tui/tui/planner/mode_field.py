"""The save mode: all of them side by side, one in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.tui.lines import Line, Tone, piece
from ckpt_tui.tui.planner.field import FieldRow
from ckpt_tui.tui.widgets.line_view import TextLines

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from ckpt_tui.tui.planner.fields import PanelField


def mode_line(mode: PlanMode) -> Line:
    """The mode in brackets, so that no colour is needed to see it."""
    return tuple(
        piece(f"[{each}]", Tone.PICKED) if each is mode else piece(f" {each} ") for each in PlanMode
    )


class ModeChooser(TextLines, can_focus=True):
    """Left, right and space choose; so does a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,enter,l", "turn(1)", "next mode", show=False),
        Binding("left,h", "turn(-1)", "mode before", show=False),
    ]

    class Chosen(Message):
        """Another mode was chosen."""

        def __init__(self, mode: PlanMode) -> None:
            super().__init__()
            self.mode = mode

    def __init__(self, mode: PlanMode) -> None:
        super().__init__([mode_line(mode)], widget_id="mode")
        self._mode = mode

    def choose(self, mode: PlanMode) -> None:
        """Chooses a mode, and says so if it is another one."""
        if mode is not self._mode:
            self.show(mode)
            self.post_message(self.Chosen(mode))

    def show(self, mode: PlanMode) -> None:
        """Shows a mode without saying so."""
        self._mode = mode
        self.set_lines([mode_line(mode)])

    def action_turn(self, direction: int) -> None:
        """The next mode, or the one before; round and round."""
        modes = list(PlanMode)
        self.choose(modes[(modes.index(self._mode) + direction) % len(modes)])

    def on_click(self, event: events.Click) -> None:
        """Chooses the mode under the pointer."""
        end = 0
        for mode in PlanMode:
            start, end = end, end + len(mode) + 2
            if start <= event.x < end:
                self.choose(mode)


class ModeField(FieldRow):
    """The mode among the other fields."""

    def __init__(self, field: PanelField, label: str, mode: PlanMode) -> None:
        super().__init__(field, label)
        self._chooser = ModeChooser(mode)

    def editor(self) -> ComposeResult:
        """The modes."""
        yield self._chooser

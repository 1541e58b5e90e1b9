"""A text over the dashboard: help, or all that is known of a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from ckpt_tui.tui.actions.reading import READING_ACTIONS
from ckpt_tui.tui.widgets.line_view import Motion, ScrollingText
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult

    from ckpt_tui.tui.lines import Line


class ScrollingScreen(ModalScreen[None]):
    """One scrolling text in a frame; esc and q close it.

    Args:
        title: What the frame says.
        lines_for: The text for a width in cells.
    """

    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in READING_ACTIONS]

    def __init__(self, title: str, lines_for: Callable[[int], Sequence[Line]]) -> None:
        super().__init__()
        self._frame_title = title
        self._lines_for = lines_for

    def compose(self) -> ComposeResult:
        """The text in its frame."""
        text = ScrollingText(widget_id="modal-text")
        text.say_in_frame(self._frame_title, say("esc closes"))
        yield text

    @property
    def text(self) -> ScrollingText:
        """The widget with the text."""
        return self.query_one("#modal-text", ScrollingText)

    def on_mount(self) -> None:
        """Draws the text once its width is known."""
        self.call_after_refresh(self.redraw)

    def on_resize(self) -> None:
        """The lines are as long as the screen."""
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draws the text for the width there is."""
        width = self.text.size.width - 1
        if width > 0:
            self.draw(width)

    def draw(self, width: int) -> None:
        """Sets the lines of the text; `width` in cells."""
        self.text.set_lines(self._lines_for(width))

    def action_move(self, motion: str) -> None:
        """Scrolls."""
        self.text.navigate(Motion(motion))


class TextScreen(ScrollingScreen):
    """A text that does not change; the key that opened it closes it, too."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1,m,enter", "dismiss", show=False),
    ]

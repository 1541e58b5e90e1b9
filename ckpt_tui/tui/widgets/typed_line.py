"""What the lines share in which something is typed: the box, and what is said behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Horizontal
from textual.widgets import Input

from ckpt_tui.tui.lines import width_of
from ckpt_tui.tui.widgets.line_view import TextLines

if TYPE_CHECKING:
    from ckpt_tui.tui.lines import Line

BAD_CLASS = "-bad"
"""Class of a line while what is typed in it cannot be read."""
HINT_ID = "hint"
"""Of what is said behind the box."""


class TypedLine(Horizontal):
    """One line of the screen with a box for text."""

    @property
    def text_input(self) -> Input:
        """Where the text is typed."""
        return self.query_one(Input)

    def say_behind(self, text: Line) -> None:
        """Says something behind the box, which keeps the rest of the line."""
        hint = self.query_one(f"#{HINT_ID}", TextLines)
        hint.styles.width = width_of(text)
        hint.set_lines((text,))

    def take_keys(self) -> None:
        """Shows the line with its last text and gives it the keys."""
        self.display = True
        self.text_input.focus()
        self.text_input.action_end()

    def clear(self) -> None:
        """Empties and hides the line."""
        with self.prevent(Input.Changed):
            self.text_input.value = ""
        self.remove_class(BAD_CLASS)
        self.display = False

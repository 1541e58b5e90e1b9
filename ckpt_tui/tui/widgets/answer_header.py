"""The header that answers first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.answers.header import answer_lines
from ckpt_tui.tui.widgets.line_view import TextLines

if TYPE_CHECKING:
    from textual import events

    from ckpt_tui.tui.view import View

_LINES_FOR_HEIGHT = ((30, 7), (24, 6), (16, 4), (10, 3), (7, 2), (0, 1))


class AnswerHeader(TextLines):
    """One to seven lines, by the height of the screen."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self._view: View | None = None

    def show(self, view: View) -> None:
        """Answers from another moment; lines that read the same are not drawn anew."""
        self._view = view
        width, height = self.app.size
        most = next(lines for least, lines in _LINES_FOR_HEIGHT if height >= least)
        self.set_lines(answer_lines(view, width, most))

    def on_resize(self, _event: events.Resize) -> None:
        """Other lengths fit now."""
        if self._view is not None:
            self.show(self._view)

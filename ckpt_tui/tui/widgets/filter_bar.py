"""The line in which a filter is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from ckpt_tui.tui.lines import Line, Tone, line, piece, width_of
from ckpt_tui.tui.rows.query import EVERYTHING, BadQueryError, Query, parse_query
from ckpt_tui.tui.widgets.line_view import TextLines

if TYPE_CHECKING:
    from textual.app import ComposeResult

BAD_CLASS = "-bad"


class FilterBar(Horizontal):
    """Filters while it is typed in; a filter that cannot be read leaves the last good one."""

    class Changed(Message):
        """Another filter holds."""

        def __init__(self, query: Query) -> None:
            super().__init__()
            self.query = query

    class Accepted(Message):
        """The filter stays, and the keys go back to the table."""

    def compose(self) -> ComposeResult:
        """A prompt, the text, and what it does."""
        yield TextLines([line(piece(" /", Tone.ACCENT))], widget_id="filter-prompt")
        yield Input(
            placeholder="word  !word  step>5000  state:saving  role:rng  rank:640",
            compact=True,
            id="filter-input",
            select_on_focus=False,
        )
        yield TextLines(widget_id="filter-count")

    @property
    def text_input(self) -> Input:
        """Where the text is typed."""
        return self.query_one(Input)

    def open(self) -> None:
        """Shows the line with its last text and gives it the keys."""
        self.display = True
        self.text_input.focus()
        self.text_input.action_end()

    def clear(self) -> None:
        """Empties and hides the line."""
        with self.prevent(Input.Changed):
            self.text_input.value = ""
        self._mark("")
        self.display = False
        self.post_message(self.Changed(EVERYTHING))

    def show_count(self, shown: int, total: int) -> None:
        """Says how many rows are left."""
        count = piece(f" {shown}/{total} ", Tone.BOLD if shown else Tone.WARN)
        self._say(line(count, piece(" enter keeps  esc clears ", Tone.DIM)))

    def _say(self, text: Line) -> None:
        count = self.query_one("#filter-count", TextLines)
        count.styles.width = width_of(text)
        count.set_lines((text,))

    def _mark(self, problem: str) -> None:
        self.set_class(bool(problem), BAD_CLASS)
        if problem:
            self._say(line(piece(f" {problem} ", Tone.BAD)))

    @on(Input.Changed)
    def _read(self, event: Input.Changed) -> None:
        event.stop()
        try:
            query = parse_query(event.value)
        except BadQueryError as error:
            self._mark(str(error))
            return
        self._mark("")
        self.post_message(self.Changed(query))

    @on(Input.Submitted)
    def _accept(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Accepted())

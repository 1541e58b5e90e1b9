"""The line in which a filter is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.message import Message
from textual.widgets import Input

from ckpt_tui.core.query import EVERYTHING, Query, parse_query
from ckpt_tui.core.query_words import BadQueryError
from ckpt_tui.tui.actions.filtering import FILTER_KEYS
from ckpt_tui.tui.lines import Tone, line, piece
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.tui.widgets.typed_line import BAD_CLASS, HINT_ID, TypedLine
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType


class FilterBar(TypedLine):
    """Filters while it is typed in; a filter that cannot be read leaves the last good one."""

    BINDINGS: ClassVar[list[BindingType]] = [key.binding() for key in FILTER_KEYS]

    _earlier: Sequence[str] = ()
    _place = -1
    _draft = ""
    _query = EVERYTHING

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
            placeholder=say("word  !word  step>5000  age<2h  state:saving  role:rng  rank:640"),
            compact=True,
            id="filter-input",
            select_on_focus=False,
        )
        yield TextLines(widget_id=HINT_ID)

    def open(self, earlier: Sequence[str] = ()) -> None:
        """Shows the line with its last text and gives it the keys.

        Args:
            earlier: Filters that were used before, the newest first.
        """
        self._earlier, self._place, self._draft = earlier, -1, self.text_input.value
        self.take_keys()

    def action_recall(self, by: int) -> None:
        """Shows an earlier filter, or a later one; what was typed comes after the last."""
        if self._place < 0:
            self._draft = self.text_input.value
        choices = [text for text in self._earlier if text != self._draft.strip()]
        place = max(-1, min(len(choices) - 1, self._place + by))
        if place != self._place:
            self._place = place
            self.text_input.value = choices[place] if place >= 0 else self._draft
            self.text_input.action_end()

    def clear(self) -> None:
        """Empties and hides the line; every row is shown again."""
        super().clear()
        self._hold(EVERYTHING)

    def show_count(self, shown: int, total: int) -> None:
        """Says how many rows are left, and what the filter still needs; a mistake stays said."""
        if self.has_class(BAD_CLASS):
            return
        count = piece(f" {shown}/{total} ", Tone.BOLD if shown else Tone.WARN)
        rest = self._query.hint or say("enter keeps  esc clears  ↑ earlier ones")
        self.say_behind(line(count, piece(f" {rest} ", Tone.DIM)))

    def _mark(self, problem: str) -> None:
        self.set_class(bool(problem), BAD_CLASS)
        if problem:
            self.say_behind(line(piece(f" {problem} ", Tone.BAD)))

    def _hold(self, query: Query) -> None:
        self._query = query
        self.post_message(self.Changed(query))

    @on(Input.Changed)
    def _read(self, event: Input.Changed) -> None:
        event.stop()
        try:
            query = parse_query(event.value)
        except BadQueryError as error:
            self._mark(str(error))
            return
        self._mark("")
        self._hold(query)

    @on(Input.Submitted)
    def _accept(self, event: Input.Submitted) -> None:
        """Ends the typing; a filter that cannot be read has to be mended or cleared first."""
        event.stop()
        if not self.has_class(BAD_CLASS):
            self.post_message(self.Accepted())

"""The line in which tensors are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.widgets import Input

from ckpt_tui.core.query_words import BadQueryError
from ckpt_tui.core.tensors_query import TensorQuery, parse_tensor_query
from ckpt_tui.tui.lines import Tone, line, piece
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.tui.widgets.typed_line import BAD_CLASS, HINT_ID, TypedLine
from ckpt_tui.words import say

if TYPE_CHECKING:
    from textual.app import ComposeResult


class FindBar(TypedLine):
    """Looks while it is typed in; what cannot be read leaves the last good query."""

    class Changed(Message):
        """Another query holds."""

        def __init__(self, query: TensorQuery) -> None:
            super().__init__()
            self.query = query

    class Accepted(Message):
        """The query stays, and the keys go back to the tensors."""

    def compose(self) -> ComposeResult:
        """A prompt, the text, and what the keys do."""
        yield TextLines([line(piece(" /", Tone.ACCENT))], widget_id="find-prompt")
        yield Input(
            placeholder=say(
                "word  !word  dtype:bf16  role:optimizer  shape:4096  size>16m  rank:3"
            ),
            compact=True,
            id="find-input",
            select_on_focus=False,
        )
        yield TextLines(widget_id=HINT_ID)

    def open(self) -> None:
        """Shows the line with its last text and gives it the keys."""
        self._say_keys()
        self.take_keys()

    def _say_keys(self) -> None:
        self.say_behind(line(piece(say(" enter keeps  esc clears "), Tone.DIM)))

    @on(Input.Changed)
    def _read(self, event: Input.Changed) -> None:
        event.stop()
        try:
            query = parse_tensor_query(event.value)
        except BadQueryError as error:
            self.add_class(BAD_CLASS)
            self.say_behind(line(piece(f" {error} ", Tone.BAD)))
            return
        if self.has_class(BAD_CLASS):
            self.remove_class(BAD_CLASS)
            self._say_keys()
        self.post_message(self.Changed(query))

    @on(Input.Submitted)
    def _accept(self, event: Input.Submitted) -> None:
        event.stop()
        self.say_behind(line(piece(say(" esc clears "), Tone.DIM)))
        self.post_message(self.Accepted())

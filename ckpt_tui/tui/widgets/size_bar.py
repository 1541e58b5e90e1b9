"""The line in which the world size of the job that would resume is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.message import Message
from textual.widgets import Input

from ckpt_tui.formats.shared.bounds import MOST_RANKS
from ckpt_tui.tui.lines import Line, Tone, line, piece, width_of
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.tui.widgets.typed_line import BAD_CLASS, HINT_ID, TypedLine
from ckpt_tui.words import say

if TYPE_CHECKING:
    from textual.app import ComposeResult


def world_size_of(text: str) -> int | None:
    """The number of ranks; None for an empty text.

    Raises:
        ValueError: It is no number of ranks; the message says which there are.
    """
    text = text.strip()
    if not text:
        return None
    size = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if not 1 <= size <= MOST_RANKS:
        raise ValueError(say("a whole number from 1 to {most}", most=MOST_RANKS))
    return size


class SizeBar(TypedLine):
    """Asks on enter; what is no number of ranks is told, and asks nothing."""

    class Asked(Message):
        """Verdicts are wanted for a job of that size; None for the writers' own."""

        def __init__(self, world_size: int | None) -> None:
            super().__init__()
            self.world_size = world_size

    def compose(self) -> ComposeResult:
        """A prompt, the number, and what the keys do."""
        prompt = line(piece(say(" world size "), Tone.ACCENT))
        view = TextLines([prompt], widget_id="size-prompt")
        view.styles.width = width_of(prompt)
        yield view
        placeholder = say("ranks of the job that would resume")
        yield Input(placeholder=placeholder, compact=True, id="size-input")
        yield TextLines(widget_id=HINT_ID)

    def open(self, world_size: int | None) -> None:
        """Shows the line with the size that is asked for now, and gives it the keys."""
        self.display = True
        box = self.text_input
        box.value = "" if world_size is None else str(world_size)
        self._say_keys()
        box.focus()

    def close(self) -> None:
        """Hides the line; what was asked for before holds."""
        self.display = False

    def _say_keys(self) -> None:
        self._say(line(piece(say(" enter asks  empty: as written  esc leaves "), Tone.DIM)))

    def _say(self, text: Line, bad: bool = False) -> None:
        self.set_class(bad, BAD_CLASS)
        self.say_behind(text)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        try:
            world_size_of(event.value)
        except ValueError as error:
            self._say(line(piece(f" {error} ", Tone.BAD)), bad=True)
        else:
            self._say_keys()

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            world_size = world_size_of(event.value)
        except ValueError:  # told while it was typed
            return
        self.close()
        self.post_message(self.Asked(world_size))

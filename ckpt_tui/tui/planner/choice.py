"""A list over the dashboard from which one entry is taken, or in which entries are ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from ckpt_tui.tui.icons import CURSOR_MARK
from ckpt_tui.tui.lines import (
    Line,
    Piece,
    Tone,
    cut,
    line,
    pad,
    piece,
    text_of,
    width_of,
    wrapped,
)
from ckpt_tui.tui.widgets.line_view import ScrollingText
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from textual.app import ComposeResult

Result = TypeVar("Result")

_CHOICE_CSS = """
ListScreen { align: center middle; }
ListScreen #choice {
    width: 94%;
    max-width: 110;
    height: auto;
    max-height: 92%;
    border: round $primary;
    background: $background;
    padding: 0 1;
}
.-ascii ListScreen #choice { border: ascii $primary; }
"""


class Choice(NamedTuple):
    """An entry: what it is called, and sentences below it."""

    title: str
    details: tuple[str, ...] = ()


class ListScreen(ModalScreen[Result]):
    """Entries in a frame, one of them under the cursor.

    Args:
        title: What the frame says.
        choices: At least one.
    """

    DEFAULT_CSS = _CHOICE_CSS
    SCOPED_CSS = False
    HINT = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "close", show=False),
        Binding("ctrl+c", "app.interrupt", show=False),
        Binding("enter,space", "take", "take", show=False),
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("g,home", "move(-1000)", show=False),
        Binding("G,end", "move(1000)", show=False),
    ]

    def __init__(self, title: str, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._frame_title = title
        self._choices = choices
        self._cursor = 0

    def compose(self) -> ComposeResult:
        """The list in its frame."""
        text = ScrollingText(widget_id="choice")
        text.say_in_frame(self._frame_title, self.hint())
        yield text

    def hint(self) -> str:
        """What the frame says of the keys."""
        return say(self.HINT)

    def on_mount(self) -> None:
        """Draws the list once its width is known."""
        self.call_after_refresh(self._draw)

    def on_resize(self) -> None:
        """The lines are as long as the screen."""
        self.call_after_refresh(self._draw)

    def action_move(self, rows: int) -> None:
        """Puts the cursor on another entry."""
        self._cursor = max(0, min(len(self._choices) - 1, self._cursor + rows))
        self._draw()

    def mark_of(self, index: int) -> Piece:
        """What stands before an entry's title."""
        return piece("")

    def _draw(self) -> None:
        text = self.query_one("#choice", ScrollingText)
        width = text.size.width - 1
        if width <= 0:
            return
        lines: list[Line] = []
        starts: list[int] = []
        for index, choice in enumerate(self._choices):
            starts.append(len(lines))
            lines += self._entry(index, choice, width)
        starts.append(len(lines))
        text.set_lines(lines)
        self.call_after_refresh(self._keep_in_sight, starts[self._cursor], starts[self._cursor + 1])

    def _entry(self, index: int, choice: Choice, width: int) -> list[Line]:
        here = index == self._cursor
        lead = piece(f"{CURSOR_MARK} " if here else "  ", Tone.ACCENT)
        title = piece(choice.title, Tone.PICKED if here else Tone.PLAIN)
        rows = [cut(line(lead, self.mark_of(index), title), width)]
        for sentence in choice.details:
            rows += [
                line(lead, piece(f"  {row}", Tone.DIM)) for row in wrapped(sentence, width - 4)
            ]
        return rows

    def _keep_in_sight(self, first: int, end: int) -> None:
        text = self.query_one("#choice", ScrollingText)
        top = text.scroll_offset.y
        text.jump_to(min(first, max(top, end - text.size.height)))


class ChoiceScreen(ListScreen["int | None"]):
    """Enter takes the entry under the cursor: the result is its place; escape takes none."""

    HINT = later("enter takes · esc closes")

    def action_take(self) -> None:
        """Gives the entry under the cursor."""
        self.dismiss(self._cursor)

    def action_leave(self) -> None:
        """Gives none."""
        self.dismiss(None)


class TickScreen(ListScreen["frozenset[int]"]):
    """Space and enter tick an entry, or take its tick away; the result is the ticked places.

    Args:
        title: What the frame says.
        choices: At least one.
        ticked: Places that are ticked at first.
        words: What an entry is without and with a tick.
    """

    HINT = later("space changes · esc closes")

    def __init__(
        self, title: str, choices: Sequence[Choice], ticked: Collection[int], words: tuple[str, str]
    ) -> None:
        super().__init__(title, choices)
        self._ticked = frozenset(ticked)
        self._words = words

    def mark_of(self, index: int) -> Piece:
        """A box, and what it means."""
        there = index in self._ticked
        words = [line(word) for word in self._words]
        word = text_of(pad(words[there], max(width_of(each) for each in words)))
        return piece(f"[{'x' if there else ' '}] {word}  ", Tone.DIM if there else Tone.WARN)

    def action_take(self) -> None:
        """Ticks, or takes the tick away."""
        self._ticked ^= {self._cursor}
        self._draw()

    def action_leave(self) -> None:
        """Closes with what is ticked."""
        self.dismiss(self._ticked)

"""One field of the form: what it is called, the text, and a short word about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input, Static

from ckpt_tui.tui.icons import to_ascii
from ckpt_tui.tui.lines import Piece, Tone, piece
from ckpt_tui.tui.planner.notes import SILENT
from ckpt_tui.tui.planner.stepping import stepped
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS
from ckpt_tui.words import say

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from ckpt_tui.tui.planner.fields import PanelField

BAD_CLASS = "-bad"
WARNED_CLASS = "-warned"


class FieldLabel(Static):
    """What a field is called."""


class FieldNote(Static):
    """A short word behind a field; its tone is its class.

    Neither this nor the label is a `LineView`: there are dozens of them, they are styled anew
    whenever the focus moves, and a line view has a style for each of fifteen tones.
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._said = SILENT

    @property
    def said(self) -> str:
        """The word."""
        return self._said.text

    def say(self, word: Piece) -> None:
        """Says something else."""
        if word != self._said:
            self._said = word
            ascii_only = self.app.has_class(ASCII_CLASS)
            self.set_classes(f"-{word.tone}")
            self.update(to_ascii(word.text) if ascii_only else word.text, layout=False)


class SteppingInput(Input):
    """Up and down step the number, where the text is a single one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(1)", "Step the number up", show=False),
        Binding("down", "step(-1)", "Step the number down", show=False),
    ]

    virtual_size = Reactive(Size(0, 0), layout=False)
    """A longer text scrolls inside the field; it moves nothing else, so a key lays out nothing."""

    def action_step(self, direction: int) -> None:
        """Steps; other texts leave the key to what lies around the field."""
        text = stepped(self.value, direction)
        if text is None:
            raise SkipAction
        self.value = text
        self.action_end()


class FieldRow(Horizontal):
    """Label and note around whatever is edited between them."""

    def __init__(self, field: PanelField, label: str) -> None:
        super().__init__(id=row_id(field.name), classes=f"span-{field.span}")
        self.field = field
        self._label = FieldLabel(label, markup=False)
        self.note = FieldNote()

    def compose(self) -> ComposeResult:
        """Label, editor, note."""
        yield self._label
        yield from self.editor()
        yield self.note

    def editor(self) -> ComposeResult:
        """What takes the keys."""
        yield from ()

    def set_label(self, label: str) -> None:
        """Calls the field something else."""
        self._label.update(label, layout=False)


class TextField(FieldRow):
    """A field that is typed."""

    def __init__(self, field: PanelField, label: str, text: str, placeholder: str) -> None:
        super().__init__(field, label)
        self._input = SteppingInput(text, placeholder=placeholder, id=field.name)
        self._input.cursor_blink = False  # an idle panel draws nothing

    def editor(self) -> ComposeResult:
        """The text itself."""
        yield self._input

    def on_mount(self) -> None:
        """Borders in ASCII too, where that was asked for."""
        self.set_class(self.app.has_class(ASCII_CLASS), ASCII_CLASS)

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self._input.value

    def put(self, text: str) -> None:
        """Replaces the text without the announcement that typing makes."""
        with self.prevent(Input.Changed):
            self._input.value = text

    def mark(self, *, bad: bool, warned: bool, note: Piece) -> None:
        """Shows whether the text can be read, whether to doubt it, and a note otherwise."""
        self.set_class(bad, BAD_CLASS)
        self.set_class(warned and not bad, WARNED_CLASS)
        if bad:
            note = piece(f"✗ {say('invalid')}", Tone.BAD)
        elif warned:
            note = piece(f"⚠ {say('see below')}", Tone.WARN)
        self.note.say(note)


def row_id(name: str) -> str:
    """Id of the row of a field."""
    return f"field-{name}"

"""One field of the form: what it is called, the text, and a short word about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input

from ckpt_tui.tui.lines import Line, Tone, line, piece
from ckpt_tui.tui.planner.stepping import stepped
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, TextLines

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from ckpt_tui.tui.planner.fields import PanelField

BAD_CLASS = "-bad"
WARNED_CLASS = "-warned"


class SteppingInput(Input):
    """Up and down step the number, where the text is a single one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(1)", "Step the number up", show=False),
        Binding("down", "step(-1)", "Step the number down", show=False),
    ]

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
        self._label = label
        self._label_view = TextLines([line(label)])
        self._label_view.add_class("field-label")
        self._note: Line = ()
        self._note_view = TextLines([()])
        self._note_view.add_class("field-note")

    def compose(self) -> ComposeResult:
        """Label, editor, note."""
        yield self._label_view
        yield from self.editor()
        yield self._note_view

    def editor(self) -> ComposeResult:
        """What takes the keys."""
        yield from ()

    def set_label(self, label: str) -> None:
        """Calls the field something else."""
        if label != self._label:
            self._label = label
            self._label_view.set_lines([line(label)])

    def set_note(self, note: Line) -> None:
        """Says something short behind the field."""
        if note != self._note:
            self._note = note
            self._note_view.set_lines([note])


class TextField(FieldRow):
    """A field that is typed."""

    def __init__(self, field: PanelField, label: str, text: str, placeholder: str) -> None:
        super().__init__(field, label)
        self._first_text = text
        self._placeholder = placeholder

    def editor(self) -> ComposeResult:
        """The text itself; the cursor does not blink, so that an idle panel draws nothing."""
        text = SteppingInput(self._first_text, placeholder=self._placeholder, id=self.field.name)
        text.cursor_blink = False
        yield text

    def on_mount(self) -> None:
        """Borders in ASCII too, where that was asked for."""
        self.set_class(self.app.has_class(ASCII_CLASS), ASCII_CLASS)

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self.query_one(Input).value

    def put(self, text: str) -> None:
        """Replaces the text without the announcement that typing makes."""
        with self.prevent(Input.Changed):
            self.query_one(Input).value = text

    def mark(self, *, bad: bool, warned: bool, note: Line) -> None:
        """Shows whether the text can be read, whether to doubt it, and a note otherwise."""
        self.set_class(bad, BAD_CLASS)
        self.set_class(warned and not bad, WARNED_CLASS)
        if bad:
            note = line(piece("✗ invalid", Tone.BAD))
        elif warned:
            note = line(piece("⚠ see below", Tone.WARN))
        self.set_note(note)


def row_id(name: str) -> str:
    """Id of the row of a field."""
    return f"field-{name}"

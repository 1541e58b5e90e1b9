"""The form: every field of the mode, what was typed into it, and where its text came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widgets import Button, Input

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.tui.actions.planner import FILL_KEY
from ckpt_tui.tui.planner.field import TextField
from ckpt_tui.tui.planner.fields import (
    PANEL_FIELDS,
    PLACEHOLDERS,
    PanelField,
    entry_text,
    label_of,
)
from ckpt_tui.tui.planner.mode_field import ModeChooser, ModeField
from ckpt_tui.tui.planner.notes import Origin, field_note
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult

    from ckpt_tui.planner.fields import FieldError
    from ckpt_tui.planner.modes import PlanMode
    from ckpt_tui.planner.presets import Preset
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.tui.planner.directory import Filled

_FIELD_WIDTH = 39
_MOST_COLUMNS = 5


class PlannerForm(Container):
    """Fields in as many columns as fit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave the field", show=False),
    ]

    class Edited(Message):
        """A text or the mode is another one now."""

    class FillAsked(Message):
        """The button was pressed."""

    class Reshaped(Message):
        """It takes more lines, or fewer."""

    class Left(Message):
        """The fields give the keys back."""

    def __init__(self, first: PlanInputs) -> None:
        super().__init__(id="planner-form")
        self._mode = first.mode
        self._known = {field.name: entry_text(first, field.name) for field in PANEL_FIELDS}
        usual = PlanInputs()
        self._origins = {
            name: Origin.DEFAULT if getattr(first, name) == getattr(usual, name) else Origin.OPTION
            for name in self._known
        }
        self._rows = [self._row(field, first.mode) for field in PANEL_FIELDS]

    def compose(self) -> ComposeResult:
        """All fields of all modes; those of other modes are hidden."""
        yield from self._rows
        label = f"{FILL_KEY}  {say('read the directory')}"
        yield Button(label, compact=True, id="planner-fill")

    def _row(self, field: PanelField, mode: PlanMode) -> TextField | ModeField:
        label = label_of(field, mode)
        if field.name == "mode":
            return ModeField(field, label, mode)
        placeholder = say(PLACEHOLDERS.get(field.name, ""))
        row = TextField(field, label, self._known[field.name], placeholder)
        row.display = mode in field.modes
        return row

    @property
    def mode(self) -> PlanMode:
        """The mode that is chosen."""
        return self._mode

    @property
    def _fields(self) -> Iterable[TextField]:
        return (row for row in self._rows if isinstance(row, TextField))

    def texts(self) -> dict[str, str]:
        """What the fields of the mode say, by name in `PlanInputs`."""
        texts = {row.field.name: row.text for row in self._fields if self.mode in row.field.modes}
        return {"mode": self.mode.value, **texts}

    def origin_of(self, name: str) -> Origin:
        """Where a field's text came from."""
        return self._origins[name]

    def fill(self, filled: Iterable[Filled]) -> None:
        """Puts texts from the directory into their fields, and remembers that they are."""
        for each in filled:
            if each.text is not None:
                self._put(each.field, each.text, each.origin)

    def fill_preset(self, preset: Preset) -> None:
        """Puts a preset's values into their fields; the others stay as they are."""
        values = preset.apply(PlanInputs())
        if "mode" in preset.values:
            self._show_mode(values.mode)
        for name in preset.values:
            self._put(name, entry_text(values, name), Origin.PRESET)

    def _put(self, name: str, text: str, origin: Origin) -> None:
        for row in self._fields:
            if row.field.name == name:
                self._known[name] = text
                self._origins[name] = origin
                row.put(text)

    def mark(self, errors: Iterable[FieldError], plan: Plan) -> None:
        """Marks what cannot be read and what is doubtful; the rest gets a note.

        Args:
            errors: One for each field that was rejected.
            plan: The plan that is shown; its warnings are marked where all fields can be read.
        """
        bad = {error.field for error in errors}
        warned = {warning.field for warning in plan.warnings} if not bad else set()
        for row in self._fields:
            name = row.field.name
            note = field_note(name, self._origins[name], plan.inputs if name not in bad else None)
            row.mark(bad=name in bad, warned=name in warned, note=note)

    def focus_first(self) -> None:
        """Gives the keys to the first field."""
        self.query(Input).first().focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        name = event.input.id or ""
        if self._known.get(name) == event.value:
            return  # what was put there, not typed
        self._known[name] = event.value
        self._origins[name] = Origin.TYPED
        self.post_message(self.Edited())

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        """Enter goes on to the next field."""
        event.stop()
        self.screen.focus_next()

    @on(ModeChooser.Chosen)
    def _mode_chosen(self, event: ModeChooser.Chosen) -> None:
        event.stop()
        self._show_mode(event.mode)
        self.post_message(self.Edited())

    def _show_mode(self, mode: PlanMode) -> None:
        self._mode = mode
        self.query_one(ModeChooser).show(mode)
        for row in self._fields:
            row.display = mode in row.field.modes
            row.set_label(label_of(row.field, mode))

    @on(Button.Pressed)
    def _fill_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.FillAsked())

    def action_leave(self) -> None:
        """Gives the keys back."""
        self.post_message(self.Left())

    def fit(self, width: int) -> None:
        """Makes as many columns as there is room for."""
        columns = max(1, min(_MOST_COLUMNS, width // _FIELD_WIDTH))
        self.styles.grid_size_columns = columns
        self.set_class(columns == 1, "-one-column")

    def on_resize(self) -> None:
        """Says that it takes another number of lines."""
        self.post_message(self.Reshaped())

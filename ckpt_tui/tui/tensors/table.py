"""The list of tensors: draws only the lines that are seen, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from ckpt_tui.tui.actions.tensors import TENSOR_KEYS
from ckpt_tui.tui.icons import CURSOR_MARK
from ckpt_tui.tui.lines import BLANK, Piece, Tone
from ckpt_tui.tui.rows.columns import Fitted, row_line, titles_line
from ckpt_tui.tui.tensors.lines import columns_for, tensor_cells
from ckpt_tui.tui.tensors.model import TensorModel, TensorSort
from ckpt_tui.tui.widgets.line_view import Motion, TextLines

if TYPE_CHECKING:
    from textual import events
    from textual.strip import Strip

HEADER = 1
_GUTTER = 2


class TensorTable(TextLines, can_focus=True):
    """A row a tensor, under one line of titles, with a cursor."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"table--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.keys, key.call, key.help, show=False, id=key.id) for key in TENSOR_KEYS
    ]

    class Moved(Message):
        """The cursor is on another tensor, or the rows are others."""

    class Wanted(Message):
        """Something that the table alone cannot do; `what` is the key's action."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    def __init__(self, model: TensorModel, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self.model = model
        self._fitted: tuple[Fitted, ...] = ()

    def show_rows(self) -> None:
        """Draws anew, after the model has changed."""
        self.virtual_size = Size(0, len(self.model) + HEADER)
        self._fitted = columns_for(self.model, max(1, self.size.width - _GUTTER - 1))
        self._show_cursor()
        self.refresh()
        self.post_message(self.Moved())

    def on_resize(self, _event: events.Resize) -> None:
        """Columns fit the width."""
        self.show_rows()

    @property
    def _rows_seen(self) -> int:
        return max(1, self.size.height - HEADER)

    def _show_cursor(self) -> None:
        top, cursor = self.scroll_offset.y, self.model.cursor
        lowest = max(0, len(self.model) - self._rows_seen)
        if cursor < top:
            top = cursor
        elif cursor >= top + self._rows_seen:
            top = cursor - self._rows_seen + 1
        self.jump_to(min(top, lowest))

    def navigate(self, motion: Motion) -> None:
        """Moves the cursor."""
        old = self.model.cursor
        self.model.move(motion.rows(max(1, self._rows_seen - 1), len(self.model)))
        self._redraw_moved(old)

    def _redraw_moved(self, old: int) -> None:
        if old == self.model.cursor:
            return
        self._show_cursor()
        for place in (old, self.model.cursor):
            self.refresh_screen_line(place - self.scroll_offset.y + HEADER)
        self.post_message(self.Moved())

    def render_line(self, y: int) -> Strip:
        """The titles, or the row of a tensor."""
        width, place = self.size.width, self.scroll_offset.y + y - HEADER
        if y < HEADER:
            titles = titles_line(self._fitted, self.model.sorted_by)
            return self.strip_of((Piece(" " * _GUTTER), *titles), width)
        if place >= len(self.model) or not self._fitted:
            return self.strip_of(BLANK, width)
        row = row_line(self._fitted, tensor_cells(self.model.tensor(place), self._fitted))
        if place != self.model.cursor:
            return self.strip_of((Piece(" " * _GUTTER), *row), width)
        style = self.get_component_rich_style("table--cursor", partial=True)
        return self.strip_of((Piece(CURSOR_MARK, Tone.ACCENT), Piece(" "), *row), width, style)

    def on_click(self, event: events.Click) -> None:
        """Moves the cursor; a title sorts; a second click opens."""
        if event.y < HEADER:
            self._click_title(event.x - _GUTTER)
            return
        place = self.scroll_offset.y + event.y - HEADER
        if place >= len(self.model):
            return
        if place == self.model.cursor:
            self.action_chunks()
            return
        old = self.model.cursor
        self.model.cursor = place
        self._redraw_moved(old)

    def _click_title(self, x: int) -> None:
        for fitted in self._fitted:
            if fitted.start <= x < fitted.start + fitted.width and fitted.column.sortable:
                self.model.sort_by(TensorSort(fitted.column.key))
                self.show_rows()

    def action_sort_tensors(self) -> None:
        """Sorts by the next column."""
        self.model.sort_next()
        self.show_rows()

    def action_reverse_tensors(self) -> None:
        """Turns the order round."""
        self.model.reverse()
        self.show_rows()

    def action_chunks(self) -> None:
        """Asks for the chunks of the tensor under the cursor."""
        if self.model.current is not None:
            self.post_message(self.Wanted("chunks"))

    def action_find(self) -> None:
        """Asks for the line in which tensors are looked for."""
        self.post_message(self.Wanted("find"))

    def action_back_to_tensors(self) -> None:
        """Shows all tensors again."""
        self.post_message(self.Wanted("back"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where nothing is looked for, the key that goes back is the screen's."""
        return action != "back_to_tensors" or bool(self.model.query.terms)

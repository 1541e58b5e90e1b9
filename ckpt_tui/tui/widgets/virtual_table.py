"""A table that holds keys and draws only the lines that are seen.

It knows nothing of checkpoints: a subclass gives the cells of a key. Rows may come and go by the
thousand; the cursor stays on its key, and the view stays where it was.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from textual.geometry import Size
from textual.message import Message

from ckpt_tui.tui.icons import CURSOR_MARK
from ckpt_tui.tui.lines import Line, Piece, Tone, cut
from ckpt_tui.tui.rows.columns import Fitted, row_line, titles_line
from ckpt_tui.tui.widgets.line_view import LineView, Motion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.style import Style
    from textual import events
    from textual.strip import Strip

GUTTER = 3
"""Cells before the first column: the cursor, and two signs of the row."""
HEADER = 1


class VirtualTable(LineView, can_focus=True):
    """Rows by key under one line of titles."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"table--cursor", "table--heading", "table--marked"}

    class Highlighted(Message):
        """The cursor is on another row, or on none."""

    class TitleClicked(Message):
        """A column's title was clicked."""

        def __init__(self, column: str) -> None:
            super().__init__()
            self.column = column

    class Opened(Message):
        """The row under the cursor was clicked again."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self._order: Sequence[str] = ()
        self._places: dict[str, int] = {}
        self._headings: Mapping[str, Line] = {}
        self._fitted: tuple[Fitted, ...] = ()
        self.cursor_key: str | None = None
        self.sort: Sequence[tuple[str, bool]] = ()

    @abstractmethod
    def cells_of(self, key: str) -> Mapping[str, Line]:
        """The cells of a row, by column key."""

    @abstractmethod
    def signs_of(self, key: str) -> Line:
        """Two cells before the row."""

    def is_marked(self, _key: str) -> bool:
        """Whether the row stands out."""
        return False

    @property
    def order(self) -> Sequence[str]:
        """Keys of all lines, headings included."""
        return self._order

    def set_columns(self, fitted: tuple[Fitted, ...]) -> None:
        """Other columns or widths."""
        if fitted != self._fitted:
            self._fitted = fitted
            self._fit()
            self.refresh()

    def set_rows(
        self,
        order: Sequence[str],
        headings: Mapping[str, Line],
        changed: Iterable[str] = (),
        cursor: str | None = None,
    ) -> None:
        """Shows other rows.

        Args:
            order: Keys of all lines, top to bottom.
            headings: Texts of the lines that are headings.
            changed: Keys whose cells differ from what was drawn.
            cursor: Key that gets the cursor; None keeps the key, or the line where it is gone.
        """
        old_order, old_place = self._order, self._places.get(self.cursor_key or "")
        old_headings, self._headings = self._headings, headings
        if order != old_order:
            self._order = order
            self._places = {key: place for place, key in enumerate(order)}
            self._fit()
        self._settle_cursor(cursor, old_place)
        self._keep_view(old_place)
        top = self.scroll_offset.y
        touched = {*changed, *(k for k in headings if old_headings.get(k) != headings[k])}
        for y in range(self.rows_visible):
            old_key, key = _at(old_order, top + y), _at(order, top + y)
            if old_key != key or key in touched:
                self.refresh_screen_line(y + HEADER)

    @property
    def rows_visible(self) -> int:
        """Lines below the titles."""
        return max(0, self.inner_size.height - HEADER)

    def visible_keys(self) -> Sequence[str]:
        """Keys of the rows that are seen."""
        top = self.scroll_offset.y
        seen = self._order[top : top + self.rows_visible]
        return [key for key in seen if key not in self._headings]

    def refresh_key(self, key: str) -> None:
        """Draws a row anew, if it is seen."""
        place = self._places.get(key)
        if place is not None:
            self.refresh_screen_line(place - self.scroll_offset.y + HEADER)

    def watch_show_horizontal_scrollbar(self) -> None:
        """The scroll bar takes a line: the cursor must not be on it."""
        self.show_cursor()

    def _fit(self) -> None:
        width = GUTTER + (self._fitted[-1].start + self._fitted[-1].width if self._fitted else 0)
        size = Size(width, len(self._order) + HEADER)
        if size != self.virtual_size:
            self.virtual_size = size

    def _settle_cursor(self, wanted: str | None, old_place: int | None) -> None:
        if wanted is not None and wanted in self._places:
            key: str | None = wanted
        elif self.cursor_key in self._places:
            key = self.cursor_key
        else:
            key = self._row_near(old_place or 0)
        self._put_cursor(key)

    def _row_near(self, place: int) -> str | None:
        """The row on that line, else the next below, else the last above."""
        place = max(0, min(place, len(self._order) - 1))
        below = (key for key in self._order[place:] if key not in self._headings)
        above = (key for key in reversed(self._order[:place]) if key not in self._headings)
        return next(below, None) or next(above, None)

    def _put_cursor(self, key: str | None) -> None:
        if key == self.cursor_key:
            return
        old, self.cursor_key = self.cursor_key, key
        for changed in (old, key):
            if changed is not None:
                self.refresh_key(changed)
        self.post_message(self.Highlighted())

    def _keep_view(self, old_place: int | None) -> None:
        """Keeps the cursor's row at its height; at the top the newest rows stay in view."""
        place = self._places.get(self.cursor_key or "")
        top = self.scroll_offset.y
        if place is None:
            self.jump_to(0)
            return
        if top and old_place is not None and place != old_place:
            self.jump_to(max(0, min(self._most_top(), top + place - old_place)))
        self._show_place(place)

    def _most_top(self) -> int:
        return max(0, len(self._order) - self.rows_visible)

    def _show_place(self, place: int) -> None:
        """Scrolls no further than the row needs; a heading just above it is shown with it."""
        if not self.rows_visible:
            return
        top = self.scroll_offset.y
        above = _at(self._order, place - 1)
        first = place - 1 if above in self._headings else place
        if first < top:
            top = first
        elif place >= top + self.rows_visible:
            top = place - self.rows_visible + 1
        self.jump_to(max(0, min(self._most_top(), top)))

    def show_cursor(self) -> None:
        """Scrolls to the cursor."""
        place = self._places.get(self.cursor_key or "")
        if place is not None:
            self._show_place(place)

    def move_cursor(self, key: str) -> None:
        """Puts the cursor on a row and scrolls to it."""
        place = self._places.get(key)
        if place is not None and key not in self._headings:
            self._put_cursor(key)
            self._show_place(place)

    def navigate(self, motion: Motion) -> None:
        """Moves the cursor, or scrolls sideways."""
        if motion in (Motion.LEFT, Motion.RIGHT):
            step = 8 if motion is Motion.RIGHT else -8
            self.scroll_to(x=self.scroll_offset.x + step, animate=False, force=True)
            return
        page = max(1, self.rows_visible - 1)
        far = len(self._order)
        step = motion.rows(page, far)
        place = self._places.get(self.cursor_key or "", 0)
        self._move_to(max(0, min(far - 1, place + step)), up=step < 0)

    def _move_to(self, place: int, up: bool) -> None:
        """The row on that line; a heading is stepped over in the direction of the move."""
        before = (key for key in reversed(self._order[: place + 1]) if key not in self._headings)
        after = (key for key in self._order[place:] if key not in self._headings)
        first, second = (before, after) if up else (after, before)
        key = next(first, None) or next(second, None)
        if key is not None:
            self.move_cursor(key)

    def render_line(self, y: int) -> Strip:
        """The strip at line `y` of the widget: titles, a heading, or a row."""
        key = _at(self._order, self.scroll_offset.y + y - HEADER) if y >= HEADER else None
        heading = self._headings.get(key) if key is not None else None
        if heading is not None:
            return self._heading_strip(heading)
        seen, left = self.inner_size.width, self.scroll_offset.x
        width = max(seen, self.virtual_size.width)
        strip = self._title_strip(width) if y < HEADER else self._row_strip(key, width)
        return strip.crop(left, left + seen)

    def _title_strip(self, width: int) -> Strip:
        titles = titles_line(self._fitted, self.sort)
        return self.strip_of((Piece(" " * GUTTER), *titles), width)

    def _heading_strip(self, text: Line) -> Strip:
        """Headings stay where they are while the columns are scrolled sideways."""
        width = self.inner_size.width
        style = self.get_component_rich_style("table--heading", partial=True)
        return self.strip_of((Piece(" "), *cut(text, width - 1)), width, style)

    def _row_strip(self, key: str | None, width: int) -> Strip:
        if key is None:
            return self.strip_of((), width)
        row = (*self.signs_of(key), *row_line(self._fitted, self.cells_of(key)))
        style = self._marked_style(key)
        if key != self.cursor_key:
            return self.strip_of((Piece(" "), *row), width, style)
        cursor = self.get_component_rich_style("table--cursor", partial=True)
        over = cursor if style is None else style + cursor
        return self.strip_of((Piece(CURSOR_MARK, Tone.ACCENT), *row), width, over)

    def _marked_style(self, key: str) -> Style | None:
        if not self.is_marked(key):
            return None
        return self.get_component_rich_style("table--marked", partial=True)

    def on_click(self, event: events.Click) -> None:
        """Moves the cursor to the row; a title sorts; a second click opens."""
        if event.y < HEADER:
            x = event.x + self.scroll_offset.x - GUTTER
            for place in self._fitted:
                if place.start <= x < place.start + place.width and place.column.sortable:
                    self.post_message(self.TitleClicked(place.column.key))
            return
        key = _at(self._order, self.scroll_offset.y + event.y - HEADER)
        if key is None or key in self._headings:
            return
        if key == self.cursor_key:
            self.post_message(self.Opened())
        self.move_cursor(key)


def _at(order: Sequence[str], place: int) -> str | None:
    return order[place] if 0 <= place < len(order) else None

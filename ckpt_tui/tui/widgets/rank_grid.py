"""Ranks as a grid of cells, drawn as run-length strips, with a cursor and levels of zoom."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message

from ckpt_tui.tui.actions.grid import GRID_KEYS
from ckpt_tui.tui.details.grid_model import GridModel
from ckpt_tui.tui.details.grid_states import run_lengths
from ckpt_tui.tui.lines import Line, Piece, Tone
from ckpt_tui.tui.widgets.line_view import LineView, Motion

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.style import Style
    from textual import events
    from textual.strip import Strip

    from ckpt_tui.tui.details.ranks import RankCells


class RankGrid(LineView, can_focus=True):
    """One cell a rank, or a group of ranks where there are more than cells."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.keys, key.call, key.help, show=False, id=key.id) for key in GRID_KEYS
    ]

    class Moved(Message):
        """The cursor is on another cell, or the cells are arranged in another way."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self.model = GridModel()
        self._most_rows = 1
        self._styles: dict[Tone, Style] = {}

    def show(self, cells: RankCells, width: int, most_rows: int) -> None:
        """Shows ranks; only rows of cells that differ are drawn anew.

        Args:
            cells: What to show.
            width: Terminal cells there are, labels included.
            most_rows: Rows there is room for.
        """
        if most_rows != self._most_rows:
            self._most_rows = most_rows
            self.styles.max_height = most_rows
        cursor_row = self._cursor_row
        changed = self.model.show(cells, width, most_rows)
        self._fit()
        if changed is None:
            self.refresh()
            return
        self._refresh_rows(changed | {cursor_row, self._cursor_row})

    def _fit(self) -> None:
        size = Size(0, len(self.model.layout.rows))
        if size != self.virtual_size:
            self.virtual_size = size
        self._show_cursor()

    @property
    def _cursor_row(self) -> int:
        return self.model.cursor[0] if self.model.layout.rows else 0

    def _refresh_rows(self, rows: set[int]) -> None:
        for row in rows:
            self.refresh_screen_line(row - self.scroll_offset.y)

    # Drawing

    def render_line(self, y: int) -> Strip:
        """A row of cells after its label."""
        row = y + self.scroll_offset.y
        model = self.model
        if row >= len(model.layout.rows):
            return self.strip_of((), self.size.width)
        label = Piece(f"{model.label_of(row):>{model.gutter - 1}} ", Tone.DIM)
        return self.strip_of((label, *self._cells_of(row)), self.size.width)

    def _cells_of(self, row: int) -> Line:
        states, width = self.model.states_of(row), self.model.layout.cell_width
        cursor_row, cursor = self.model.cursor
        if not self.has_focus or row != cursor_row:
            return tuple(run_lengths(states, width))
        under = run_lengths(states[cursor : cursor + 1], width)[0].text
        return (
            *run_lengths(states[:cursor], width),
            Piece(under[:1], Tone.PICKED),
            Piece(under[1:]),
            *run_lengths(states[cursor + 1 :], width),
        )

    def tone_style(self, tone: Tone) -> Style:
        """Looked up once: rows have many pieces of few tones."""
        style = self._styles.get(tone)
        if style is None:
            style = self._styles[tone] = super().tone_style(tone)
        return style

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        self._styles.clear()
        super().notify_style_update()

    # Moving

    def navigate(self, motion: Motion) -> None:
        """Moves the cursor over the cells; up and down stay in their column."""
        model = self.model
        match motion:
            case Motion.LEFT:
                self._move(model.step_back)
            case Motion.RIGHT:
                self._move(model.step_on)
            case Motion.BOTTOM:
                self._move(model.go_to_end)
            case Motion.TOP:
                self._move(lambda: model.go_to_cell(0, 0))
            case _:
                page = max(1, self.size.height - 1)
                self._move(lambda: model.step_rows(motion.rows(page, 0)))

    def _move(self, how: Callable[[], None]) -> None:
        """Lets the cursor move, and draws the rows that it leaves and enters."""
        if not self.model.layout.rows:
            return
        old = self._cursor_row
        how()
        self._refresh_rows({old, self._cursor_row})
        self._show_cursor()
        self.post_message(self.Moved())

    def _show_cursor(self) -> None:
        """Scrolls no further than the cursor's row needs."""
        rows, row = len(self.model.layout.rows), self._cursor_row
        height = min(self._most_rows, rows)
        top = max(row - height + 1, min(self.scroll_offset.y, row, rows - height))
        self.jump_to(top)

    def action_next_trouble(self, direction: int) -> None:
        """Goes to the next rank in trouble, or the one before."""
        self._move(lambda: self.model.go_to_trouble(direction))

    def action_zoom(self, steps: int) -> None:
        """Halves the ranks in a cell, or doubles them."""
        self._rearrange(lambda: self.model.zoom(steps))

    def action_toggle_zoom(self) -> None:
        """One cell a rank, or everything again."""
        most = self.model.layout.most_zoom
        self._rearrange(lambda: self.model.zoom(-most if self.model.zoomed else most))

    def action_order(self) -> None:
        """Rows by the next axis, then by rank again."""
        self._rearrange(self.model.order_by_next_axis)

    def _rearrange(self, how: Callable[[], None]) -> None:
        if self.model.layout.rows:
            how()
            self._fit()
            self.refresh()
            self.post_message(self.Moved())

    # Events

    def on_focus(self) -> None:
        """The cursor is drawn only while the grid has the focus."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn only while the grid has the focus."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the cell."""
        layout = self.model.layout
        row = event.y + self.scroll_offset.y
        column = (event.x - self.model.gutter) // layout.cell_width
        if row < len(layout.rows) and 0 <= column < layout.cells_in(row):
            self._move(lambda: self.model.go_to_cell(row, column))

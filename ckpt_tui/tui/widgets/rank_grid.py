"""Ranks as a grid of cells, drawn as run-length strips, with a cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.message import Message

from ckpt_tui.tui.details.ranks import (
    RANK_LOOKS,
    TROUBLE,
    GridLayout,
    RankCell,
    RankState,
    grid_layout,
    grouped,
    run_lengths,
)
from ckpt_tui.tui.lines import Line, Piece, Tone
from ckpt_tui.tui.widgets.line_view import LineView, Motion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.strip import Strip

_ROWS = {
    Motion.UP: -1,
    Motion.DOWN: 1,
    Motion.HALF_UP: -4,
    Motion.HALF_DOWN: 4,
    Motion.PAGE_UP: -8,
    Motion.PAGE_DOWN: 8,
}
_EMPTY = GridLayout(1, 0, 1, 1)


class RankGrid(LineView, can_focus=True):
    """One cell a rank, or a group of ranks where there are more than cells."""

    class Moved(Message):
        """The cursor is on another cell."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self._cells: Sequence[RankCell] = ()
        self._states: Sequence[RankState] = ()
        self._grid = _EMPTY
        self._cursor = 0
        self._gutter = 0
        self._moved = False

    @property
    def group(self) -> int:
        """Ranks in one cell."""
        return self._grid.group

    @property
    def under_cursor(self) -> Sequence[RankCell]:
        """The ranks of the cell under the cursor."""
        start = self._cursor * self._grid.group
        return self._cells[start : start + self._grid.group]

    def show(self, cells: Sequence[RankCell], width: int, most_rows: int) -> None:
        """Shows ranks; only rows of cells that differ are drawn anew.

        Args:
            cells: In rank order.
            width: Terminal cells there are, rank labels included.
            most_rows: Rows there is room for.
        """
        gutter = len(str(cells[-1].rank)) + 2 if cells else 0
        layout = grid_layout(len(cells), max(1, width - gutter), most_rows) if cells else _EMPTY
        old_states, old_grid = self._states, self._grid
        rank = self.under_cursor[0].rank if self.under_cursor else -1
        self._cells, self._grid, self._gutter = cells, layout, gutter
        self._states = grouped(cells, layout.group)
        self._cursor = self._place_of(rank) if self._moved else self._first_trouble()
        self.virtual_size = Size(0, layout.rows)
        if old_grid != layout:
            self.refresh()
            return
        for y in range(layout.rows):
            span = slice(y * layout.columns, (y + 1) * layout.columns)
            if old_states[span] != self._states[span]:
                self.refresh_screen_line(y - self.scroll_offset.y)

    def render_line(self, y: int) -> Strip:
        """A row of cells after the first rank's number."""
        row = y + self.scroll_offset.y
        layout = self._grid
        start = row * layout.columns
        states = self._states[start : start + layout.columns]
        if not states:
            return self.strip_of((), self.size.width)
        rank = str(self._cells[start * layout.group].rank)
        label = Piece(f"{rank:>{self._gutter - 1}} ", Tone.DIM)
        return self.strip_of((label, *self._row(states, self._cursor - start)), self.size.width)

    def _row(self, states: Sequence[RankState], cursor: int) -> Line:
        width = self._grid.cell_width
        if not self.has_focus or not 0 <= cursor < len(states):
            return tuple(run_lengths(states, width))
        icon, _tone = RANK_LOOKS[states[cursor]]
        before = run_lengths(states[:cursor], width)
        after = run_lengths(states[cursor + 1 :], width)
        space = [Piece(" " * (width - 1))] if width > 1 else []
        return (*before, Piece(icon, Tone.PICKED), *space, *after)

    def navigate(self, motion: Motion) -> None:
        """Moves the cursor over the cells; up and down stay in their column."""
        last = len(self._states) - 1
        if motion in _ROWS:
            row, column = divmod(self._cursor, self._grid.columns)
            last_row = max(0, last - column) // self._grid.columns
            row = max(0, min(last_row, row + _ROWS[motion]))
            self._go_to(row * self._grid.columns + column)
            return
        beside = {Motion.LEFT: self._cursor - 1, Motion.RIGHT: self._cursor + 1, Motion.TOP: 0}
        self._go_to(beside.get(motion, last))

    def _go_to(self, place: int) -> None:
        place = max(0, min(len(self._states) - 1, place))
        if place == self._cursor:
            return
        for changed in (self._cursor, place):
            self.refresh_screen_line(changed // self._grid.columns - self.scroll_offset.y)
        self._cursor, self._moved = place, True
        self.post_message(self.Moved())

    def forget_cursor(self) -> None:
        """The cursor goes to the first cell in trouble again, until a key moves it."""
        self._moved = False

    def _first_trouble(self) -> int:
        return next((i for i, state in enumerate(self._states) if state in TROUBLE), 0)

    def _place_of(self, rank: int) -> int:
        found = next((i for i, cell in enumerate(self._cells) if cell.rank == rank), 0)
        return found // self._grid.group

    def on_focus(self) -> None:
        """The cursor is drawn only while the grid has the focus."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn only while the grid has the focus."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the cell."""
        column = (event.x - self._gutter) // self._grid.cell_width
        if 0 <= column < self._grid.columns:
            self._go_to((event.y + self.scroll_offset.y) * self._grid.columns + column)

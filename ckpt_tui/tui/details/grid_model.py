"""What the rank grid shows and where its cursor is, without a screen."""

from __future__ import annotations

from bisect import bisect_left
from operator import itemgetter
from typing import TYPE_CHECKING

from ckpt_tui.tui.details.grid_layout import (
    NO_LAYOUT,
    Arrangement,
    arrangement_of,
    grid_layout,
)
from ckpt_tui.tui.details.grid_states import grouped, loudest_place, next_trouble
from ckpt_tui.tui.details.ranks import NO_CELLS, RankCells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.facts import ParallelAxis


class GridModel:
    """Ranks in an order, at a level of zoom, with a cursor on one of them.

    Attributes:
        layout: Where each place is.
        place: The cursor's place; its rank stays the same under zoom and order.
        axis: The axis that makes the rows; None while the ranks are in their own order.
    """

    def __init__(self) -> None:
        self.layout = NO_LAYOUT
        self.place = 0
        self.axis: ParallelAxis | None = None
        self._cells = NO_CELLS
        self._arrangement = Arrangement((), ())
        self._codes = b""  # by place
        self._rows: dict[int, bytes] = {}  # states of the cells of rows that were asked for
        self._room = (1, 1)
        self._zoom = 0
        self._moved = False

    def show(self, cells: RankCells, width: int, most_rows: int) -> set[int] | None:
        """Takes other ranks, or another room for them.

        Args:
            cells: What to show.
            width: Terminal cells there are, labels included.
            most_rows: Rows there is room for.

        Returns:
            Rows whose cells differ, of those that were asked for; None where all may differ.
        """
        rank, old_ranks = self._rank, self._cells.ranks
        self._cells, self._room = cells, (width, most_rows)
        if self.axis not in cells.axes:
            self.axis = None
        if cells.ranks != old_ranks or self._arrangement.axis != self.axis:
            self._arrangement = arrangement_of(cells.ranks, self.axis)
        self._codes = self._in_order(cells.codes)
        self.place = self._place_of(rank) if self._moved else next_trouble(self._codes, -1, 1) or 0
        old_layout, old_rows = self.layout, self._rows
        self._lay_out()
        if old_layout != self.layout or cells.ranks != old_ranks:
            return None
        return {row for row, states in old_rows.items() if self.states_of(row) != states}

    def forget_cursor(self) -> None:
        """The cursor goes to the first rank in trouble again, until it is moved."""
        self._moved = False

    # What is seen

    @property
    def gutter(self) -> int:
        """Terminal cells for the label of a row and a space on both sides."""
        if not self._cells.ranks:
            return 0
        labels = (str(self._cells.ranks[-1]), self._arrangement.sections[-1].label)
        return max(map(len, labels)) + 2

    @property
    def under_cursor(self) -> Sequence[int]:
        """Indexes of the ranks in the cell under the cursor."""
        if not self.layout.rows:
            return ()
        places = self.layout.places_in(*self.cursor)
        return [self._arrangement.order[place] for place in places]

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cell under the cursor."""
        return self.layout.cell_at(self.place)

    def label_of(self, row: int) -> str:
        """The name of a row's section; without sections the row's first rank."""
        place = self.layout.rows[row]
        return place.label if self.axis else str(self._cells.ranks[place.start])

    def states_of(self, row: int) -> bytes:
        """States of the cells of one row, computed once for a picture."""
        states = self._rows.get(row)
        if states is None:
            place = self.layout.rows[row]
            codes = self._codes[place.start : place.start + place.length]
            states = self._rows[row] = grouped(codes, self.layout.group)
        return states

    # Moving

    def go_to_cell(self, row: int, column: int) -> None:
        """Puts the cursor on a cell, there on the rank in the loudest trouble."""
        self._moved = True
        self.place = loudest_place(self._codes, self.layout.places_in(row, column))

    def step_rows(self, rows: int) -> None:
        """Up or down in the column, as far as there are rows."""
        row, column = self.cursor
        self.go_to_cell(max(0, min(len(self.layout.rows) - 1, row + rows)), column)

    def step_back(self) -> None:
        """To the cell before; from the first of a row to the last of the row above."""
        row, column = self.cursor
        if column:
            self.go_to_cell(row, column - 1)
        elif row:
            self.go_to_cell(row - 1, self.layout.cells_in(row - 1) - 1)

    def step_on(self) -> None:
        """To the next cell; from the last of a row to the first of the row below."""
        row, column = self.cursor
        if column + 1 < self.layout.cells_in(row):
            self.go_to_cell(row, column + 1)
        elif row + 1 < len(self.layout.rows):
            self.go_to_cell(row + 1, 0)

    def go_to_end(self) -> None:
        """To the last cell."""
        last = len(self.layout.rows) - 1
        self.go_to_cell(last, self.layout.cells_in(last) - 1)

    def go_to_trouble(self, direction: int) -> None:
        """To the next rank in trouble, or the one before, round the ends."""
        place = next_trouble(self._codes, self.place, direction)
        if place is not None:
            self.place, self._moved = place, True

    # Zoom and order

    @property
    def overflows(self) -> bool:
        """Whether there are more rows than there is room for."""
        return len(self.layout.rows) > self._room[1]

    @property
    def zoomed(self) -> bool:
        """Whether a cell holds fewer ranks than it could."""
        return self._zoom > 0

    def zoom(self, steps: int) -> None:
        """Halves the ranks in a cell, or doubles them, as far as that goes."""
        self._zoom = max(0, min(self.layout.most_zoom, self._zoom + steps))
        self._moved = True
        self._lay_out()

    def order_by_next_axis(self) -> None:
        """Rows by the next axis, then by rank again."""
        axes, rank = self._cells.axes, self._rank
        place = axes.index(self.axis) + 1 if self.axis in axes else 0
        self.axis = axes[place] if place < len(axes) else None
        self._arrangement = arrangement_of(self._cells.ranks, self.axis)
        self._codes = self._in_order(self._cells.codes)
        self.place, self._moved = self._place_of(rank), True
        self._lay_out()

    def _lay_out(self) -> None:
        self._rows = {}
        self.layout = NO_LAYOUT
        if self._cells.ranks:
            width, most_rows = self._room
            inner = max(1, width - self.gutter)
            sections = self._arrangement.sections
            self.layout = grid_layout(sections, inner, max(1, most_rows), self._zoom)
        self._zoom = min(self._zoom, self.layout.most_zoom)

    def _in_order(self, codes: bytes) -> bytes:
        if self._arrangement.axis is None or len(codes) < 2:
            return codes
        return bytes(itemgetter(*self._arrangement.order)(codes))

    @property
    def _rank(self) -> int:
        ranks = self._cells.ranks
        return ranks[self._arrangement.order[self.place]] if ranks else 0

    def _place_of(self, rank: int) -> int:
        """The place of a rank, or of the next one that is there."""
        ranks = self._cells.ranks
        if not ranks:
            return 0
        return self._arrangement.order.index(min(bisect_left(ranks, rank), len(ranks) - 1))

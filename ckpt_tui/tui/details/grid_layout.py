"""How ranks become a grid of cells: in which order, how many in a cell, how many cells in a row.

A place counts ranks in the order in which the grid shows them. A cell holds the ranks of
neighbouring places, a row holds cells, and a section (all ranks of one pipeline stage, say) begins
on a new row.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.coordinates import number_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.facts import ParallelAxis

ROW_LENGTHS = (64, 96, 128, 32, 16, 8)
"""Cells of a full row, the best to read first: ranks are counted in powers of two."""
WIDE_CELLS_UNTIL = 64
"""Terminal cells up to which a row's cells are two wide."""


class Section(NamedTuple):
    """Ranks that begin on a new row.

    Attributes:
        label: What they have in common ("PP 3"), or "".
        start: Place of the first.
        length: How many there are.
    """

    label: str
    start: int
    length: int


class Arrangement(NamedTuple):
    """The order in which ranks are shown.

    Attributes:
        order: Index of the rank at each place.
        sections: In the order of the places, without gaps.
        axis: The axis that makes the sections; None for one section in the order of ranks.
    """

    order: Sequence[int]
    sections: tuple[Section, ...]
    axis: ParallelAxis | None = None


def arrangement_of(ranks: Sequence[int], axis: ParallelAxis | None) -> Arrangement:
    """Ranks in their own order, or a section for each number on an axis.

    Args:
        ranks: In ascending order.
        axis: What to order them by; None for their own order.
    """
    if axis is None or not ranks:
        return Arrangement(range(len(ranks)), (Section("", 0, len(ranks)),))
    members: dict[int, list[int]] = {}
    for index, rank in enumerate(ranks):
        members.setdefault(number_on(axis, rank), []).append(index)
    order: list[int] = []
    sections = []
    for number, own in sorted(members.items()):
        sections.append(Section(f"{axis.name} {number}", len(order), len(own)))
        order += own
    return Arrangement(order, tuple(sections), axis)


class GridRow(NamedTuple):
    """One row of cells.

    Attributes:
        label: Of its section.
        start: Place of its first rank.
        length: Ranks in it.
    """

    label: str
    start: int
    length: int


class GridLayout(NamedTuple):
    """Where each place is.

    Attributes:
        rows: Top to bottom.
        starts: Place of each row's first rank.
        group: Ranks in one cell.
        columns: Cells in a full row.
        cell_width: Terminal cells of one grid cell, its space included.
        most_zoom: How often it can be zoomed in from the level that shows everything.
    """

    rows: tuple[GridRow, ...]
    starts: tuple[int, ...]
    group: int
    columns: int
    cell_width: int
    most_zoom: int

    def cells_in(self, row: int) -> int:
        """Cells of one row."""
        return -(-self.rows[row].length // self.group)

    def cell_at(self, place: int) -> tuple[int, int]:
        """Row and column of the cell that holds a place."""
        row = bisect_right(self.starts, place) - 1
        return row, (place - self.starts[row]) // self.group

    def places_in(self, row: int, column: int) -> range:
        """The places that a cell holds; the column may be beyond the row's end."""
        place = self.rows[row]
        column = min(column, self.cells_in(row) - 1)
        start = place.start + column * self.group
        return range(start, min(start + self.group, place.start + place.length))


NO_LAYOUT = GridLayout((), (), 1, 1, 1, 0)


def grid_layout(
    sections: Sequence[Section], width: int, most_rows: int, zoom: int = 0
) -> GridLayout:
    """The whole where it fits: 1, 2, 4, 8 … ranks a cell; each step of zoom halves that.

    Where there are more sections than rows a section has a row, and the rows are scrolled; so they
    are where it is zoomed in.

    Args:
        sections: As `arrangement_of` makes them.
        width: Terminal cells for the grid alone, at least 1.
        most_rows: Rows there is room for, at least 1.
        zoom: Steps; more than there are count as all.
    """
    lengths = [length for length in ROW_LENGTHS if length <= width] or [width]
    counts = [section.length for section in sections]
    group, length = _whole(counts, lengths, max(most_rows, len(counts)))
    most_zoom = group.bit_length() - 1
    if zoom and most_zoom:
        group >>= min(zoom, most_zoom)
        length = max(lengths)
    columns = max(1, min(length, -(-max(counts, default=0) // group)))
    rows = tuple(row for section in sections for row in _rows(section, columns * group))
    cell_width = 2 if columns * 2 <= min(width, WIDE_CELLS_UNTIL) else 1
    starts = tuple(row.start for row in rows)
    return GridLayout(rows, starts, group, columns, cell_width, most_zoom)


def _whole(counts: Sequence[int], lengths: Sequence[int], most_rows: int) -> tuple[int, int]:
    """The fewest ranks in a cell with which all rows fit, and the cells of a row."""
    group = 1
    while True:
        for length in lengths:
            if sum(-(-count // (group * length)) for count in counts) <= most_rows:
                return group, length
        group *= 2


def _rows(section: Section, row_ranks: int) -> list[GridRow]:
    return [
        GridRow(section.label, section.start + start, min(row_ranks, section.length - start))
        for start in range(0, section.length, row_ranks)
    ]

"""Columns of the checkpoint table, and which of them fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from rich.cells import cell_len

from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, line, pad, piece
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

GAP = 2
"""Cells between two columns."""
_GAP_PIECE = Piece(" " * GAP)


class Column(NamedTuple):
    """A column.

    Attributes:
        title: In English.
        right: Text stands at the right end.
        rank: The higher, the earlier it is dropped where there is no room; 0 always stays.
        least: Smallest useful width.
        most: Largest width, however long the text is.
        flexible: Takes the room that is left.
        wide_only: Shown only when all columns are asked for.
        sortable: Rows can be sorted by it.
    """

    key: str
    title: str
    rank: int
    right: bool = False
    least: int = 0
    most: int = 30
    flexible: bool = False
    wide_only: bool = False
    sortable: bool = True

    @property
    def heading(self) -> str:
        """The title in the language in use."""
        return say(self.title)


class Fitted(NamedTuple):
    """A column with its place on the line."""

    column: Column
    start: int
    width: int


COLUMNS = (
    Column("state", later("state"), 0, least=8),
    Column("step", later("step"), 0, right=True, least=4, most=20),
    Column("age", later("age"), 1, right=True, least=7),
    Column("size", later("size"), 4, right=True, least=8),
    Column("roles", later("roles"), 6, least=5, sortable=False),
    Column("shards", later("shards"), 2, right=True, least=6),
    Column("took", later("took"), 7, right=True, least=7),
    Column("note", later("note"), 3, least=14, flexible=True, sortable=False),
    Column("committed", later("committed"), 8, wide_only=True, least=23),
    Column("ranks", later("ranks"), 8, right=True, wide_only=True, least=5),
    Column("format", later("format"), 8, wide_only=True, sortable=False),
    Column("name", later("name"), 8, wide_only=True, sortable=False),
)


def columns_in(keys: Sequence[str]) -> tuple[Column, ...]:
    """The columns of these keys, in this order, and behind them the others, for wide tables."""
    by_key = {column.key: column for column in COLUMNS}
    chosen = [by_key[key]._replace(wide_only=False) for key in keys if key in by_key]
    if not chosen:
        return COLUMNS
    others = [column._replace(wide_only=True) for column in COLUMNS if column.key not in keys]
    return (*chosen, *others)


def fit_columns(
    columns: Sequence[Column], content: Mapping[str, int], available: int, wide: bool = False
) -> tuple[Fitted, ...]:
    """Chooses and places the columns that fit.

    Args:
        columns: All there are, in order.
        content: Widest cell of each.
        available: Cells on the line.
        wide: Show all of them, as wide as their content, whether they fit or not.
    """
    if wide:
        return _placed(columns, {c.key: _natural(c, content) for c in columns})
    kept = [c for c in columns if not c.wide_only]
    while len(kept) > 1 and _needed(kept, content) > available:
        last = max(kept, key=lambda c: c.rank)
        if last.rank == 0:
            break
        kept.remove(last)
    widths = {c.key: _least(c, content) for c in kept}
    spare = available - sum(widths.values()) - GAP * (len(kept) - 1)
    for column in kept:
        if column.flexible and spare > 0:
            widths[column.key] += spare
    return _placed(kept, widths)


def _natural(column: Column, content: Mapping[str, int]) -> int:
    content_width = min(content.get(column.key, 0), 120 if column.flexible else column.most)
    return max(cell_len(column.heading) + 2, column.least, content_width)


def _least(column: Column, content: Mapping[str, int]) -> int:
    if column.flexible:
        return column.least
    room_for_marker = cell_len(column.heading) + (2 if column.sortable else 0)
    return max(room_for_marker, column.least, min(content.get(column.key, 0), column.most))


def _needed(columns: Sequence[Column], content: Mapping[str, int]) -> int:
    return sum(_least(c, content) for c in columns) + GAP * (len(columns) - 1)


def _placed(columns: Sequence[Column], widths: Mapping[str, int]) -> tuple[Fitted, ...]:
    placed: list[Fitted] = []
    start = 0
    for column in columns:
        placed.append(Fitted(column, start, widths[column.key]))
        start += widths[column.key] + GAP
    return tuple(placed)


def row_line(fitted: Sequence[Fitted], cells: Mapping[str, Line]) -> Line:
    """A row's cells in their places; each is cut to its column."""
    pieces: list[Piece] = []
    for number, place in enumerate(fitted):
        if number:
            pieces.append(_GAP_PIECE)
        pieces.extend(pad(cells.get(place.column.key, BLANK), place.width, place.column.right))
    return tuple(pieces)


def titles_line(fitted: Sequence[Fitted], sort: Sequence[tuple[str, bool]] = ()) -> Line:
    """The column titles; those that rows are sorted by carry a marker, and a number if several.

    Args:
        fitted: The columns in their places.
        sort: (column key, whether the largest comes first), the first column first.
    """
    marks = {}
    for number, (key, descending) in enumerate(sort, 1):
        sign = "▼" if descending else "▲"
        marks[key] = f" {sign}" if len(sort) == 1 else f"{sign}{number}"
    return row_line(
        fitted,
        {
            place.column.key: line(
                piece(
                    place.column.heading + marks.get(place.column.key, ""),
                    Tone.ACCENT if place.column.key in marks else Tone.DIM,
                )
            )
            for place in fitted
        },
    )


class TextTable(Sequence[Line]):
    """A titled table whose lines are made when they are looked at; its content does not change.

    Lines may stand above the titles.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        count: int,
        cells_of: Callable[[int], Mapping[str, Line]],
        width: int,
        above: Sequence[Line] = (),
    ) -> None:
        self._above = above
        self._fitted = fit_columns(columns, {}, width)
        self._titles = titles_line(self._fitted)
        self._count = count
        self._cells_of = cells_of

    def __len__(self) -> int:
        return len(self._above) + self._count + 1

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if index < len(self._above):
            return self._above[index]
        row = index - len(self._above)
        return row_line(self._fitted, self._cells_of(row - 1)) if row else self._titles

"""Which tensors are shown, in which order, and where the cursor is: a state without a screen."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from ckpt_tui.core.tensors import TensorListing
from ckpt_tui.core.tensors_query import EVERY_TENSOR
from ckpt_tui.core.tensors_totals import Totals, totals_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.tensors import Tensor
    from ckpt_tui.core.tensors_query import TensorQuery


class TensorSort(StrEnum):
    """Column that orders the tensors."""

    HEADER = ""  # as files and headers have them
    NAME = "name"
    SIZE = "size"


_ORDER = tuple(TensorSort)


class TensorModel:
    """Tensors of one checkpoint, filtered and sorted.

    Attributes:
        listing: All of them.
        query: Which are shown.
        sort: By what.
        descending: The largest, or last, first.
        cursor: Line of the cursor among those that are shown.
    """

    def __init__(self) -> None:
        self.listing = TensorListing()
        self.query: TensorQuery = EVERY_TENSOR
        self.sort = TensorSort.HEADER
        self.descending = False
        self.cursor = 0
        self._order: Sequence[int] = range(0)
        self._sorted: Sequence[int] = range(0)
        self._totals: Totals | None = None
        self._of_all: Totals | None = None

    def __len__(self) -> int:
        return len(self._order)

    def tensor(self, line: int) -> Tensor:
        """The tensor on a line."""
        return self.listing.tensors[self._order[line]]

    @property
    def current(self) -> Tensor | None:
        """The tensor under the cursor."""
        return self.tensor(self.cursor) if self._order else None

    @property
    def totals(self) -> Totals:
        """Sums of what is shown; made when they are asked for, those of all tensors once."""
        if not self.query.terms:
            if self._of_all is None:
                self._of_all = totals_of(self.listing.tensors)
            return self._of_all
        if self._totals is None:
            self._totals = totals_of(map(self.listing.tensors.__getitem__, self._order))
        return self._totals

    @property
    def sorted_by(self) -> tuple[tuple[str, bool], ...]:
        """The column that orders, and whether its largest comes first; none for the headers'."""
        return ((self.sort.value, self.descending),) if self.sort else ()

    def show(self, listing: TensorListing) -> None:
        """Takes another listing; the cursor stays on the tensor of that name."""
        if listing is self.listing:
            return
        name = self.current.name if self.current is not None else None
        self.listing, self._of_all = listing, None
        self._sort_all()
        self._select(self._line_named(name))

    def look_for(self, query: TensorQuery) -> None:
        """Shows those that match; the cursor stays on its tensor, or goes to the first."""
        self.query = query
        self._select(self._line_of(self._current_place))

    def sort_next(self) -> None:
        """By the next column; the largest first where it is the size."""
        self.sort_by(_ORDER[(_ORDER.index(self.sort) + 1) % len(_ORDER)])

    def sort_by(self, sort: TensorSort) -> None:
        """By that column; again by the same turns the order round."""
        if sort is self.sort and sort is not TensorSort.HEADER:
            self.reverse()
            return
        place = self._current_place
        self.sort, self.descending = sort, sort is TensorSort.SIZE
        self._sort_all()
        self._select(self._line_of(place))

    def reverse(self) -> None:
        """Turns the order round."""
        place = self._current_place
        self.descending = not self.descending
        self._sort_all()
        self._select(self._line_of(place))

    def move(self, step: int) -> None:
        """Moves the cursor by lines."""
        self.cursor = max(0, min(len(self._order) - 1, self.cursor + step))

    @property
    def _current_place(self) -> int | None:
        return self._order[self.cursor] if self._order else None

    def _sort_all(self) -> None:
        """Sorts once for all queries."""
        tensors = self.listing.tensors
        places = range(len(tensors))
        match self.sort:
            case TensorSort.NAME:
                self._sorted = sorted(
                    places, key=lambda place: tensors[place].name, reverse=self.descending
                )
            case TensorSort.SIZE:
                self._sorted = sorted(
                    places, key=lambda place: tensors[place].size_bytes, reverse=self.descending
                )
            case _:
                self._sorted = places[::-1] if self.descending else places

    def _select(self, line_of: int | None) -> None:
        """Sets the cursor after the order is made anew."""
        self.cursor = line_of or 0

    def _line_of(self, place: int | None) -> int | None:
        """Filters anew; the line on which a tensor then is."""
        self._filter()
        if place is None or not self._order:
            return None
        try:
            return self._order.index(place)
        except ValueError:
            return None

    def _line_named(self, name: str | None) -> int | None:
        self._filter()
        if name is None:
            return None
        tensors = self.listing.tensors
        return next((at for at, place in enumerate(self._order) if tensors[place].name == name), 0)

    def _filter(self) -> None:
        self._totals = None
        if not self.query.terms:
            self._order = self._sorted
            return
        tensors = self.listing.tensors
        if self.sort is TensorSort.HEADER and not self.descending:
            self._order = self.query.places(tensors)
            return
        kept = set(self.query.places(tensors))
        self._order = [place for place in self._sorted if place in kept]

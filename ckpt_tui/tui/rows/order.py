"""By what rows are sorted: raw values, several columns, one after the other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from ckpt_tui.core.vocabulary import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.query import Candidate

MOST_KEYS = 2
"""Columns that keys on the screen sort by at once; more are hard to follow."""

SORTABLE = ("step", "state", "age", "size", "shards", "took", "committed", "ranks")
"""Keys of the columns that rows can be sorted by."""

_LOUDNESS = {verdict: place for place, verdict in enumerate(Verdict)}


class SortKey(NamedTuple):
    """A column to sort by.

    Attributes:
        column: Its key.
        descending: Largest first.
    """

    column: str
    descending: bool = True


Sort = tuple[SortKey, ...]

NEWEST_FIRST: Sort = (SortKey("step"),)
"""The order of the runs themselves."""


class Sortable(Protocol):
    """A row, as far as its order goes."""

    @property
    def raw(self) -> Mapping[str, float | None]:
        """Column key to what it is sorted by; None where it is unknown."""


_Row = TypeVar("_Row", bound=Sortable)


def raw_values(candidate: Candidate) -> Mapping[str, float | None]:
    """What rows are sorted by, by column."""
    checkpoint, moment = candidate.checkpoint, candidate.moment
    facts = checkpoint.facts
    return {
        "step": facts.step,
        "state": -_LOUDNESS[checkpoint.verdict],
        "age": None if moment is None else -moment,
        "size": facts.size_bytes,
        "shards": checkpoint.present_shards,
        "took": facts.save_seconds,
        "committed": checkpoint.committed_at,
        "ranks": facts.world_size,
    }


def sorted_rows(rows: Sequence[_Row], sort: Sort) -> Sequence[_Row]:
    """Rows of a run, which come in its own order, in another one.

    Rows that are equal in all columns stay in the order in which they come, whichever way the
    columns go; what is unknown in a column comes last in it.
    """
    if sort and sort[-1].column == "step":  # equal steps, copies and exports have their places, too
        rows, sort = (rows if sort[-1].descending else rows[::-1]), sort[:-1]
    for column, descending in reversed(sort):
        known = [row for row in rows if row.raw.get(column) is not None]
        unknown = [row for row in rows if row.raw.get(column) is None]
        known.sort(key=partial(_value, column), reverse=descending)
        rows = known + unknown
    return rows


def _value(column: str, row: Sortable) -> float:
    return row.raw[column] or 0.0


def with_first(sort: Sort, column: str) -> Sort:
    """Sorts by another column first, by the one that was first so far after it."""
    kept = [key for key in sort if key.column != column]
    return (SortKey(column), *kept)[:MOST_KEYS]


def reversed_first(sort: Sort) -> Sort:
    """Turns the order of the first column round."""
    first, *others = sort or NEWEST_FIRST
    return (first._replace(descending=not first.descending), *others)


def sort_of(words: Sequence[str]) -> Sort:
    """A sort from column keys, `-` before one for the largest first; unknown ones do not count."""
    keys: dict[str, SortKey] = {}
    for word in words:
        column = word.removeprefix("-")
        if column in SORTABLE:
            keys.setdefault(column, SortKey(column, word.startswith("-")))
    return tuple(keys.values()) or NEWEST_FIRST


def words_of(sort: Sort) -> tuple[str, ...]:
    """The same as words."""
    return tuple(f"-{key.column}" if key.descending else key.column for key in sort)

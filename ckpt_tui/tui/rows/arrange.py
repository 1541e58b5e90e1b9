"""Which rows are shown, and in which order: filter, faults only, sort, headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.rows.notes import is_fault
from ckpt_tui.tui.rows.present import heading_of, run_key
from ckpt_tui.tui.rows.query import EVERYTHING, Query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.lines import Line
    from ckpt_tui.tui.rows.present import Row

_LOUDNESS = {verdict: place for place, verdict in enumerate(Verdict)}


class Arranging(NamedTuple):
    """How the operator wants to see the rows.

    Attributes:
        sort: Column key.
        descending: Largest first.
        faults_only: Only what needs a look.
    """

    query: Query = EVERYTHING
    faults_only: bool = False
    sort: str = "step"
    descending: bool = True


AS_IT_COMES = Arranging()
"""Everything, the newest first."""


class Arrangement(NamedTuple):
    """The keys of the lines, top to bottom, and the headings among them."""

    order: tuple[str, ...]
    headings: Mapping[str, Line]
    total: int

    @property
    def shown(self) -> int:
        """Rows that are shown."""
        return len(self.order) - len(self.headings)


def arrange(
    runs: Sequence[Run], rows: Mapping[str, Row], how: Arranging = AS_IT_COMES
) -> Arrangement:
    """Lines of all runs; a heading above each where there are several."""
    order: list[str] = []
    headings: dict[str, Line] = {}
    several = len(runs) > 1
    narrowed = how.faults_only or bool(how.query.terms)
    for run in runs:
        key = run_key(run)
        all_rows = (rows[checkpoint.path] for checkpoint in run.checkpoints)
        mine = [row for row in all_rows if row.value.run == key]
        kept = _sorted([row for row in mine if _is_shown(row, how)] if narrowed else mine, how)
        if several and (kept or not narrowed):
            headings[key] = heading_of(run)
            order.append(key)
        order.extend(row.value.checkpoint.path for row in kept)
    return Arrangement(tuple(order), headings, len(rows))


def _is_shown(row: Row, how: Arranging) -> bool:
    if how.faults_only and not is_fault(row.value.checkpoint):
        return False
    return how.query.matches(row)


def _sorted(rows: list[Row], how: Arranging) -> list[Row]:
    """Stable; rows of equal value keep the run's order, whichever way the sort goes."""
    if how.sort == "step":
        return rows if how.descending else rows[::-1]
    known = [row for row in rows if _sort_value(row, how.sort) is not None]
    unknown = [row for row in rows if _sort_value(row, how.sort) is None]
    known.sort(key=lambda row: _sort_value(row, how.sort) or 0.0, reverse=how.descending)
    return known + unknown


def _sort_value(row: Row, column: str) -> float | None:
    checkpoint = row.value.checkpoint
    facts = checkpoint.facts
    match column:
        case "state":
            return -_LOUDNESS[checkpoint.verdict]
        case "age":
            return None if row.moment is None else -row.moment
        case "size":
            return facts.size_bytes
        case "shards":
            return checkpoint.present_shards
        case "took":
            return facts.save_seconds
        case "committed":
            return checkpoint.committed_at
        case "ranks":
            return facts.world_size
        case _:
            return 0.0

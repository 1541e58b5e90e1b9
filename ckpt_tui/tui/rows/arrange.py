"""Which rows are shown, and in which order: filter, faults only, sort, headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.query import EVERYTHING, Query
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.rows.notes import is_fault
from ckpt_tui.tui.rows.order import NEWEST_FIRST, Sort, sorted_rows
from ckpt_tui.tui.rows.present import heading_of, run_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.lines import Line
    from ckpt_tui.tui.rows.present import Row


class Arranging(NamedTuple):
    """How the operator wants to see the rows.

    Attributes:
        faults_only: Only what needs a look.
        sort: Columns to sort by, the first before the second.
    """

    query: Query = EVERYTHING
    faults_only: bool = False
    sort: Sort = NEWEST_FIRST

    @property
    def narrows(self) -> bool:
        """Whether anything may be hidden."""
        return self.faults_only or bool(self.query.terms)


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
    runs: Sequence[Run], rows: Mapping[str, Row], how: Arranging = AS_IT_COMES, now: float = 0.0
) -> Arrangement:
    """Lines of all runs; a heading above each where there are several.

    Args:
        runs: Top to bottom.
        rows: The row of each checkpoint, by path.
        how: What is shown, and in which order.
        now: Seconds since the epoch, for a filter by age.
    """
    order: list[str] = []
    headings: dict[str, Line] = {}
    several = len(runs) > 1
    for run in runs:
        key = run_key(run)
        all_rows = [rows[checkpoint.facts.path] for checkpoint in run.checkpoints]
        mine = [row for row in all_rows if row.value.run == key]
        kept = _shown(mine, run, how, now)
        if several and (kept or not how.narrows):
            headings[key] = heading_of(run)
            order.append(key)
        order += [row.candidate.checkpoint.facts.path for row in sorted_rows(kept, how.sort)]
    return Arrangement(tuple(order), headings, len(rows))


def _shown(rows: list[Row], run: Run, how: Arranging, now: float) -> list[Row]:
    """Those that are left; term by term, for there may be thousands and each key asks again."""
    if how.faults_only:
        # What stands above the resume point needs a look, whatever it is.
        above = {checkpoint.facts.path for checkpoint in run.rejected_newer}
        rows = [row for row in rows if _needs_a_look(row.candidate.checkpoint, above)]
    for term in how.query.terms:
        rows = [row for row in rows if term(row.candidate, now)]
    return rows


def _needs_a_look(checkpoint: Checkpoint, above: Set[str]) -> bool:
    if is_fault(checkpoint):
        return True
    return checkpoint.facts.path in above and checkpoint.verdict is not Verdict.SAVING

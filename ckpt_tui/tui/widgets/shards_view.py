"""The Shards tab: legend, outliers, grid of ranks, the cell under the cursor, a table of shards."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical

from ckpt_tui.tui.details.ranks import NO_CELLS, rank_cells
from ckpt_tui.tui.details.shards import (
    CAPTION_LINES,
    caption,
    head_lines,
    layout_notes,
    shards_table,
)
from ckpt_tui.tui.lines import Line, Tone, cut, line, piece
from ckpt_tui.tui.widgets.line_view import ScrollingText, TextLines
from ckpt_tui.tui.widgets.rank_grid import RankGrid
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.tui.details.ranks import RankCells

_TABLE_LINES = 3


def _made_of(checkpoint: Checkpoint, other_whole: Checkpoint | None) -> tuple[object, ...]:
    """What `rank_cells` goes by; the first two are large, and compared by identity."""
    silent = checkpoint.progress.silent_ranks if checkpoint.progress is not None else ()
    others = other_whole.facts.shards if other_whole is not None else None
    facts = checkpoint.facts
    return (facts.shards, others, checkpoint.verdict, silent, facts.expected_ranks, facts.axes)


class ShardsView(Vertical):
    """Ranks of one checkpoint."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self._checkpoint: Checkpoint | None = None
        self._cells = NO_CELLS
        self._table: tuple[RankCells, int, Sequence[Line]] = (NO_CELLS, 0, ())
        self._made_of: tuple[object, ...] = (None, None)

    def compose(self) -> ComposeResult:
        """The parts, top to bottom."""
        yield TextLines(widget_id="shards-legend")
        yield RankGrid(widget_id="rank-grid")
        yield TextLines(widget_id="shards-caption")
        yield ScrollingText(widget_id="shards-table")

    @property
    def grid(self) -> RankGrid:
        """The grid of ranks."""
        return self.query_one(RankGrid)

    def show(self, checkpoint: Checkpoint, other_whole: Checkpoint | None) -> None:
        """Shows a checkpoint's ranks.

        Args:
            checkpoint: The one to show.
            other_whole: A whole one of the same run, which sizes are compared with.
        """
        if self._checkpoint is None or self._checkpoint.path != checkpoint.path:
            self.grid.model.forget_cursor()
        self._checkpoint = checkpoint
        made_of = _made_of(checkpoint, other_whole)
        # Every picture judges anew, but most leave the shards of a checkpoint as they were.
        if not all(map(is_, made_of[:2], self._made_of[:2])) or made_of[2:] != self._made_of[2:]:
            self._made_of = made_of
            self._cells = rank_cells(checkpoint, other_whole)
        self._draw()

    def _draw(self) -> None:
        width = self.size.width
        if self._checkpoint is None or not width:
            return
        if not self._cells.ranks:
            self.grid.show(NO_CELLS, width, 1)
            self._set("#shards-legend", (line(piece(self._why_none(), Tone.DIM)),))
            self._set("#shards-caption", ())
            self._set("#shards-table", ())
            return
        table = self._table_for(width)
        others = CAPTION_LINES + (2 if self._cells.outliers else 1) + (_TABLE_LINES if table else 0)
        self.grid.show(self._cells, width, max(1, self.size.height - others))
        self._set("#shards-table", table)
        self._tell()

    def _table_for(self, width: int) -> Sequence[Line]:
        """The table of these cells, made once for a width."""
        cells, made_for, _ = self._table
        if cells is not self._cells or made_for != width:
            self._table = (self._cells, width, shards_table(self._cells, width))
        return self._table[2]

    def _why_none(self) -> str:
        facts = self._checkpoint.facts if self._checkpoint else None
        return say("{format} has no shards by rank", format=facts.format) if facts else ""

    def _set(self, selector: str, lines: Sequence[Line]) -> None:
        self.query_one(selector, TextLines).set_lines(lines)

    @on(RankGrid.Moved)
    def _tell(self) -> None:
        """Legend and caption: they go with the cursor and the level of zoom."""
        width, model = self.size.width, self.grid.model
        self._set("#shards-legend", head_lines(self._cells, layout_notes(model), width))
        told = caption(self._cells, model.under_cursor)
        self._set("#shards-caption", [cut(text, width) for text in told])

    def on_resize(self, _event: events.Resize) -> None:
        """Other groups of ranks may fit now."""
        self._draw()

"""The Shards tab: legend, grid of ranks, the cell under the cursor, and a table of shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical

from ckpt_tui.tui.details.ranks import legend_line, rank_cells
from ckpt_tui.tui.details.shards import caption, shards_table
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, line, piece
from ckpt_tui.tui.widgets.line_view import ScrollingText, TextLines
from ckpt_tui.tui.widgets.rank_grid import RankGrid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.tui.details.ranks import RankCell

_OTHER_LINES = 2
_LEAST_TABLE = 3


class ShardsView(Vertical):
    """Ranks of one checkpoint."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self._checkpoint: Checkpoint | None = None
        self._last_whole: Checkpoint | None = None
        self._cells: Sequence[RankCell] = ()

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

    def show(self, checkpoint: Checkpoint, last_whole: Checkpoint | None) -> None:
        """Shows a checkpoint's ranks.

        Args:
            checkpoint: The one to show.
            last_whole: Where the expected sizes of a save in flight come from.
        """
        new = self._checkpoint is None or self._checkpoint.path != checkpoint.path
        self._checkpoint, self._last_whole = checkpoint, last_whole
        self._cells = rank_cells(checkpoint, last_whole)
        if new:
            self.grid.forget_cursor()
        self._draw()

    def _draw(self) -> None:
        width = self.size.width
        if self._checkpoint is None or not width:
            return
        if not self._cells:
            self.grid.show((), width, 1)
            self._legend((line(piece(self._why_none(), Tone.DIM)),))
            self._set("#shards-caption", ())
            self._set("#shards-table", ())
            return
        most_rows = max(1, self.size.height - _OTHER_LINES - _LEAST_TABLE)
        self.grid.show(self._cells, width, most_rows)
        self._legend((cut(legend_line(self._cells, self.grid.group), width),))
        self._set("#shards-table", (BLANK, *shards_table(self._cells, width)))
        self._caption()

    def _why_none(self) -> str:
        facts = self._checkpoint.facts if self._checkpoint else None
        return f"{facts.format} has no shards by rank" if facts else ""

    def _legend(self, lines: Sequence[Line]) -> None:
        self._set("#shards-legend", lines)

    def _set(self, selector: str, lines: Sequence[Line]) -> None:
        self.query_one(selector, TextLines).set_lines(lines)

    @on(RankGrid.Moved)
    def _caption(self) -> None:
        self._set("#shards-caption", (cut(caption(self.grid.under_cursor), self.size.width),))

    def on_resize(self, _event: events.Resize) -> None:
        """Other groups of ranks may fit now."""
        self._draw()

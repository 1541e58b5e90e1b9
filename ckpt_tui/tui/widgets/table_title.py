"""The line above the table: how many rows, filtered and sorted how, followed or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import plural
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, joined, line, piece, width_of
from ckpt_tui.tui.widgets.line_view import TextLines

if TYPE_CHECKING:
    from ckpt_tui.tui.rows.arrange import Arrangement, Arranging


def title_line(
    how: Arranging, arrangement: Arrangement, following: bool, wide: bool, width: int
) -> Line:
    """A rule that says what the table shows."""
    shown, total = arrangement.shown, arrangement.total
    count = plural(total, "checkpoint") if shown == total else f"{shown} of {total} shown"
    parts: list[Line] = [line(piece(count, Tone.PLAIN if shown == total else Tone.WARN))]
    if how.faults_only:
        parts.append(line(piece("faults only", Tone.WARN)))
    if how.query.terms:
        parts.append(line(piece(f"filter {how.query.text}", Tone.WARN)))
    order = "newest first" if how.sort == "step" and how.descending else f"sorted by {how.sort}"
    parts.append(line(piece(order, Tone.DIM)))
    parts.append(line(piece("following the newest", Tone.DIM)) if following else BLANK)
    parts.append(line(piece("all columns", Tone.DIM)) if wide else BLANK)
    head = (piece("── ", Tone.DIM), *joined(parts), piece(" "))
    return cut((*head, piece("─" * max(0, width - width_of(head)), Tone.DIM)), width)


class TableTitle(TextLines):
    """One line."""

    def show(self, how: Arranging, arrangement: Arrangement, following: bool, wide: bool) -> None:
        """Says how the table is arranged."""
        width = self.size.width or self.app.size.width
        self.set_lines((title_line(how, arrangement, following, wide, width),))

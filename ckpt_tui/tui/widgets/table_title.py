"""The line above the table: how many rows, filtered and sorted how, followed or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, joined, line, piece, width_of
from ckpt_tui.tui.rows.order import NEWEST_FIRST
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.words import say, say_count

if TYPE_CHECKING:
    from ckpt_tui.tui.rows.arrange import Arrangement, Arranging
    from ckpt_tui.tui.rows.order import Sort


def title_line(
    how: Arranging,
    arrangement: Arrangement,
    following: bool,
    wide: bool,
    width: int,
    marks: tuple[int, int] = (0, 0),
) -> Line:
    """A rule that says what the table shows.

    Args:
        how: Filter and order.
        arrangement: What came of it.
        following: Whether the cursor goes with the newest.
        wide: Whether all columns are shown.
        width: Cells.
        marks: How many checkpoints are marked, and how many of these no row shows.
    """
    shown, total = arrangement.shown, arrangement.total
    if shown == total:
        count = say_count(total, "{count} checkpoint", "{count} checkpoints")
    else:
        count = say("{shown} of {total} shown", shown=shown, total=total)
    parts: list[Line] = [line(piece(count, Tone.PLAIN if shown == total else Tone.WARN))]
    if how.faults_only:
        parts.append(line(piece(say("faults only"), Tone.WARN)))
    if how.query.terms:
        parts.append(line(piece(say("filter {text}", text=how.query.text), Tone.WARN)))
    marked, hidden = marks
    if marked:
        count = say("{count} marked", count=marked)
        text = say("{marked}, {count} of them hidden", marked=count, count=hidden)
        parts.append(line(piece(text if hidden else count, Tone.ACCENT)))
    parts.append(line(piece(_order_text(how.sort), Tone.DIM)))
    parts.append(line(piece(say("following the newest"), Tone.DIM)) if following else BLANK)
    parts.append(line(piece(say("all columns"), Tone.DIM)) if wide else BLANK)
    head = (piece("── ", Tone.DIM), *joined(parts), piece(" "))
    return cut((*head, piece("─" * max(0, width - width_of(head)), Tone.DIM)), width)


def _order_text(sort: Sort) -> str:
    if sort == NEWEST_FIRST:
        return say("newest first")
    first, *others = (say(key.column) for key in sort)
    if not others:
        return say("sorted by {column}", column=first)
    return say("sorted by {column}, then {others}", column=first, others=say(", ").join(others))


class TableTitle(TextLines):
    """One line."""

    def show(
        self,
        how: Arranging,
        arrangement: Arrangement,
        following: bool,
        wide: bool,
        marks: tuple[int, int],
    ) -> None:
        """Says how the table is arranged, and how many checkpoints are marked."""
        width = self.size.width or self.app.size.width
        self.set_lines((title_line(how, arrangement, following, wide, width, marks),))

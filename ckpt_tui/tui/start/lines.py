"""The start screen as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, line, piece, short_path, wrapped
from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.tui.start.offers import Offer, Start

_MOST_CELLS = 100
_LINES_OF_AN_OFFER = 2


def start_lines(start: Start, cursor: int, width: int) -> list[Line]:
    """The whole screen.

    Args:
        start: What to say and to offer.
        cursor: Place of the offer under the cursor.
        width: Cells.
    """
    lines = _head(start, width)
    for place, offer in enumerate(start.offers):
        lines += _offer(offer, place == cursor, width)
    hints = say("Any other: ckpt-tui DIR. Prepared situations to learn from: ckpt-tui demo --list")
    return [*lines, BLANK, *_paragraph(hints, Tone.DIM, width)]


def rows_of(start: Start, place: int, width: int) -> tuple[int, int]:
    """The first line of an offer, and the line behind its last."""
    first = len(_head(start, width)) + place * _LINES_OF_AN_OFFER
    return first, first + _LINES_OF_AN_OFFER


def offer_at(start: Start, width: int, y: int) -> int | None:
    """Place of the offer that is drawn at a line; None where there is none."""
    place = (y - len(_head(start, width))) // _LINES_OF_AN_OFFER
    return place if 0 <= place < len(start.offers) else None


def _head(start: Start, width: int) -> list[Line]:
    lines = [BLANK, *_paragraph(start.heading, Tone.BOLD, width), BLANK]
    for text in start.searched:
        lines += _paragraph(text, Tone.DIM, width)
    return [*lines, BLANK, *_paragraph(say("Open:"), Tone.PLAIN, width), BLANK]


def _offer(offer: Offer, chosen: bool, width: int) -> list[Line]:
    title = short_path(offer.title, width - 6) if offer.path == offer.title else offer.title
    mark = piece("▶ ", Tone.ACCENT) if chosen else piece("  ")
    detail = cut(line("      ", piece(offer.detail, Tone.DIM)), width - 1)
    return [line("  ", mark, piece(title, Tone.ACCENT if chosen else Tone.PLAIN)), detail]


def _paragraph(text: str, tone: Tone, width: int) -> list[Line]:
    rows = wrapped(text, max(10, min(_MOST_CELLS, width - 3)))
    return [line("  ", piece(row, tone)) for row in rows]

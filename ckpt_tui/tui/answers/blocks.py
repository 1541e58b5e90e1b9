"""What answers are built of: the coloured label at the left, the bar of something under way."""

from __future__ import annotations

from string import Formatter

from ckpt_tui.tui.lines import Line, Piece, Tone, line, piece
from ckpt_tui.words.wrapping import padded

LABEL_CELLS = 13
ROOMY = 60
"""From this width on the labels are as wide as each other, so that the answers stand in line."""


def label(text: str, tone: Tone, width: int) -> Line:
    """A label, and the space after it."""
    if width < ROOMY:
        return line(piece(f" {text} ", tone), " ")
    return line(piece(padded(f" {text} ", LABEL_CELLS), tone), "  ")


def filled(text: str, **values: Piece) -> Line:
    """A text whose `{names}` stand for pieces that have tones of their own."""
    parts: list[Piece | str] = []
    for before, name, _, _ in Formatter().parse(text):
        parts += [before, *([values[name]] if name else [])]
    return line(*parts)


def progress_bar(fraction: float, cells: int) -> Line:
    """A bar of that many cells, filled by a share from 0 to 1."""
    full = int(fraction * cells)
    return line(piece("█" * full, Tone.BUSY), piece("░" * (cells - full), Tone.DIM))

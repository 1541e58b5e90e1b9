"""What answers are built of: the coloured label at the left, the bar of something under way."""

from __future__ import annotations

from ckpt_tui.tui.lines import Line, Tone, line, piece

LABEL_CELLS = 13
ROOMY = 60
"""From this width on the labels are as wide as each other, so that the answers stand in line."""


def label(text: str, tone: Tone, width: int) -> Line:
    """A label, and the space after it."""
    if width < ROOMY:
        return line(piece(f" {text} ", tone), " ")
    return line(piece(f" {text} ".ljust(LABEL_CELLS), tone), "  ")


def progress_bar(fraction: float, cells: int) -> Line:
    """A bar of that many cells, filled by a share from 0 to 1."""
    full = int(fraction * cells)
    return line(piece("█" * full, Tone.BUSY), piece("░" * (cells - full), Tone.DIM))

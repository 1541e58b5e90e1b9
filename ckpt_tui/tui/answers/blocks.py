"""The coloured label at the left of each answer."""

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

"""Where the detail pane goes, by the size of the terminal."""

from __future__ import annotations

from enum import StrEnum

BESIDE_WIDTH = 160
BELOW_WIDTH = 100
BELOW_HEIGHT = 30
LEAST_BESIDE_HEIGHT = 14
BAR_HEIGHT = 8


class Layout(StrEnum):
    """The value is the class of the main screen."""

    BESIDE = "-beside"
    BELOW = "-below"
    OVER = "-over"
    """The pane takes the table's place when it is opened."""


def layout_for(width: int, height: int) -> Layout:
    """The arrangement for a terminal of so many cells."""
    if width >= BESIDE_WIDTH and height >= LEAST_BESIDE_HEIGHT:
        return Layout.BESIDE
    if width >= BELOW_WIDTH and height >= BELOW_HEIGHT:
        return Layout.BELOW
    return Layout.OVER

"""How many colours the terminal has, the theme that suits it, and NO_COLOR.

What is drawn in colour always has an icon and a word as well, so that it reads the same without.
Which colours Textual sends is decided by rich: `COLORTERM=truecolor` (or `24bit`) means 24 bits, a
`TERM` that ends in `256color` (and kitty's) 256, `dumb` none, anything else 16.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.filter import LineFilter
from textual.theme import BUILTIN_THEMES, Theme

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.color import Color

AUTO, ANSI = "auto", "ansi"
DARK, LIGHT = "textual-dark", "textual-light"
_FEW = (None, "standard")
_LIGHT_GROUNDS = ("7", "15")

ANSI_THEME = Theme(
    name=ANSI,
    ansi=True,
    primary="ansi_cyan",
    secondary="ansi_blue",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_green",
    accent="ansi_magenta",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "border": "ansi_cyan",
        "block-cursor-foreground": "ansi_default",
        "block-cursor-background": "ansi_default",
        "block-cursor-text-style": "reverse",
        "block-cursor-blurred-text-style": "bold",
        "input-selection-background": "ansi_default",
        "input-selection-foreground": "ansi_default",
        "scrollbar": "ansi_cyan",
        "scrollbar-hover": "ansi_cyan",
        "scrollbar-active": "ansi_cyan",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
    },
)
"""The terminal's own colours on its own background, dark or light; selection is reversal."""

THEMES = (AUTO, ANSI, *BUILTIN_THEMES)
"""Names that a person can give."""


def theme_for(environ: Mapping[str, str]) -> str:
    """The theme of a terminal that nobody chose one for.

    Args:
        environ: Environment variables; `COLORFGBG` tells of a light background in some terminals.
    """
    if _system(environ) in _FEW:
        return ANSI
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in _LIGHT_GROUNDS else DARK


def is_without_colour(environ: Mapping[str, str]) -> bool:
    """Whether NO_COLOR is set, and not empty (no-color.org), or the terminal has no colours."""
    return bool(environ.get("NO_COLOR")) or _system(environ) is None


def _system(environ: Mapping[str, str]) -> str | None:
    """Rich's name of the colours there are: None, "standard", "256" or "truecolor"."""
    return Console(force_terminal=True, _environ=environ).color_system


class WithoutColour(LineFilter):
    """Takes every colour away and leaves bold, underline and reversal; no grey remains."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same text with styles that have no colour."""
        return [
            Segment(text, None if style is None else _colourless(style), control)
            for text, style, control in segments
        ]


@lru_cache(1024)
def _colourless(style: Style) -> Style:
    plain = style.without_color + Style(dim=False)
    return plain + Style.from_meta(style.meta) if style.meta else plain  # what a click means

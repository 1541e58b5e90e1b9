"""Base of all that is drawn: lines of toned pieces become strips, one screen line at a time."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ckpt_tui.tui.icons import to_ascii
from ckpt_tui.tui.lines import BLANK, Line, Tone, clean

if TYPE_CHECKING:
    from collections.abc import Sequence


ASCII_CLASS = "-ascii"
"""Class of the app while only ASCII may be drawn."""


class Motion(StrEnum):
    """A way to move inside a widget."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"
    HALF_UP = "half_up"
    HALF_DOWN = "half_down"
    PAGE_UP = "page_up"
    PAGE_DOWN = "page_down"

    def rows(self, page: int, far: int) -> int:
        """Lines to go, upwards negative; none for a move sideways.

        Args:
            page: Lines of a page.
            far: Lines to the top or the bottom from anywhere.
        """
        half = page // 2 or 1
        steps = {
            Motion.UP: -1,
            Motion.DOWN: 1,
            Motion.HALF_UP: -half,
            Motion.HALF_DOWN: half,
            Motion.PAGE_UP: -page,
            Motion.PAGE_DOWN: page,
            Motion.TOP: -far,
            Motion.BOTTOM: far,
        }
        return steps.get(self, 0)


class LineView(ScrollView, inherit_bindings=False):
    """Draws with the Line API. All keys come from the action registry, through `navigate`."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"tone--{tone.value}" for tone in Tone}
    ALLOW_SELECT = False
    ALLOW_MAXIMIZE = False

    def tone_style(self, tone: Tone) -> Style:
        """A tone's colour, blended with the background where it is see-through, and its weight."""
        name = f"tone--{tone.value}"
        blended = self.get_component_rich_style(name)
        own = self.get_component_rich_style(name, partial=True)
        return own + Style(color=blended.color) if own.color else own

    def strip_of(self, text: Line, width: int, over: Style | None = None) -> Strip:
        """A strip of exactly `width` cells.

        Args:
            text: What to draw.
            width: Cells.
            over: A style for the whole line, below the tones.
        """
        base = self.rich_style if over is None else self.rich_style + over
        ascii_only = self.app.has_class(ASCII_CLASS)
        styles = {Tone.PLAIN: base}
        for tone in {part.tone for part in text} - styles.keys():
            styles[tone] = base + self.tone_style(tone)
        segments = [
            Segment(to_ascii(part.text) if ascii_only else part.text, styles[part.tone])
            for part in text
        ]
        return Strip(segments).adjust_cell_length(width, base)

    @property
    def inner_size(self) -> Size:
        """Cells for the lines, without the scroll bars."""
        return self.scrollable_content_region.size

    def refresh_screen_line(self, y: int) -> None:
        """Draws one visible line anew; `y` counts from the widget's top."""
        if 0 <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def say_in_frame(self, title: str, subtitle: str) -> None:
        """What the frame around it says; names in it are never read as markup."""
        self.border_title, self.border_subtitle = self._framed(title), self._framed(subtitle)

    def _framed(self, text: str) -> Text:
        shown = clean(text)
        return Text(to_ascii(shown) if self.app.has_class(ASCII_CLASS) else shown)

    def jump_to(self, y: int) -> None:
        """Scrolls at once so that line `y` is the first."""
        if y != self.scroll_offset.y:
            self.scroll_to(y=y, animate=False, force=True)


class TextLines(LineView, can_focus=False):
    """Lines of text; only those that change are drawn anew."""

    def __init__(self, lines: Sequence[Line] = (), *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self._lines: Sequence[Line] = lines
        self._fit()

    @property
    def lines(self) -> Sequence[Line]:
        """What is shown."""
        return self._lines

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Shows other lines in place of the present ones; keeps the scroll position."""
        old, self._lines = self._lines, lines
        if lines is old:
            return
        self._fit()
        top = self.scroll_offset.y
        changed = [y for y in range(self.size.height) if _at(old, top + y) != _at(lines, top + y)]
        if changed:  # one region: the compositor pays for each that it is given
            height = changed[-1] - changed[0] + 1
            self.refresh(Region(0, changed[0], self.size.width, height))

    def _fit(self) -> None:
        size = Size(0, len(self._lines))
        if size != self.virtual_size:
            self.virtual_size = size

    def render_line(self, y: int) -> Strip:
        """The strip at line `y` of the widget."""
        return self.strip_of(_at(self._lines, self.scroll_offset.y + y), self.size.width)

    def navigate(self, motion: Motion) -> None:
        """Scrolls."""
        page = max(1, self.inner_size.height - 1)
        step = motion.rows(page, len(self._lines))
        most = max(0, len(self._lines) - self.size.height)
        self.jump_to(max(0, min(most, self.scroll_offset.y + step)))


def _at(lines: Sequence[Line], index: int) -> Line:
    return lines[index] if 0 <= index < len(lines) else BLANK


class ScrollingText(TextLines, can_focus=True):
    """Lines that can be scrolled with the keys."""

"""The event log: what holds now, and what happened, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from ckpt_tui.tui.actions.reading import LEVEL
from ckpt_tui.tui.screens.event_lines import event_lines, levels_text, next_level
from ckpt_tui.tui.screens.text import ScrollingScreen
from ckpt_tui.tui.widgets.line_view import Motion
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.alarms.values import AlarmLevel
    from ckpt_tui.core.clock import Clock
    from ckpt_tui.tui.alarm_desk import AlarmDesk
    from ckpt_tui.tui.lines import Line

REFRESH_SECONDS = 1.0


class EventsScreen(ScrollingScreen):
    """The log; the key that opened it closes it, too.

    Args:
        desk: Where the events are kept.
        clock: The time.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("L", "dismiss", show=False),
        LEVEL.binding(),
    ]

    def __init__(self, desk: AlarmDesk, clock: Clock) -> None:
        super().__init__(say("alarms and events (UTC)"), self._lines)
        self._desk = desk
        self._clock = clock
        self._least: AlarmLevel | None = None
        self._width = 0

    def on_mount(self) -> None:
        """Draws once the width is known, and then what comes in."""
        super().on_mount()
        self.set_interval(REFRESH_SECONDS, self.redraw)

    def draw(self, width: int) -> None:
        """Sets the lines; what is read stays where it is."""
        text = self.text
        text.say_in_frame(self._frame_title, f"f: {levels_text(self._least)} · {say('esc closes')}")
        before = len(text.lines) if width == self._width else 0
        self._width = width
        super().draw(width)
        if before and text.scroll_offset.y:
            text.jump_to(max(0, text.scroll_offset.y + len(text.lines) - before))

    def _lines(self, width: int) -> Sequence[Line]:
        return event_lines(self._desk, self._least, self._clock.wall(), width)

    def action_next_level(self) -> None:
        """All events, then only warnings and worse, then only critical ones."""
        self._least = next_level(self._least)
        self._width = 0
        self.text.navigate(Motion.TOP)
        self.redraw()

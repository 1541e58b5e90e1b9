"""The event log: what holds now, and what happened, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from ckpt_tui.tui.screens.event_lines import event_lines, levels_text, next_level
from ckpt_tui.tui.widgets.line_view import Motion, ScrollingText

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from ckpt_tui.core.alarms.values import AlarmLevel
    from ckpt_tui.tui.alarm_desk import AlarmDesk
    from ckpt_tui.tui.ports import Clock

REFRESH_SECONDS = 1.0


class EventsScreen(ModalScreen[None]):
    """The log in a frame; closes with esc, q or the key that opened it.

    Args:
        desk: Where the events are kept.
        clock: The time.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,L", "dismiss", "close", show=False),
        Binding("ctrl+c", "app.interrupt", show=False),
        Binding("f", "next_level", show=False),
        Binding("j,down", "move('down')", show=False),
        Binding("k,up", "move('up')", show=False),
        Binding("g,home", "move('top')", show=False),
        Binding("G,end", "move('bottom')", show=False),
        Binding("ctrl+d,pagedown,space", "move('half_down')", show=False),
        Binding("ctrl+u,pageup", "move('half_up')", show=False),
    ]

    def __init__(self, desk: AlarmDesk, clock: Clock) -> None:
        super().__init__()
        self._desk = desk
        self._clock = clock
        self._least: AlarmLevel | None = None
        self._width = 0

    def compose(self) -> ComposeResult:
        """The text in its frame."""
        text = ScrollingText(widget_id="modal-text")
        text.border_title = "alarms and events (UTC)"
        yield text

    def on_mount(self) -> None:
        """Draws once the width is known, and then what comes in."""
        self.call_after_refresh(self._draw)
        self.set_interval(REFRESH_SECONDS, self._draw)

    def on_resize(self) -> None:
        """The lines are as long as the screen."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        text = self.query_one("#modal-text", ScrollingText)
        width = text.size.width - 1
        if width <= 0:
            return
        text.border_subtitle = f"f: {levels_text(self._least)} · esc closes"
        before = len(text.lines) if width == self._width else 0
        self._width = width
        lines = event_lines(self._desk, self._least, self._clock.wall(), width)
        text.set_lines(lines)
        if before and text.scroll_offset.y:  # what is read stays where it is
            text.jump_to(max(0, text.scroll_offset.y + len(lines) - before))

    def action_next_level(self) -> None:
        """All events, then only warnings and worse, then only critical ones."""
        self._least = next_level(self._least)
        self._width = 0
        text = self.query_one("#modal-text", ScrollingText)
        text.navigate(Motion.TOP)
        self._draw()

    def action_move(self, motion: str) -> None:
        """Scrolls."""
        self.query_one("#modal-text", ScrollingText).navigate(Motion(motion))

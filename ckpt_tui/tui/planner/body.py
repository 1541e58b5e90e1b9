"""What lies below the answer: it scrolls, and it holds the keys while no field does."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message


class PlannerBody(VerticalScroll, inherit_bindings=False):
    """Scrolls with the same keys as the dashboard's lists."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_by(1)", "down", show=False),
        Binding("k,up", "scroll_by(-1)", "up", show=False),
        Binding("ctrl+d,pagedown", "scroll_by(0, 1)", "down half a page", show=False),
        Binding("ctrl+u,pageup", "scroll_by(0, -1)", "up half a page", show=False),
        Binding("g,home", "scroll_by(0, -1000)", "top", show=False),
        Binding("G,end", "scroll_by(0, 1000)", "bottom", show=False),
        Binding("enter", "edit", "edit the fields", show=False),
    ]

    class EditAsked(Message):
        """The keys should go to the fields."""

    def action_scroll_by(self, rows: int, half_pages: int = 0) -> None:
        """Scrolls at once by rows and half pages."""
        step = rows + half_pages * max(1, self.size.height // 2)
        self.scroll_relative(y=step, animate=False)

    def action_edit(self) -> None:
        """Asks for the fields."""
        self.post_message(self.EditAsked())

"""The last line: the keys that matter, as many as fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from ckpt_tui.tui.lines import Line, Piece, Tone, piece, width_of
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events

    from ckpt_tui.tui.actions.action import Action


def fitting(actions: Sequence[Action], width: int, in_pane: bool = False) -> list[Action]:
    """The actions of the footer that fit, in order; the highest footer number goes first."""

    def rank(action: Action) -> int:
        return action.pane_footer if in_pane else action.footer

    kept = [action for action in actions if rank(action)]
    while kept and width_of(bar_line(kept)) > width:
        kept.remove(max(kept, key=rank))
    return kept


def bar_line(actions: Sequence[Action]) -> Line:
    """Keys and labels side by side."""
    pieces: list[Piece] = [piece(" ")]
    for action in actions:
        pieces += [piece(action.shown, Tone.ACCENT), piece(f" {say(action.label)}  ", Tone.DIM)]
    return tuple(pieces)


class KeyBar(TextLines):
    """One line; a click does what the key does."""

    class Clicked(Message):
        """An action was clicked."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self._actions: Sequence[Action] = ()
        self._in_pane = False

    def show(self, actions: Sequence[Action], in_pane: bool) -> None:
        """Shows the keys that matter in the table, or in the pane."""
        self._actions, self._in_pane = actions, in_pane
        self.set_lines((bar_line(self._fitting()),))

    def _fitting(self) -> list[Action]:
        width = self.size.width or self.app.size.width
        return fitting(self._actions, width, self._in_pane)

    def on_resize(self, _event: events.Resize) -> None:
        """More keys may fit now."""
        self.show(self._actions, self._in_pane)

    def on_click(self, event: events.Click) -> None:
        """Does what the key under the pointer does."""
        start = 1
        for action in self._fitting():
            end = start + width_of(bar_line([action])) - 1
            if start <= event.x < end:
                self.post_message(self.Clicked(action))
            start = end

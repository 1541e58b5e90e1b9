"""One thing that a key does: bindings, footer, help, palette and the docs are made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.binding import Binding

from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterable


class Action(NamedTuple):
    """Something the operator can do.

    Attributes:
        id: Stable name; key maps refer to it.
        keys: Textual key names, the preferred first.
        shown: The keys as people read them.
        label: At most ten letters, for the footer.
        help: One sentence for the help screen and the palette.
        group: Heading in the help screen.
        call: Action string of the main screen.
        footer: Place in the footer, the lowest stays longest; 0 is not there.
        pane_footer: The same while the pane has the keys.
        palette: Offered by the command palette.
    """

    id: str
    keys: str
    shown: str
    label: str
    help: str
    group: str
    call: str
    footer: int = 0
    pane_footer: int = 0
    palette: bool = True

    def binding(self) -> Binding:
        """The same as Textual wants it."""
        return Binding(
            self.keys,
            self.call,
            self.label,
            show=bool(self.footer),
            key_display=self.shown,
            tooltip=self.help,
            id=self.id,
        )


def focused_action(
    place: str,
    group: str,
    name: str,
    keys: str,
    shown: str,
    label: str,
    text: str,
    call: str,
    footer: int,
) -> Action:
    """A key of a part of the screen, which holds while that has the focus."""
    return Action(
        f"{place}.{name}", keys, shown, label, text, group, f"focused.{call}",
        footer, footer, palette=False,
    )  # fmt: skip


def keys_text(actions: Iterable[Action]) -> str:
    """Keys and labels in one line, for a frame: those with a place in the footer, by it."""
    shown = sorted((action for action in actions if action.footer), key=lambda a: a.footer)
    return " · ".join(f"{action.shown} {say(action.label)}" for action in shown)

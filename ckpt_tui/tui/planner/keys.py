"""What the key bar offers while the planner has the keys; the planner carries it out."""

from __future__ import annotations

from ckpt_tui.tui.actions import Action
from ckpt_tui.tui.planner.answer import FILL_KEY

_GROUP = "Planner"


def _key(key: str, label: str, text: str, call: str, footer: int) -> Action:
    return Action(f"planner.{label}", key, key, label, text, _GROUP, call, footer, palette=False)


_FILL = _key(FILL_KEY, "directory", "fill in what the directory shows", "fill", 3)

READING_KEYS = (
    _key("enter", "edit", "edit the fields", "edit", 2),
    _FILL,
    _key("esc", "close", "close the planner", "screen.back", 1),
    _key("?", "help", "the help", "screen.help", 5),
    _key("q", "quit", "quit", "app.leave", 4),
)
"""While no field has the keys."""

EDITING_KEYS = (
    _key("tab", "next field", "the next field", "app.focus_next", 2),
    _FILL,
    _key("esc", "leave", "leave the field", "leave", 1),
)
"""While a field has them: letters are text."""

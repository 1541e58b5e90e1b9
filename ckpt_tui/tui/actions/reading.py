"""What keys do in a text over the dashboard: help, log, JSON, comparison."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.words import later

_GROUP = later("Texts")


def _key(name: str, keys: str, shown: str, text: str, call: str) -> Action:
    return Action(f"text.{name}", keys, shown, name, text, _GROUP, call, palette=False)


READING_ACTIONS = (
    _key("down", "j,down", "j ↓", later("scroll down"), "move('down')"),
    _key("up", "k,up", "k ↑", later("scroll up"), "move('up')"),
    _key(
        "page_down",
        "ctrl+d,pagedown,space",
        "space",
        later("half a page down"),
        "move('half_down')",
    ),
    _key("page_up", "ctrl+u,pageup", "ctrl+u", later("half a page up"), "move('half_up')"),
    _key("top", "g,home", "g", later("to the top"), "move('top')"),
    _key("bottom", "G,end", "G", later("to the bottom"), "move('bottom')"),
    _key("close", "escape,q", "esc", later("close it"), "dismiss"),
    _key("interrupt", "ctrl+c", "ctrl+c", later("quit with exit code 130"), "app.interrupt"),
)
LEVEL = _key(
    "level", "f", "f", later("in the log: all events, warnings, critical ones"), "next_level"
)
"""Of the log alone."""

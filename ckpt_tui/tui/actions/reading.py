"""What keys do in a text over the dashboard: help, log, JSON, comparison."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action

_GROUP = "Texts"


def _key(name: str, keys: str, shown: str, text: str, call: str) -> Action:
    return Action(f"text.{name}", keys, shown, name, text, _GROUP, call, palette=False)


READING_ACTIONS = (
    _key("down", "j,down", "j ↓", "scroll down", "move('down')"),
    _key("up", "k,up", "k ↑", "scroll up", "move('up')"),
    _key("page_down", "ctrl+d,pagedown,space", "space", "half a page down", "move('half_down')"),
    _key("page_up", "ctrl+u,pageup", "ctrl+u", "half a page up", "move('half_up')"),
    _key("top", "g,home", "g", "to the top", "move('top')"),
    _key("bottom", "G,end", "G", "to the bottom", "move('bottom')"),
    _key("close", "escape,q", "esc", "close it", "dismiss"),
    _key("interrupt", "ctrl+c", "ctrl+c", "quit with exit code 130", "app.interrupt"),
)
LEVEL = _key("level", "f", "f", "in the log: all events, warnings, critical ones", "next_level")
"""Of the log alone."""

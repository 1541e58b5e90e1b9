"""What keys do on the screen of a start without a directory."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.words import later

_GROUP = later("Start")


def _key(name: str, keys: str, shown: str, text: str, call: str, footer: int = 0) -> Action:
    return Action(f"start.{name}", keys, shown, name, text, _GROUP, call, footer, palette=False)


START_ACTIONS = (
    _key(later("down"), "j,down", "j ↓", later("the next thing to open"), "move(1)", 3),
    _key("up", "k,up", "k ↑", later("the one before"), "move(-1)"),
    _key(later("open"), "enter,space", "enter", later("open it"), "open", 1),
    _key(later("demo"), "d", "d", later("open the demo"), "demo", 4),
    _key(later("quit"), "q,escape", "q", later("quit"), "leave", 2),
    _key("interrupt", "ctrl+c", "ctrl+c", later("quit with exit code 130"), "interrupt"),
)

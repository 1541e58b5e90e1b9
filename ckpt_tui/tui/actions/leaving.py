"""What keys do in the list of texts that can be taken of a checkpoint."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.words import later

_GROUP = later("Taking a text")


def _key(name: str, keys: str, shown: str, label: str, text: str, call: str, place: int) -> Action:
    return Action(f"take.{name}", keys, shown, label, text, _GROUP, call, place, palette=False)


TAKE_ACTIONS = (
    _key("down", "j,down", "j ↓", later("down"), later("the next text"), "move(1)", 0),
    _key("up", "k,up", "k ↑", later("up"), later("the text before"), "move(-1)", 0),
    _key("clipboard", "enter,y", "enter", later("clipboard"),
         later("to the terminal's clipboard"), "give('clipboard')", 1),
    _key("print", "x,O", "x", later("on exit"),
         later("print it once the dashboard is left, or not"), "give('exit')", 2),
    _key("file", "w", "w", later("file"), later("into a file, outside the watched directory"),
         "give('file')", 3),
    _key("close", "escape,q", "esc", later("close"), later("close the list"), "leave", 4),
    _key("interrupt", "ctrl+c", "ctrl+c", later("interrupt"), later("quit with exit code 130"),
         "app.interrupt", 0),
)  # fmt: skip

"""What keys do in the timeline."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.words import later

_GROUP = later("Timeline")


def _key(name: str, keys: str, shown: str, text: str, call: str, footer: int = 0) -> Action:
    return Action(
        f"timeline.{name}", keys, shown, name.replace("_", " "), text, _GROUP, call, footer,
        palette=False,
    )  # fmt: skip


TIMELINE_ACTIONS = (
    _key(later("save"), "l,right", "l →", later("the next save"), "save(1)", 1),
    _key("previous", "h,left", "h ←", later("the save before"), "save(-1)"),
    _key("first", "g,home", "g", later("the first save"), "save(-1000000000)"),
    _key("last", "G,end", "G", later("the newest save"), "save(1000000000)"),
    _key(later("event"), "right_square_bracket", "]", later("the next restart, gap or broken save"),
         "event(1)", 2),
    _key("back", "left_square_bracket", "[", later("the one before"), "event(-1)"),
    _key(later("zoom"), "plus,equals_sign", "+",
         later("half of the time around the save"), "zoom(True)", 3),
    _key("farther", "minus", "-", later("twice as much of the time"), "zoom(False)"),
    _key(later("table"), "enter", "enter", later("to this checkpoint in the table"), "choose", 4),
    _key("down", "j,down", "j ↓", later("scroll down"), "move('down')"),
    _key("up", "k,up", "k ↑", later("scroll up"), "move('up')"),
    _key("page_down", "ctrl+d,pagedown", "ctrl+d", later("half a page down"), "move('half_down')"),
    _key("page_up", "ctrl+u,pageup", "ctrl+u", later("half a page up"), "move('half_up')"),
    _key(later("close"), "escape,q,t", "esc", later("back to the table"), "leave", 5),
    _key("interrupt", "ctrl+c", "ctrl+c", later("quit with exit code 130"), "app.interrupt"),
)  # fmt: skip
"""In the order of the help."""

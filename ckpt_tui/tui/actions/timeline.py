"""What keys do in the timeline."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action

_GROUP = "Timeline"


def _key(name: str, keys: str, shown: str, text: str, call: str, footer: int = 0) -> Action:
    return Action(
        f"timeline.{name}", keys, shown, name.replace("_", " "), text, _GROUP, call, footer,
        palette=False,
    )  # fmt: skip


TIMELINE_ACTIONS = (
    _key("save", "l,right", "l →", "the next save", "save(1)", 1),
    _key("previous", "h,left", "h ←", "the save before", "save(-1)"),
    _key("first", "g,home", "g", "the first save", "save(-1000000000)"),
    _key("last", "G,end", "G", "the newest save", "save(1000000000)"),
    _key("event", "right_square_bracket", "]", "the next restart, gap or broken save",
         "event(1)", 2),
    _key("back", "left_square_bracket", "[", "the one before", "event(-1)"),
    _key("zoom", "plus,equals_sign", "+", "half of the time around the save", "zoom(True)", 3),
    _key("farther", "minus", "-", "twice as much of the time", "zoom(False)"),
    _key("table", "enter", "enter", "to this checkpoint in the table", "choose", 4),
    _key("down", "j,down", "j ↓", "scroll down", "move('down')"),
    _key("up", "k,up", "k ↑", "scroll up", "move('up')"),
    _key("page_down", "ctrl+d,pagedown", "ctrl+d", "half a page down", "move('half_down')"),
    _key("page_up", "ctrl+u,pageup", "ctrl+u", "half a page up", "move('half_up')"),
    _key("close", "escape,q,t", "esc", "back to the table", "leave", 5),
    _key("interrupt", "ctrl+c", "ctrl+c", "quit with exit code 130", "app.interrupt"),
)  # fmt: skip
"""In the order of the help."""

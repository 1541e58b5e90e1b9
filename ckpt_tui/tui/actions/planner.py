"""What keys do in the planner, which carries it out."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action

FILL_KEY = "ctrl+r"
_GROUP = "Planner"


def _key(key: str, label: str, text: str, call: str, footer: int, shown: str = "") -> Action:
    return Action(
        f"planner.{label.replace(' ', '-')}",
        key,
        shown or key,
        label,
        text,
        _GROUP,
        call,
        footer,
        palette=False,
    )


FILL = _key(FILL_KEY, "directory", "fill in what the directory shows", "fill", 3)

PLANNER_KEYS = (
    _key("p", "presets", "published runs, each with its source", "presets", 6),
    _key("s", "simulate", "simulate the plan at its best interval", "simulate", 4),
    _key("S", "simulate now", "simulate the present interval", "simulate_now", 11),
    _key("a", "pin A", "pin this plan as A, or let it go", "pin", 7),
    _key("f", "failures", "the failures that were seen, and planned stops", "failures", 8),
    _key("t", "retention", "what a retention policy would keep and free", "keep", 9),
    _key("e", "export", "to a file or to the terminal's clipboard", "export", 5),
)
"""What the panel itself does while no field has the keys."""

READING_KEYS = (
    _key("enter", "edit", "edit the fields", "edit", 2),
    FILL,
    *PLANNER_KEYS,
    _key("escape", "close", "close the planner", "back", 1, "esc"),
    _key("question_mark", "help", "the help", "screen.help", 10, "?"),
    _key("q", "quit", "quit", "app.leave", 12),
)
"""While no field has the keys."""

EDITING_KEYS = (
    _key("tab", "next field", "the next field", "app.focus_next", 2),
    FILL,
    _key("escape", "leave", "leave the field", "leave", 1, "esc"),
)
"""While a field has them: letters are text."""

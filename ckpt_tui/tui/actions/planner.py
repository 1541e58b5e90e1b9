"""What keys do in the planner, which carries it out."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.words import later

FILL_KEY = "ctrl+r"
_GROUP = later("Planner")


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


FILL = _key(FILL_KEY, later("directory"), later("fill in what the directory shows"), "fill", 3)

PLANNER_KEYS = (
    _key("p", later("presets"), later("published runs, each with its source"), "presets", 6),
    _key("s", later("simulate"), later("simulate the plan at its best interval"), "simulate", 4),
    _key("S", later("simulate now"), later("simulate the present interval"), "simulate_now", 11),
    _key("a", later("pin A"), later("pin this plan as A, or let it go"), "pin", 7),
    _key(
        "f",
        later("failures"),
        later("the failures that were seen, and planned stops"),
        "failures",
        8,
    ),
    _key("t", later("retention"), later("what a retention policy would keep and free"), "keep", 9),
    _key("e", later("export"), later("to a file or to the terminal's clipboard"), "export", 5),
)
"""What the panel itself does while no field has the keys."""

READING_KEYS = (
    _key("enter", later("edit"), later("edit the fields"), "edit", 2),
    FILL,
    *PLANNER_KEYS,
    _key("escape", later("close"), later("close the planner"), "back", 1, "esc"),
    _key("question_mark", later("help"), later("the help"), "screen.help", 10, "?"),
    _key("q", later("quit"), later("quit"), "app.leave", 12),
)
"""While no field has the keys."""

EDITING_KEYS = (
    _key("tab", later("next field"), later("the next field"), "app.focus_next", 2),
    FILL,
    _key("escape", later("leave"), later("leave the field"), "leave", 1, "esc"),
)
"""While a field has them: letters are text."""

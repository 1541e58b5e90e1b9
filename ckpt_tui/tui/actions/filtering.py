"""What keys do in the line of the filter; letters are text there."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.words import later

_GROUP = later("In the filter")

FILTER_KEYS = (
    Action("filter.earlier", "up", "↑", later("earlier"), later("the filter that was used before"),
           _GROUP, "recall(1)", palette=False),
    Action("filter.later", "down", "↓", later("later"),
           later("the one after it, and what was typed"), _GROUP, "recall(-1)", palette=False),
)  # fmt: skip
"""In the order of the help."""

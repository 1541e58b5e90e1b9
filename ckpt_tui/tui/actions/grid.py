"""What keys do in the grid of ranks."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.words import later

_GROUP = later("Rank grid")


def _key(name: str, keys: str, shown: str, label: str, text: str, call: str, place: int) -> Action:
    return Action(
        f"grid.{name}", keys, shown, label, text, _GROUP, f"focused.{call}",
        place, place, palette=False,
    )  # fmt: skip


GRID_KEYS = (
    _key("next", "n", "n", later("trouble"),
         later("to the next rank in trouble, or unlike the others"),
         "next_trouble(1)", 1),
    _key("previous", "N", "N", later("previous"),
         later("the rank in trouble before"), "next_trouble(-1)", 7),
    _key("in", "plus,equals_sign", "+", later("closer"),
         later("zoom in: half as many ranks in a cell"),
         "zoom(1)", 2),
    _key("out", "minus", "-", later("farther"),
         later("zoom out, until all ranks are seen"), "zoom(-1)", 3),
    _key("whole", "z", "z", later("zoom"), later("a cell for every rank, and back to all of them"),
         "toggle_zoom", 2),
    _key("order", "o", "o", later("order"),
         later("rows by the next parallel axis, or by rank"), "order", 2),
)  # fmt: skip
"""In the order of the footer."""

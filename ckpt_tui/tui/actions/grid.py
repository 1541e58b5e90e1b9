"""What keys do in the grid of ranks."""

from __future__ import annotations

from functools import partial

from ckpt_tui.tui.actions.action import focused_action
from ckpt_tui.words import later

_key = partial(focused_action, "grid", later("Rank grid"))

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

"""What keys do in the list of tensors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ckpt_tui.tui.actions.action import focused_action
from ckpt_tui.words import later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.tui.actions.action import Action

_key = partial(focused_action, "tensors", later("Tensors"))

TENSOR_KEYS = (
    _key("open", "enter", "enter", later("chunks"),
         later("which rank's file holds which rows of the tensor"),
         "chunks", 1),
    _key("find", "slash", "/", later("find"),
         later("look for tensors: a word, dtype:bf16, shape:4096, size>16m"),
         "find", 1),
    _key("sort", "s", "s", later("sort"),
         later("sort by name, by size, or as the headers have them"),
         "sort_tensors", 2),
    _key("reverse", "S", "S", later("reverse"),
         later("sort the other way round"), "reverse_tensors", 7),
    _key("back", "escape", "esc", later("back"),
         later("leave the chunks, or the search"), "back_to_tensors", 8),
)  # fmt: skip
"""In the order of the footer."""


def with_tensor_keys(others: Sequence[Action]) -> tuple[Action, ...]:
    """The keys of the list before those of the screen; a key of both is the list's."""
    own = {key for action in TENSOR_KEYS for key in action.keys.split(",")}
    left = (action for action in others if own.isdisjoint(action.keys.split(",")))
    return (*TENSOR_KEYS, *left)

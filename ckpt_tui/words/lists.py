"""Several things in one phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence


def listed(items: Sequence[str]) -> str:
    """Items as prose, in the language in use: "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return say(", ").join(items[:-1]) + say(" and ") + items[-1]

"""The chance that a fault comes before the next save is on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.fault_cost import fault_chance
from ckpt_tui.core.text import duration_text
from ckpt_tui.tui.answers.blocks import filled
from ckpt_tui.tui.lines import BLANK, Line, Tone, piece
from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.tui.view import View

_LEAST = 0.0005
_MUCH = 0.1
"""From this chance on it is worth a colour."""


def chance_lines(view: View, minutes: float | None) -> tuple[Line, Line]:
    """With and without the MTBF it was reckoned with; empty where there is nothing to say.

    Args:
        view: Gives the rate of faults, the planner's.
        minutes: Until the next save is complete; None where unknown, 0 where it is overdue.
    """
    rate = view.fault_rate_per_hour
    if not rate or not minutes:
        return BLANK, BLANK
    share = fault_chance(minutes, rate)
    text = f"{100 * share:.1f} %" if share >= _LEAST else "< 0.1 %"
    tone = Tone.WARN if share >= _MUCH else Tone.PLAIN
    short = filled(say("fault before then: {chance}"), chance=piece(text, tone))
    return (*short, piece(f" (MTBF {duration_text(3600 / rate)})", Tone.DIM)), short

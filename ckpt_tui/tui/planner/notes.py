"""The short word behind a field: what else its value means, or where it came from."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from ckpt_tui.tui.lines import Piece, Tone, piece
from ckpt_tui.tui.planner.figures import interval_text
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs

SILENT = piece("")


class Origin(StrEnum):
    """Where a field's text came from; the value, when said, is what the field's note says."""

    DEFAULT = later("default")
    OPTION = later("option")
    TYPED = later("typed")
    PRESET = later("preset")
    DIRECTORY = later("directory")
    AT_LEAST = later("≥ directory")
    AT_MOST = later("≤ directory")

    @property
    def is_observed(self) -> bool:
        """Whether the directory told it."""
        return self in _OBSERVED


_OBSERVED = frozenset({Origin.DIRECTORY, Origin.AT_LEAST, Origin.AT_MOST})


def field_note(name: str, origin: Origin, inputs: PlanInputs | None) -> Piece:
    """What to say behind a field whose text can be read.

    Args:
        name: The field of `PlanInputs`.
        origin: Where its text came from.
        inputs: What was read last; None where this field could not be read.
    """
    if origin.is_observed:
        return piece(say(origin.value), Tone.FAIR)
    if inputs is None:
        return SILENT
    if name == "fault_rate_per_hour" and inputs.fault_rate_per_hour > 0:
        return piece(f"MTBF {_hours_text(inputs.mtbf_minutes)}", Tone.DIM)
    if getattr(inputs, name) is not None:
        return piece(say(origin.value), Tone.DIM)
    return SILENT


def _hours_text(minutes: float) -> str:
    hours = minutes / 60
    if hours < 1:
        return interval_text(minutes)
    return f"{hours:.3g} h" if hours < 1000 else interval_text(minutes)

"""What a run's directory shows, as texts for the fields, each with where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import bytes_text, plural
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.units import format_duration
from ckpt_tui.tui.lines import Line, Tone, line, piece, wrapped
from ckpt_tui.tui.planner.figures import interval_text

if TYPE_CHECKING:
    from ckpt_tui.core.cadence import Cadence

NOTHING_SHOWN = "the directory shows no interval, save time or size yet: nothing was filled in"


class Filled(NamedTuple):
    """One field's text from the directory.

    Attributes:
        field: Its name in `PlanInputs`.
        text: What to put into it.
        lower_bound: True where the truth may be more.
        says: A phrase with the value and how it was observed.
    """

    field: str
    text: str
    lower_bound: bool
    says: str


def filled_from(cadence: Cadence | None, mode: PlanMode) -> tuple[Filled, ...]:
    """The fields that the directory can fill; none where it shows nothing."""
    if cadence is None:
        return ()
    found: list[Filled] = []
    if cadence.interval_minutes:
        text = format_duration(cadence.interval_minutes)
        says = f"every {interval_text(cadence.interval_minutes)} from commit to commit"
        if cadence.interval_steps:
            says += f" ({plural(cadence.interval_steps, 'step')})"
        found.append(Filled("current_interval_minutes", text, False, says))
    if cadence.save_minutes is not None:
        found.append(_save(cadence.save_minutes, cadence.save_is_lower_bound, mode))
    if cadence.checkpoint_bytes:
        size = bytes_text(cadence.checkpoint_bytes)
        found.append(Filled("checkpoint_bytes", size.replace(" ", ""), False, f"size {size}"))
    return tuple(found)


def source_lines(filled: tuple[Filled, ...], saves: int, run: str, width: int) -> list[Line]:
    """A sentence, wrapped: what was taken from which directory.

    Args:
        filled: What was found.
        saves: Committed checkpoints that were looked at.
        run: Name of the run; "" where there is only one to speak of.
        width: Cells there are.
    """
    if filled:
        basis = "its only committed checkpoint" if saves == 1 else f"medians of {saves} saves"
        text, tone = f"from the directory{f' of {run}' if run else ''}, {basis}: ", Tone.FAIR
        text += "; ".join(each.says for each in filled)
    else:
        text, tone = NOTHING_SHOWN, Tone.WARN
    return [line(" ", piece(row, tone)) for row in wrapped(text, width - 2)]


def _save(minutes: float, lower_bound: bool, mode: PlanMode) -> Filled:
    word = "persist" if mode is PlanMode.ASYNC else "save"
    took = interval_text(minutes)
    if lower_bound:
        says = f"{word} at least {took} (file times show only when writes ended)"
    else:
        says = f"{word} {took} (observed, first write to commit)"
    return Filled(mode.observed_save_field, format_duration(minutes), lower_bound, says)

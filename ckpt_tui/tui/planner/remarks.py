"""Sentences below a plan's table: steps, chances, warnings, and what the figures mean."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.tui.icons import WARNING_MARK
from ckpt_tui.tui.lines import Line, Tone, line, piece, width_of, wrapped
from ckpt_tui.tui.planner.figures import coarse_percent, faults_cell, interval_text, precise_time
from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.planner.result import Plan

_UNBREAKABLE = "\N{NO-BREAK SPACE}"
_TOLD_ABOVE = frozenset({"no-failures", "free-save", "lesson-is-synchronous"})
"""Warnings that the answer or the table's titles give already."""


def remark_lines(plan: Plan, width: int, weights: str = "") -> list[Line]:
    """Wrapped to the width; warnings first, each with its sign.

    Args:
        plan: The plan.
        width: Cells there are.
        weights: A sentence about how much hangs on each input.
    """
    lines: list[Line] = []
    for warning in plan.warnings:
        if warning.code not in _TOLD_ABOVE:
            text = warning.said[:1].upper() + warning.said[1:]
            lines += _sentence(text, width, Tone.WARN, f"{WARNING_MARK} ")
    if plan.steps:
        steps = plan.steps.steps
        every = interval_text(plan.steps.interval_minutes)
        text = say(
            "In whole steps: every {steps} ({interval}). Trainer: save_steps={steps}, Megatron:"
            " --save-interval {steps}",
            steps=steps,
            interval=every,
        )
        lines += _sentence(text, width)
    lines += _sentence(weights, width)
    lines += _sentence(_wall_time(plan), width, Tone.DIM)
    lines += _sentence(_chances(plan), width, Tone.DIM)
    return lines + _sentence(_meaning(plan), width, Tone.DIM)


def _sentence(text: str, width: int, tone: Tone = Tone.PLAIN, mark: str = "") -> list[Line]:
    """Lines of one sentence, all indented as far as the first after its mark."""
    if not text:
        return []
    lead = f" {mark}"
    rows = _rows(text, max(8, width - len(lead) - 1))
    indents = [lead, *[" " * len(lead)] * (len(rows) - 1)]
    return [line(piece(indent + row, tone)) for indent, row in zip(indents, rows, strict=True)]


def _rows(text: str, width: int) -> list[str]:
    """A figure stays with its unit where a line can only end between words."""
    if width_of(line(text)) > len(text):
        return wrapped(text, width)
    kept = text.replace(" %", f"{_UNBREAKABLE}%").replace("< ", f"<{_UNBREAKABLE}")
    rows = textwrap.wrap(kept, width, break_on_hyphens=False)
    return [row.replace(_UNBREAKABLE, " ") for row in rows]


def _wall_time(plan: Plan) -> str:
    """How long the run takes at the best listed interval, and between which times most runs end."""
    best = plan.best_row
    if best is None or best.budget is None:
        return ""
    interval = interval_text(best.interval_minutes)
    time = precise_time(best.budget.wall_minutes)
    if best.wall_band_minutes is None:
        return say("At {interval} the run takes {time}.", interval=interval, time=time)
    low, high = (precise_time(edge) for edge in best.wall_band_minutes)
    return say(
        "At {interval} the run takes {time}, 5 to 95 % of such runs {low} to {high} (s simulates).",
        interval=interval,
        time=time,
        low=low,
        high=high,
    )


def _chances(plan: Plan) -> str:
    """The expected count is not what any one run sees."""
    if plan.fault_probabilities is None or not plan.inputs.fault_rate_per_hour:
        return ""
    expected = faults_cell(plan.inputs.run_minutes / plan.inputs.mtbf_minutes)
    none, one, two, more = (coarse_percent(share) for share in plan.fault_probabilities)
    return say(
        "{count} faults are expected in the run: none with a chance of {none}, one {one},"
        " two {two}, more {more}.",
        count=expected,
        none=none,
        one=one,
        two=two,
        more=more,
    )


def _meaning(plan: Plan) -> str:
    text = say("An interval is useful work between two saves; the exact run also saves at its end.")
    if plan.inputs.mode is PlanMode.SYNC:
        text += say(
            " The lesson counts floor(run / interval) saves of wall time and no fault in a save."
        )
    return text + say(" The last row is a run without any checkpoint.")

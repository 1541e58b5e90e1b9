"""What follows from a plan beyond its table, as lines of at most 80 columns."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.advice import run_cost
from ckpt_tui.planner.published import other_formulas
from ckpt_tui.planner.sensitivity import sensitivities
from ckpt_tui.planner.storage import storage_of
from ckpt_tui.planner.units import format_duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.retention import Policy

_WIDTH = 80
_WORDS = {
    "mtbf_minutes": "MTBF",
    "save_minutes": "save",
    "reload_minutes": "reload",
    "down_minutes": "down",
    "snapshot_minutes": "snapshot",
    "persist_minutes": "persist",
    "slowdown": "slowdown",
    "level1_save_minutes": "level-1 save",
    "level1_reload_minutes": "level-1 reload",
    "level1_down_minutes": "level-1 down",
    "level1_coverage": "level-1 coverage",
}


def advice_text(plan: Plan, policy: Policy | None = None) -> str:
    """Cost, sensitivities, storage and the formulas of others; "" where there is nothing to say.

    Args:
        plan: The plan.
        policy: Which checkpoints are kept; None keeps all.
    """
    sentences = (
        *_cost(plan),
        *sensitivity_sentences(plan),
        *_storage(plan, policy),
        *_others(plan),
    )
    return "\n".join(
        line for text in sentences for line in textwrap.wrap(text, _WIDTH, subsequent_indent="  ")
    )


def sensitivity_sentences(plan: Plan) -> Iterator[str]:
    """One sentence, or none where there is no optimum."""
    found = sensitivities(plan.inputs)
    if found:
        told = ", ".join(f"{_WORDS[each.field]} {each.elasticity:+.3f}" for each in found)
        yield f"Goodput per 1 % more of each input, in %: {told}."


def _cost(plan: Plan) -> Iterator[str]:
    cost = run_cost(plan)
    if cost is None or plan.best_exact_minutes is None:
        return
    text = f"The run at {format_duration(plan.best_exact_minutes)} takes {_number(cost.gpu_hours)}"
    text += f" GPU-hours, {_number(cost.overhead_gpu_hours)} of them overhead"
    if cost.cost is not None and cost.overhead_cost is not None:
        text += f": {_number(cost.cost)} in money, {_number(cost.overhead_cost)} of it overhead"
    yield f"{text}."


def _storage(plan: Plan, policy: Policy | None) -> Iterator[str]:
    told = []
    for row in plan.exact_rows:
        storage = storage_of(plan.inputs, row, policy)
        if storage is not None:
            text = f"{format_duration(row.interval_minutes)} {bytes_text(storage.written_bytes)}"
            if policy is not None:
                text += f" (keeps at most {storage.kept_checkpoints}:"
                text += f" {bytes_text(storage.kept_bytes)})"
            told.append(text)
    if told:
        yield f"Written in all: {', '.join(told)}"


def _others(plan: Plan) -> Iterator[str]:
    others = other_formulas(plan.inputs)
    if others is None:
        return
    ettr = ", ".join(
        f"{format_duration(interval)} {share:.4f}"
        for interval, share in zip(plan.inputs.intervals_minutes, others.meta_ettr, strict=True)
    )
    yield (
        f"By the formulas of others: Young less the save"
        f" {format_duration(others.young_minus_save_minutes)}; Saxena's period"
        f" {format_duration(others.saxena_period_minutes)}; Meta's E[ETTR] {ettr}."
    )


def _number(value: float) -> str:
    return f"{value:,.2f}" if value < 1e4 else f"{value:,.0f}" if value < 1e12 else f"{value:.3g}"

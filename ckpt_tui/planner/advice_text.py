"""What follows from a plan beyond its table, as lines of at most 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.published import other_formulas
from ckpt_tui.planner.run_cost import run_cost
from ckpt_tui.planner.sensitivity import sensitivities
from ckpt_tui.planner.storage import storage_of
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import later, say
from ckpt_tui.words.wrapping import paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.retention import Policy

_WIDTH = 80
_WORDS = {
    "mtbf_minutes": "MTBF",
    "save_minutes": later("save"),
    "reload_minutes": later("reload"),
    "down_minutes": later("down"),
    "snapshot_minutes": later("snapshot"),
    "persist_minutes": later("persist"),
    "slowdown": later("slowdown"),
    "level1_save_minutes": later("level-1 save"),
    "level1_reload_minutes": later("level-1 reload"),
    "level1_down_minutes": later("level-1 down"),
    "level1_coverage": later("level-1 coverage"),
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
    return "\n".join(line for text in sentences for line in paragraph(text, _WIDTH, rest="  "))


def sensitivity_sentences(plan: Plan) -> Iterator[str]:
    """One sentence, or none where there is no optimum."""
    found = sensitivities(plan.inputs)
    if found:
        told = say(", ").join(f"{say(_WORDS[each.field])} {each.elasticity:+.3f}" for each in found)
        yield say("Goodput per 1 % more of each input, in %: {told}.", told=told)


def _cost(plan: Plan) -> Iterator[str]:
    cost = run_cost(plan)
    if cost is None or plan.best_exact_minutes is None:
        return
    text = say(
        "The run at {interval} takes {hours} GPU-hours, {overhead} of them overhead",
        interval=format_duration(plan.best_exact_minutes),
        hours=_number(cost.gpu_hours),
        overhead=_number(cost.overhead_gpu_hours),
    )
    if cost.cost is not None and cost.overhead_cost is not None:
        text += say(
            ": {money} in money, {overhead} of it overhead",
            money=_number(cost.cost),
            overhead=_number(cost.overhead_cost),
        )
    yield text + say(".")


def _storage(plan: Plan, policy: Policy | None) -> Iterator[str]:
    told = []
    for row in plan.exact_rows:
        storage = storage_of(plan.inputs, row, policy)
        if storage is not None:
            text = f"{format_duration(row.interval_minutes)} {bytes_text(storage.written_bytes)}"
            if policy is not None:
                text += say(
                    " (keeps at most {count}: {size})",
                    count=storage.kept_checkpoints,
                    size=bytes_text(storage.kept_bytes),
                )
            told.append(text)
    if told:
        yield say("Written in all: {sizes}", sizes=say(", ").join(told))


def _others(plan: Plan) -> Iterator[str]:
    others = other_formulas(plan.inputs)
    if others is None:
        return
    ettr = say(", ").join(
        f"{format_duration(interval)} {share:.4f}"
        for interval, share in zip(plan.inputs.intervals_minutes, others.meta_ettr, strict=True)
    )
    yield say(
        "By the formulas of others: Young less the save {young}; Saxena's period {saxena};"
        " Meta's E[ETTR] {ettr}.",
        young=format_duration(others.young_minus_save_minutes),
        saxena=format_duration(others.saxena_period_minutes),
        ettr=ettr,
    )


def _number(value: float) -> str:
    return f"{value:,.2f}" if value < 1e4 else f"{value:,.0f}" if value < 1e12 else f"{value:.3g}"

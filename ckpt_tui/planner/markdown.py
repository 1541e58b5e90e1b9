"""The plan as Markdown, to paste into a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.storage import storage_of
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.retention import Policy

_COLUMNS = (
    later("interval"),
    later("save"),
    later("rollback"),
    later("down"),
    later("reload"),
    later("overhead"),
    later("goodput"),
    later("faults"),
    later("wall"),
    "5–95 %",
    later("lesson total"),
)
_SIZE_COLUMNS = (later("a day"), later("in all"), later("kept"))


def plan_markdown(plan: Plan, policy: Policy | None = None) -> str:
    """Inputs, the table of all intervals and of none, the optima and the warnings.

    Args:
        plan: The plan.
        policy: Which checkpoints are kept, for the storage columns; None keeps all.
    """
    title = say("Checkpoint interval")
    lines = [f"# {title}", "", *_input_lines(plan), "", *_table(plan, policy), ""]
    lines += [f"- {text}" for text in _results(plan)]
    lines += [f"- ⚠ {warning.said}" for warning in plan.warnings]
    return "\n".join(lines)


def _input_lines(plan: Plan) -> Iterator[str]:
    yield _line((say("input"), say("value")))
    yield "|---|---|"
    for field, value in plan.inputs._asdict().items():
        if value is not None:
            yield f"| {field} | {_value(value)} |"


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{each:g}" for each in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _table(plan: Plan, policy: Policy | None) -> Iterator[str]:
    sized = plan.inputs.checkpoint_bytes is not None
    columns = (*_COLUMNS, *_SIZE_COLUMNS) if sized else _COLUMNS
    yield _line(tuple(say(column) for column in columns))
    yield "|---" + "|---:" * (len(columns) - 1) + "|"
    for lesson, row in zip(plan.lesson_rows, plan.exact_rows, strict=True):
        name = format_duration(row.interval_minutes)
        if row.interval_minutes == plan.best_exact_minutes:
            name = f"**{name}**"
        band = "–"
        if row.wall_band_minutes is not None:
            low, high = (format_duration(edge) for edge in row.wall_band_minutes)
            band = say("{low} to {high}", low=low, high=high)
        cells = (name, *_budget(row.budget), band, f"{lesson.total_overhead_minutes:.2f} min")
        storage = storage_of(plan.inputs, row, policy)
        if storage is not None:
            cells += (
                bytes_text(storage.bytes_per_day),
                bytes_text(storage.written_bytes),
                f"{storage.kept_checkpoints} ({bytes_text(storage.kept_bytes)})",
            )
        yield _line(cells)
    rest = ("–",) * (len(columns) - 9)
    yield _line((say("never"), *_budget(plan.unsaved), *rest))


def _budget(budget: Budget | None) -> tuple[str, ...]:
    if budget is None:
        return (say("does not finish"), *("–",) * 7)
    return (
        format_duration(budget.save_minutes),
        format_duration(budget.rollback_minutes),
        format_duration(budget.down_minutes),
        format_duration(budget.reload_minutes),
        _percent(budget.overhead),
        _percent(budget.goodput),
        f"{budget.failures:.2f}",
        format_duration(budget.wall_minutes),
    )


def _results(plan: Plan) -> Iterator[str]:
    for name, minutes in (("Young", plan.young_minutes), ("Daly", plan.daly_minutes)):
        if minutes is not None:
            yield f"{name}: {format_duration(minutes)}"
    best = plan.optimum
    if best is not None:
        yield say(
            "Exact best: {interval}, goodput {share}",
            interval=format_duration(best.interval_minutes),
            share=_percent(best.goodput),
        )
        if best.within_5_percent_minutes is not None:
            low, high = (format_duration(edge) for edge in best.within_5_percent_minutes)
            yield say("Anything from {low} to {high} is within 5 % of the best", low=low, high=high)
    if plan.steps is not None:
        interval = format_duration(plan.steps.interval_minutes)
        yield say("In steps: every {steps} ({interval})", steps=plan.steps.steps, interval=interval)
    if plan.fault_probabilities is not None:
        none, one, *_ = plan.fault_probabilities
        yield say(
            "Chance of no fault in the run {none}, of one {one}",
            none=_percent(none),
            one=_percent(one),
        )


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"

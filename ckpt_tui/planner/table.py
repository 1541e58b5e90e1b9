"""The plan as plain text for a terminal of 80 columns."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.units import format_duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.planner.advice import Regret
    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.planner.rows import LessonRow

_WIDTH = 80
_INTERVAL_WIDTH = 15
_LESSON_WIDTHS = (9, 9, 9, 9)
_EXACT_WIDTHS = (10, 9)


def plan_table(plan: Plan) -> str:
    """One line a listed interval, then the optima, what follows, and the warnings.

    Lines of at most 80 columns, without a trailing newline.
    """
    lines = [
        *_wrapped(_assumptions(plan.inputs)),
        "",
        *_rows(plan),
        "",
        *_results(plan),
    ]
    for warning in plan.warnings:
        lines += _wrapped(f"⚠ {warning.message}", "  ")
    return "\n".join(line.rstrip() for line in lines)


def _assumptions(inputs: PlanInputs) -> str:
    rate = f"{inputs.fault_rate_per_hour:g} faults/h"
    if math.isfinite(inputs.mtbf_minutes):
        rate += f" (MTBF {format_duration(inputs.mtbf_minutes)})"
    parts = [f"run {format_duration(inputs.run_minutes)}", rate, *_save_terms(inputs)]
    parts.append(f"reload {format_duration(inputs.reload_minutes)}")
    parts.append(f"down {format_duration(inputs.down_minutes)}")
    if inputs.weibull_shape is not None:
        parts.append(f"Weibull shape {inputs.weibull_shape:g}")
    return f"Plan ({inputs.mode}): " + ", ".join(parts)


def _save_terms(inputs: PlanInputs) -> Iterator[str]:
    if inputs.mode is PlanMode.ASYNC:
        yield f"snapshot {format_duration(inputs.snapshot_minutes)}"
        yield f"persist {format_duration(inputs.persist_minutes)}"
        yield f"slowdown {inputs.slowdown:.3g}"
        return
    if inputs.mode is PlanMode.TWO_LEVEL:
        yield f"level-1 save {format_duration(inputs.level1_save_minutes)}"
        yield f"covers {_percent(inputs.level1_coverage)}"
    yield f"save {format_duration(inputs.save_minutes)}"


def _rows(plan: Plan) -> Iterator[str]:
    lesson_width, exact_width = sum(_LESSON_WIDTHS), sum(_EXACT_WIDTHS)
    yield (
        " " * (_INTERVAL_WIDTH + 2)
        + "lesson, minutes a run".rjust(lesson_width)
        + ("exact".rjust(exact_width))
    )
    header = _cells(("save", "rollback", "reload", "total"), _LESSON_WIDTHS)
    header += _cells(("overhead", "goodput"), _EXACT_WIDTHS)
    yield f"  {'interval':<{_INTERVAL_WIDTH}}{header}"
    for lesson, exact in zip(plan.lesson_rows, plan.exact_rows, strict=True):
        note = plan.note_of(lesson.interval_minutes)
        mark = "▶ " if lesson.interval_minutes == plan.best_exact_minutes else "  "
        interval = f"{format_duration(lesson.interval_minutes):<{_INTERVAL_WIDTH}}"
        yield f"{mark}{interval}{_lesson_cells(lesson)}{_exact_cells(exact.budget)}  {note}"
    dashes = _cells(("–",) * 4, _LESSON_WIDTHS)
    yield f"  {'never':<{_INTERVAL_WIDTH}}{dashes}{_exact_cells(plan.unsaved)}"


def _lesson_cells(row: LessonRow) -> str:
    values = (
        row.save_overhead_minutes,
        row.expected_rollback_minutes,
        row.expected_reload_minutes,
        row.total_overhead_minutes,
    )
    return _cells([_minutes(value) for value in values], _LESSON_WIDTHS)


def _exact_cells(budget: Budget | None) -> str:
    if budget is None:
        return "does not finish".rjust(sum(_EXACT_WIDTHS))
    return _cells((_percent(budget.overhead), _percent(budget.goodput)), _EXACT_WIDTHS)


def _results(plan: Plan) -> Iterator[str]:
    best = plan.optimum
    parts = [
        f"{name} {format_duration(minutes)}"
        for name, minutes in (("Young", plan.young_minutes), ("Daly", plan.daly_minutes))
        if minutes is not None
    ]
    if best:
        parts.append(f"exact best {format_duration(best.interval_minutes)}")
        parts.append(f"goodput {_percent(best.goodput)}")
        if best.level2_every_saves:
            parts.append(f"level 2 every {best.level2_every_saves} saves")
    if parts:
        yield from _wrapped(" · ".join(parts))
    if best and best.within_5_percent_minutes:
        low, high = (format_duration(edge) for edge in best.within_5_percent_minutes)
        yield f"Anything from {low} to {high} is within 5 % of the best."
    yield from _row_facts(plan)
    if plan.fault_probabilities:
        none, one, *_ = plan.fault_probabilities
        yield f"Chance of no fault at all in the run {_percent(none)}, of one {_percent(one)}."
    if plan.steps:
        interval = format_duration(plan.steps.interval_minutes)
        yield f"In steps: save every {plan.steps.steps} ({interval})."
    if plan.regret:
        yield from _wrapped(_regret_text(plan.regret))


def _row_facts(plan: Plan) -> Iterator[str]:
    """Facts that only some plans have and the table has no column for."""
    levels = [
        f"{format_duration(row.interval_minutes)} {row.level2_every_saves}"
        for row in plan.exact_rows
        if row.level2_every_saves
    ]
    if levels:
        yield from _wrapped("Saves per level-2 save: " + ", ".join(levels), "  ")
    storage = [
        f"{format_duration(row.interval_minutes)} {bytes_text(row.storage_bytes_per_day)}"
        for row in plan.exact_rows
        if row.storage_bytes_per_day is not None
    ]
    if storage:
        yield from _wrapped("Written a day: " + ", ".join(storage), "  ")


def _regret_text(regret: Regret) -> str:
    current = format_duration(regret.current_interval_minutes)
    if regret.extra_minutes is None:
        return f"Every {current}, as now, the job does not finish."
    extra = format_duration(regret.extra_minutes)
    text = f"Every {current}, as now, costs {extra} a run more than the best"
    if regret.extra_gpu_hours is not None:
        text += f": {regret.extra_gpu_hours:.1f} GPU-hours"
    if regret.extra_cost is not None:
        text += f", {regret.extra_cost:.2f} in money"
    return f"{text}."


def _cells(texts: tuple[str, ...] | list[str], widths: tuple[int, ...]) -> str:
    return "".join(text.rjust(width) for text, width in zip(texts, widths, strict=True))


def _minutes(value: float) -> str:
    return f"{value:.2f}" if value < 1e5 else f"{value:.2e}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %" if share < 100 else f"{100 * share:.1e} %"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent=indent)

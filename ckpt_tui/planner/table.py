"""The plan as plain text for a terminal of 80 columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import say
from ckpt_tui.words.wrapping import at_right, padded, paragraph

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
        lines += _wrapped(f"⚠ {warning.said}", "  ")
    return "\n".join(line.rstrip() for line in lines)


def _assumptions(inputs: PlanInputs) -> str:
    rate = say("{rate} faults/h", rate=f"{inputs.fault_rate_per_hour:g}")
    if math.isfinite(inputs.mtbf_minutes):
        rate += f" (MTBF {format_duration(inputs.mtbf_minutes)})"
    parts = [_term("run", inputs.run_minutes), rate, *_save_terms(inputs)]
    parts.append(_term("reload", inputs.reload_minutes))
    parts.append(_term("down", inputs.down_minutes))
    if inputs.weibull_shape is not None:
        parts.append(say("Weibull shape {shape}", shape=f"{inputs.weibull_shape:g}"))
    return say("Plan ({mode}): {terms}", mode=inputs.mode, terms=say(", ").join(parts))


def _save_terms(inputs: PlanInputs) -> Iterator[str]:
    if inputs.mode is PlanMode.ASYNC:
        yield _term("snapshot", inputs.snapshot_minutes)
        yield _term("persist", inputs.persist_minutes)
        yield say("slowdown {share}", share=f"{inputs.slowdown:.3g}")
        return
    if inputs.mode is PlanMode.TWO_LEVEL:
        yield _term("level-1 save", inputs.level1_save_minutes)
        yield say("covers {share}", share=_percent(inputs.level1_coverage))
    yield _term("save", inputs.save_minutes)


def _term(name: str, minutes: float) -> str:
    """An input and its time; its name is said as `ckpt_tui.planner.fields` marks it."""
    return f"{say(name)} {format_duration(minutes)}"


def _rows(plan: Plan) -> Iterator[str]:
    lesson_width, exact_width = sum(_LESSON_WIDTHS), sum(_EXACT_WIDTHS)
    yield (
        " " * (_INTERVAL_WIDTH + 2)
        + at_right(say("lesson, minutes a run"), lesson_width)
        + at_right(say("of costs\4exact"), exact_width)
    )
    lesson_titles = (say("save"), say("rollback"), say("reload"), say("total"))
    header = _cells(lesson_titles, _LESSON_WIDTHS)
    header += _cells((say("overhead"), say("goodput")), _EXACT_WIDTHS)
    yield f"  {padded(say('interval'), _INTERVAL_WIDTH)}{header}"
    for lesson, exact in zip(plan.lesson_rows, plan.exact_rows, strict=True):
        note = plan.note_said(lesson.interval_minutes)
        mark = "▶ " if lesson.interval_minutes == plan.best_exact_minutes else "  "
        interval = f"{format_duration(lesson.interval_minutes):<{_INTERVAL_WIDTH}}"
        yield f"{mark}{interval}{_lesson_cells(lesson)}{_exact_cells(exact.budget)}  {note}"
    dashes = _cells(("–",) * 4, _LESSON_WIDTHS)
    yield f"  {padded(say('never'), _INTERVAL_WIDTH)}{dashes}{_exact_cells(plan.unsaved)}"


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
        return at_right(say("does not finish"), sum(_EXACT_WIDTHS))
    return _cells((_percent(budget.overhead), _percent(budget.goodput)), _EXACT_WIDTHS)


def _results(plan: Plan) -> Iterator[str]:
    best = plan.optimum
    parts = [
        f"{name} {format_duration(minutes)}"
        for name, minutes in (("Young", plan.young_minutes), ("Daly", plan.daly_minutes))
        if minutes is not None
    ]
    if best:
        parts.append(say("exact best {time}", time=format_duration(best.interval_minutes)))
        parts.append(say("goodput {share}", share=_percent(best.goodput)))
        if best.level2_every_saves:
            parts.append(say("level 2 every {count} saves", count=best.level2_every_saves))
    if parts:
        yield from _wrapped(" · ".join(parts))
    if best and best.within_5_percent_minutes:
        low, high = (format_duration(edge) for edge in best.within_5_percent_minutes)
        yield say("Anything from {low} to {high} is within 5 % of the best.", low=low, high=high)
    yield from _row_facts(plan)
    if plan.fault_probabilities:
        none, one, *_ = plan.fault_probabilities
        yield say(
            "Chance of no fault at all in the run {none}, of one {one}.",
            none=_percent(none),
            one=_percent(one),
        )
    if plan.steps:
        interval = format_duration(plan.steps.interval_minutes)
        yield say(
            "In steps: save every {steps} ({interval}).", steps=plan.steps.steps, interval=interval
        )
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
        text = say("Saves per level-2 save: {counts}", counts=say(", ").join(levels))
        yield from _wrapped(text, "  ")
    storage = [
        f"{format_duration(row.interval_minutes)} {bytes_text(row.storage_bytes_per_day)}"
        for row in plan.exact_rows
        if row.storage_bytes_per_day is not None
    ]
    if storage:
        text = say("Written a day: {sizes}", sizes=say(", ").join(storage))
        yield from _wrapped(text, "  ")


def _regret_text(regret: Regret) -> str:
    current = format_duration(regret.current_interval_minutes)
    if regret.extra_minutes is None:
        return say("Every {current}, as now, the job does not finish.", current=current)
    text = say(
        "Every {current}, as now, costs {extra} a run more than the best",
        current=current,
        extra=format_duration(regret.extra_minutes),
    )
    if regret.extra_gpu_hours is not None:
        text += say(": {hours} GPU-hours", hours=f"{regret.extra_gpu_hours:.1f}")
    if regret.extra_cost is not None:
        text += say(", {money} in money", money=f"{regret.extra_cost:.2f}")
    return text + say(".")


def _cells(texts: tuple[str, ...] | list[str], widths: tuple[int, ...]) -> str:
    return "".join(at_right(text, width) for text, width in zip(texts, widths, strict=True))


def _minutes(value: float) -> str:
    return f"{value:.2f}" if value < 1e5 else f"{value:.2e}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %" if share < 100 else f"{100 * share:.1e} %"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return paragraph(text, _WIDTH, rest=indent)

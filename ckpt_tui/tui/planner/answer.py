"""The first lines of the panel: the best interval, how much it matters, and the price of now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.planner.evidence import WIDE
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.result import FIRST_ORDER_HOLDS
from ckpt_tui.tui.actions.planner import FILL_KEY
from ckpt_tui.tui.icons import RESUME_MARK, WARNING_MARK
from ckpt_tui.tui.lines import Line, Tone, flowed, line, piece, width_of, wrapped
from ckpt_tui.tui.planner.figures import (
    amount,
    coarse_percent,
    faults_cell,
    interval_text,
    percent,
    span_text,
)
from ckpt_tui.words import say, say_count

if TYPE_CHECKING:
    from ckpt_tui.planner.advice import Regret
    from ckpt_tui.planner.result import Optimum, Plan

_NOTHING_MINUTES = 0.05
_VISIBLE_GAP = 0.0005
_NO_OPTIMUM = ("no-failures", "free-save")


def answer_lines(
    plan: Plan, width: int, stale: bool, credible: tuple[float, float] | None = None
) -> list[Line]:
    """What to do, whom to compare with, and what it costs not to.

    Args:
        plan: The plan to speak of.
        width: Cells there are.
        stale: The fields hold something that no plan can be made of; this is the last good one.
        credible: Credible interval of the best interval, minutes; None where the rate was given.
    """
    mark = WARNING_MARK if stale else RESUME_MARK
    label = f"{mark} {say('LAST GOOD' if stale else 'BEST')}"
    head = line(" ", piece(label, Tone.WARN if stale else Tone.OK), "  ")
    best = plan.optimum
    if best is None:
        return [*_no_best(plan, head, width), *_flowed([*_listed(plan), *_now(plan)], width)]
    first = (*head, piece(_every(plan, best), Tone.BOLD))
    parts = [*_listed(plan), *_gain(best), *_certainty(credible), *_faults(plan)]
    parts += [*_formulas(plan), *_badge(plan), *_now(plan)]
    return _flowed(parts, width, first)


def _flowed(parts: list[Line], width: int, first: Line = ()) -> list[Line]:
    """Parts side by side, every line one cell from the left."""
    rows = flowed([first[1:], *parts] if first else parts, width - 1)
    return [(piece(" "), *row) for row in rows]


def _no_best(plan: Plan, head: Line, width: int) -> list[Line]:
    why = next((w.said for w in plan.warnings if w.code in _NO_OPTIMUM), say("there is none."))
    indent = width_of(head)
    first, *rest = wrapped(say("none: {reason}", reason=why), width - indent - 1)
    following = [line(" " * indent, piece(row, Tone.WARN)) for row in rest]
    return [(*head, piece(first, Tone.WARN)), *following]


def _every(plan: Plan, best: Optimum) -> str:
    if best.interval_minutes > plan.inputs.run_minutes:
        return say(
            "one save at the end ({interval} is beyond the run)",
            interval=interval_text(best.interval_minutes),
        )
    every = say("save every {interval}", interval=interval_text(best.interval_minutes))
    if plan.steps:
        every += say_count(plan.steps.steps, " = {count} step", " = {count} steps")
    if best.level2_every_saves:
        every += say_count(
            best.level2_every_saves,
            ", level 2 every {count} save",
            ", level 2 every {count} saves",
        )
    return every


def _gain(best: Optimum) -> list[Line]:
    if best.within_5_percent_minutes is None:
        text = say("the job does not finish: failures come too fast")
        return [line(piece(text, Tone.BAD))]
    span = span_text(*best.within_5_percent_minutes)
    return [
        line(say("goodput {share}", share=percent(best.goodput))),
        line(piece(say("anything from {span} is within 5 %", span=span), Tone.FAIR)),
    ]


def _certainty(credible: tuple[float, float] | None) -> list[Line]:
    if credible is None:
        return []
    low, high = credible
    text = say("by the failures seen {span} with 90 %", span=span_text(low, high))
    if high > WIDE * low:
        return [line(piece(f"{WARNING_MARK} {text}", Tone.WARN))]
    return [line(text)]


def _faults(plan: Plan) -> list[Line]:
    """The expected count beside the chance that any one run sees none at all."""
    if plan.fault_probabilities is None or not plan.inputs.fault_rate_per_hour:
        return []
    expected = faults_cell(plan.inputs.run_minutes / plan.inputs.mtbf_minutes)
    none = coarse_percent(plan.fault_probabilities[0])
    return [line(say("{count} faults expected, none: {share}", count=expected, share=none))]


def _listed(plan: Plan) -> list[Line]:
    exact, lesson = plan.best_exact_minutes, plan.best_lesson_minutes
    if exact is None:
        return [line(piece(say("of the list none finishes"), Tone.BAD))]
    names = interval_text(exact)
    if exact != lesson and plan.inputs.mode is PlanMode.SYNC:
        names = say("{interval} (lesson: {other})", interval=names, other=interval_text(lesson))
    return [line(say("of the list "), piece(names, Tone.BOLD))]


def _formulas(plan: Plan) -> list[Line]:
    named = (("Young", plan.young_minutes), ("Daly", plan.daly_minutes))
    known = [f"{name} {interval_text(minutes)}" for name, minutes in named if minutes is not None]
    return [line(say(", ").join(known))]


def _badge(plan: Plan) -> list[Line]:
    gap = plan.first_order_gap
    if gap is None:
        return []
    if abs(gap) >= FIRST_ORDER_HOLDS:
        size = f"{'-' if gap > 0 else '+'}{100 * abs(gap):.0f} %"
        text = say(
            "first-order, {size}: the lesson is too low"
            if gap > 0
            else "first-order, {size}: the lesson is too high",
            size=size,
        )
        return [line(piece(f"{WARNING_MARK} {text}", Tone.WARN))]
    text = say("first order holds")
    if abs(gap) >= _VISIBLE_GAP:
        text = say(
            "first order holds: {share} below exact"
            if gap > 0
            else "first order holds: {share} above exact",
            share=f"{100 * abs(gap):.1f} %",
        )
    return [line(piece(f"✔ {text}", Tone.FAIR))]


def _now(plan: Plan) -> list[Line]:
    current, regret = plan.inputs.current_interval_minutes, plan.regret
    if current is None:
        text = say("now: not given ({key} reads the directory)", key=FILL_KEY)
        return [line(piece(text, Tone.DIM))]
    every = say("now every {interval}", interval=interval_text(current))
    if regret is None:
        text = say("{every}: saves cost nothing, so save more often", every=every)
        return [line(piece(text, Tone.DIM))]
    if regret.extra_minutes is None:
        text = say("{every}: the job does not finish", every=every)
        return [line(piece(f"{WARNING_MARK} {text}", Tone.BAD))]
    if regret.extra_minutes < _NOTHING_MINUTES:
        text = say("{every}: as good as the best", every=every)
        return [line(piece(f"✔ {text}", Tone.OK))]
    return _price(plan, regret, regret.extra_minutes, every)


def _price(plan: Plan, regret: Regret, extra_minutes: float, every: str) -> list[Line]:
    band = plan.optimum.within_5_percent_minutes if plan.optimum else None
    good_enough = band is not None and band[0] <= regret.current_interval_minutes <= band[1]
    mark, tone = ("✔", Tone.FAIR) if good_enough else (WARNING_MARK, Tone.WARN)
    share = coarse_percent(extra_minutes / plan.inputs.run_minutes)
    cost = say(" costs {time} a run more than the best", time=interval_text(extra_minutes))
    parts = [
        line(piece(f"{mark} {every}", tone), cost),
        line(say("{share} of the run", share=share)),
    ]
    if regret.extra_gpu_hours is not None:
        parts.append(line(say("{hours} GPU-hours", hours=amount(regret.extra_gpu_hours))))
    if regret.extra_cost is not None:
        parts.append(line(say("{money} in money", money=amount(regret.extra_cost))))
    return parts

"""What `plan --from` says of its evidence: where each figure comes from, as text and as JSON."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from ckpt_tui.core.document import utc_text
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text, plural
from ckpt_tui.planner.evidence import WIDE, best_interval_range
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.units import format_duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.cli.plan_directory import Directory
    from ckpt_tui.core.cadence import Cadence
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.observation import Observation
    from ckpt_tui.planner.rate import RatePosterior

_WIDTH = 80
_MOST_FAILURES = 8


def evidence_text(directory: Directory, inputs: PlanInputs, rate_given: bool) -> str:
    """Lines of at most 80 columns.

    Args:
        directory: What was seen.
        inputs: What was planned with.
        rate_given: Whether an option gave the rate, so that the observed one was not used.
    """
    lines: list[str] = []
    for paragraph in _paragraphs(directory, inputs, rate_given):
        lines += textwrap.wrap(paragraph, _WIDTH, subsequent_indent="  ")
    return "\n".join(lines)


def evidence_document(directory: Directory, inputs: PlanInputs) -> dict[str, Any]:
    """The same as plain JSON values; null is unknown."""
    known = directory.observed
    return {
        **known.cadence._asdict(),
        "run": directory.run.name,
        "saves_from_history": known.from_history,
        "history_problem": known.problem or None,
        "observation": _observation_document(directory, inputs),
    }


def _paragraphs(directory: Directory, inputs: PlanInputs, rate_given: bool) -> Iterator[str]:
    known = directory.observed
    cadence = known.cadence
    name = printable(directory.run.name)
    counted = plural(cadence.saves, "save")
    if known.from_history:
        counted += f", {known.from_history} of them known only from the history"
    yield f"From the directory of {name}: medians of {counted}."
    if known.problem:
        yield f"⚠ {printable(known.problem)}"
    yield from _save_sentences(cadence, inputs.mode)
    if known.observation is None:
        yield "Failures: too few commits with steps and times of their own to see any."
        return
    yield from _failure_sentences(directory, known.observation, inputs, rate_given)


def _save_sentences(cadence: Cadence, mode: PlanMode) -> Iterator[str]:
    if cadence.interval_minutes is not None:
        steps = f" ({plural(cadence.interval_steps, 'step')})" if cadence.interval_steps else ""
        yield f"Interval: {format_duration(cadence.interval_minutes)} from commit to commit{steps}."
    if cadence.save_minutes is None:
        yield "Save time: not shown; give --save-minutes from the job's log."
        return
    bound = cadence.save_is_lower_bound
    text = f"Save time: {'at least ' if bound else ''}{format_duration(cadence.save_minutes)}"
    if cadence.save_p95_minutes is not None:
        text += f" (95 % of {plural(cadence.timed_saves, 'save')} within"
        text += f" {format_duration(cadence.save_p95_minutes)})"
    if cadence.bytes_per_second is not None:
        text += f", {'at most ' if bound else ''}{bytes_text(cadence.bytes_per_second)}/s"
    text += ": a lower bound, as file times mark the ends of writes" if bound else ", exact"
    if mode is PlanMode.ASYNC:
        text += "; taken for the persist, as no directory shows how long training stood still"
    yield f"{text}."


def _failure_sentences(
    directory: Directory, seen: Observation, inputs: PlanInputs, rate_given: bool
) -> Iterator[str]:
    hours = seen.running_minutes / 60
    text = f"Failures: {len(seen.failures)} seen in {hours:.3g} h of running."
    if seen.seen_share < 1:
        text += f" One shows with a chance of {100 * seen.seen_share:.0f} %: what costs less than"
        text += " half an interval leaves no trace, so that only this share of the time counts."
    yield text
    for failure in seen.failures[-_MOST_FAILURES:]:
        kind = "the step went back" if failure.went_back else "a gap"
        excess = format_duration(max(0.0, failure.excess_minutes))
        yield f"  {utc_text(failure.at)} {kind}, {excess} beyond its steps"
    if len(seen.failures) > _MOST_FAILURES:
        yield f"  and {len(seen.failures) - _MOST_FAILURES} before these"
    if seen.rate is None:
        yield "Rate: no failure could have been seen; give --fault-rate or --mtbf-hours."
        return
    yield from _rate_sentences(directory, seen.rate, inputs)
    if rate_given:
        yield "The plan uses the rate that was given, not this one."
    elif inputs.fault_rate_per_hour != seen.rate.mean:
        why = "so short a time without a failure does not contradict it"
        if seen.rate.failures:
            why = "no plan can be made with the one seen"
        yield f"The plan keeps {inputs.fault_rate_per_hour:g}/h: {why}."


def _rate_sentences(directory: Directory, rate: RatePosterior, inputs: PlanInputs) -> Iterator[str]:
    level = f"{100 * directory.level:.4g} %"
    yield (
        f"Rate: {rate.mean:.3g}/h in the mean over {rate.exposure_hours:.3g} h in which a failure"
        f" would have shown (prior {rate.prior_shape:g} in {rate.prior_hours:g} h);"
        f" {level}: {rate.low:.2g} to {rate.high:.2g}/h."
    )
    if rate.rule_of_three is not None:
        yield (
            f"No failure was seen: the rate is at most 3/T = {rate.rule_of_three:.3g}/h"
            f" (95 %), an MTBF of at least {format_duration(60 / rate.rule_of_three)}."
        )
    ends = best_interval_range(inputs, rate)
    if ends is not None:
        low, high = (format_duration(end) for end in ends)
        text = f"Best interval at the ends of that range: {low} to {high}."
        if ends[1] / ends[0] > WIDE:
            text += " That is wide: the longer this run is watched, the narrower it gets."
        yield text


def _observation_document(directory: Directory, inputs: PlanInputs) -> dict[str, Any] | None:
    seen = directory.observed.observation
    if seen is None:
        return None
    return {
        "minutes_per_step": seen.minutes_per_step,
        "interval_steps": seen.interval_steps,
        "interval_minutes": seen.interval_minutes,
        "running_minutes": seen.running_minutes,
        "seen_share": seen.seen_share,
        "failures": [
            {
                "at": utc_text(failure.at),
                "went_back": failure.went_back,
                "excess_minutes": failure.excess_minutes,
            }
            for failure in seen.failures
        ],
        "rate": _rate_document(directory, seen.rate, inputs) if seen.rate else None,
    }


def _rate_document(directory: Directory, rate: RatePosterior, inputs: PlanInputs) -> dict[str, Any]:
    values = {name: _finite(value) for name, value in rate._asdict().items()}
    ends = best_interval_range(inputs, rate)
    return {
        **values,
        "credible_level": directory.level,
        "best_interval_minutes": list(ends) if ends else None,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None

"""What `plan --from` says of its evidence: where each figure comes from, as text and as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ckpt_tui.core.document import utc_text
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.evidence import WIDE, best_interval_range
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import say, say_count, say_sentence
from ckpt_tui.words.wrapping import paragraph

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
    for text in _paragraphs(directory, inputs, rate_given):
        lines += paragraph(text, _WIDTH, rest="  ")
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
    counted = say_count(cadence.saves, "{count} save", "{count} saves")
    if known.from_history:
        counted += say(", {count} of them known only from the history", count=known.from_history)
    yield say("From the directory of {name}: medians of {saves}.", name=name, saves=counted)
    if known.problem:
        yield f"⚠ {printable(say_sentence(known.problem))}"
    yield from _save_sentences(cadence, inputs.mode)
    if known.observation is None:
        yield say("Failures: too few commits with steps and times of their own to see any.")
        return
    yield from _failure_sentences(directory, known.observation, inputs, rate_given)


def _save_sentences(cadence: Cadence, mode: PlanMode) -> Iterator[str]:
    if cadence.interval_minutes is not None:
        steps = ""
        if cadence.interval_steps:
            told = say_count(cadence.interval_steps, "{count} step", "{count} steps")
            steps = f" ({told})"
        yield say(
            "Interval: {time} from commit to commit{steps}.",
            time=format_duration(cadence.interval_minutes),
            steps=steps,
        )
    if cadence.save_minutes is None:
        yield say("Save time: not shown; give --save-minutes from the job's log.")
        return
    bound = cadence.save_is_lower_bound
    time = format_duration(cadence.save_minutes)
    text = say("Save time: at least {time}" if bound else "Save time: {time}", time=time)
    if cadence.save_p95_minutes is not None:
        text += say_count(
            cadence.timed_saves,
            " (95 % of {count} save within {time})",
            " (95 % of {count} saves within {time})",
            time=format_duration(cadence.save_p95_minutes),
        )
    if cadence.bytes_per_second is not None:
        speed = f"{bytes_text(cadence.bytes_per_second)}/s"
        text += say(", at most {speed}" if bound else ", {speed}", speed=speed)
    text += say(": a lower bound, as file times mark the ends of writes" if bound else ", exact")
    if mode is PlanMode.ASYNC:
        text += say("; taken for the persist, as no directory shows how long training stood still")
    yield text + say(".")


def _failure_sentences(
    directory: Directory, seen: Observation, inputs: PlanInputs, rate_given: bool
) -> Iterator[str]:
    hours = seen.running_minutes / 60
    text = say(
        "Failures: {count} seen in {hours} h of running.",
        count=len(seen.failures),
        hours=f"{hours:.3g}",
    )
    if seen.seen_share < 1:
        text += say(
            " One shows with a chance of {share}: what costs less than half an interval leaves no"
            " trace, so that only this share of the time counts.",
            share=f"{100 * seen.seen_share:.0f} %",
        )
    yield text
    for failure in seen.failures[-_MOST_FAILURES:]:
        at, excess = utc_text(failure.at), format_duration(max(0.0, failure.excess_minutes))
        if failure.went_back:
            yield say("  {at} the step went back, {excess} beyond its steps", at=at, excess=excess)
        else:
            yield say("  {at} a gap, {excess} beyond its steps", at=at, excess=excess)
    if len(seen.failures) > _MOST_FAILURES:
        yield say("  and {count} before these", count=len(seen.failures) - _MOST_FAILURES)
    if seen.rate is None:
        yield say("Rate: no failure could have been seen; give --fault-rate or --mtbf-hours.")
        return
    yield from _rate_sentences(directory, seen.rate, inputs)
    if rate_given:
        yield say("The plan uses the rate that was given, not this one.")
    elif inputs.fault_rate_per_hour != seen.rate.mean:
        why = say("so short a time without a failure does not contradict it")
        if seen.rate.failures:
            why = say("no plan can be made with the one seen")
        rate = f"{inputs.fault_rate_per_hour:g}/h"
        yield say("The plan keeps {rate}: {why}.", rate=rate, why=why)


def _rate_sentences(directory: Directory, rate: RatePosterior, inputs: PlanInputs) -> Iterator[str]:
    level = f"{100 * directory.level:.4g} %"
    yield say(
        "Rate: {mean}/h in the mean over {hours} h in which a failure would have shown"
        " (prior {shape} in {prior} h); {level}: {low} to {high}/h.",
        mean=f"{rate.mean:.3g}",
        hours=f"{rate.exposure_hours:.3g}",
        shape=f"{rate.prior_shape:g}",
        prior=f"{rate.prior_hours:g}",
        level=level,
        low=f"{rate.low:.2g}",
        high=f"{rate.high:.2g}",
    )
    if rate.rule_of_three is not None:
        yield say(
            "No failure was seen: the rate is at most 3/T = {rate}/h (95 %), an MTBF of at least"
            " {mtbf}.",
            rate=f"{rate.rule_of_three:.3g}",
            mtbf=format_duration(60 / rate.rule_of_three),
        )
    ends = best_interval_range(inputs, rate)
    if ends is not None:
        low, high = (format_duration(end) for end in ends)
        text = say("Best interval at the ends of that range: {low} to {high}.", low=low, high=high)
        if ends[1] / ends[0] > WIDE:
            text += say(" That is wide: the longer this run is watched, the narrower it gets.")
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

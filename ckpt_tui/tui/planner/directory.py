"""What a run's saves show, as texts for the fields, each with where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import bytes_text, duration_text
from ckpt_tui.planner.inputs import parse_inputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.units import format_duration
from ckpt_tui.tui.icons import WARNING_MARK
from ckpt_tui.tui.lines import Line, Tone, line, piece, wrapped
from ckpt_tui.tui.planner.figures import coarse_percent, faults_cell, interval_text
from ckpt_tui.tui.planner.notes import Origin
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.history.observed import Observed
    from ckpt_tui.planner.observation import Observation
    from ckpt_tui.planner.rate import RatePosterior

NOTHING_SHOWN = later(
    "the directory shows no interval, save time or size yet: nothing was filled in"
)
_LEAST_STEP_SECONDS = 1e-3


class Filled(NamedTuple):
    """One field's text from the directory.

    Attributes:
        field: Its name in `PlanInputs`.
        text: What to put into it; None where it is only told.
        origin: How far it can be trusted.
        says: A phrase with the value and how it was observed.
    """

    field: str
    text: str | None
    origin: Origin
    says: str


def filled_from(
    seen: Observed | None, mode: PlanMode, ranks: int | None = None, rate_per_hour: float = 0.0
) -> tuple[Filled, ...]:
    """The fields that the directory and the history can fill; none where they show nothing.

    Args:
        seen: What is known of the run.
        mode: The save mode, which decides what an observed save time is.
        ranks: World size of the run, where it is known.
        rate_per_hour: The present fault rate. Where no failure was seen it stays, unless so much
            time without one speaks against it.
    """
    if seen is None:
        return ()
    found = [*_cadence(seen, mode)]
    if seen.observation is not None:
        found += _failures(seen.observation, rate_per_hour)
    found = [each for each in found if _can_be_planned(each)]
    if found and ranks:
        says = say_count(ranks, "{count} rank", "{count} ranks")
        found.append(Filled("gpus", str(ranks), Origin.DIRECTORY, says))
    return tuple(found)


def _can_be_planned(filled: Filled) -> bool:
    """Whether the field takes its text: file times can be any."""
    return filled.text is None or parse_inputs({filled.field: filled.text}).inputs is not None


def source_lines(
    filled: tuple[Filled, ...], seen: Observed | None, run: str, width: int
) -> list[Line]:
    """A sentence, wrapped: what was taken from which directory; what went wrong after it.

    Args:
        filled: What was found.
        seen: What it was found in.
        run: Name of the run; "" where there is only one to speak of.
        width: Cells there are.
    """
    if filled and seen is not None:
        saves = seen.cadence.saves
        basis = say_count(saves, "its only committed save", "medians of {count} saves")
        if seen.from_history:
            basis += say(" ({count} of them only in the history)", count=seen.from_history)
        told, tone = say("; ").join(each.says for each in filled), Tone.FAIR
        text = say("from the directory, {basis}: {told}", basis=basis, told=told)
        if run:
            text = say(
                "from the directory of {run}, {basis}: {told}", run=run, basis=basis, told=told
            )
    else:
        text, tone = say(NOTHING_SHOWN), Tone.WARN
    lines = [line(" ", piece(row, tone)) for row in wrapped(text, width - 2)]
    if seen is not None and seen.problem:
        rows = wrapped(f"{WARNING_MARK} {say_sentence(seen.problem)}", width - 2)
        lines += [line(" ", piece(row, Tone.WARN)) for row in rows]
    return lines


def _cadence(seen: Observed, mode: PlanMode) -> Iterator[Filled]:
    cadence = seen.cadence
    if cadence.interval_minutes:
        text = format_duration(cadence.interval_minutes)
        says = say("every {interval}", interval=interval_text(cadence.interval_minutes))
        if cadence.interval_steps:
            says += f" ({say_count(cadence.interval_steps, '{count} step', '{count} steps')})"
        yield Filled("current_interval_minutes", text, Origin.DIRECTORY, says)
    if cadence.save_minutes is not None:
        yield _save(seen, cadence.save_minutes, mode)
    if cadence.checkpoint_bytes:
        size = bytes_text(cadence.checkpoint_bytes)
        says = say("size {size}", size=size)
        if cadence.bytes_per_second:
            speed = f"{bytes_text(cadence.bytes_per_second)}/s"
            if cadence.save_is_lower_bound:
                speed = say("at most {speed}", speed=speed)
            says += f" ({speed})"
        yield Filled("checkpoint_bytes", size.replace(" ", ""), Origin.DIRECTORY, says)


def _save(seen: Observed, minutes: float, mode: PlanMode) -> Filled:
    word = say("persist" if mode is PlanMode.ASYNC else "save")
    took = interval_text(minutes)
    if seen.cadence.save_is_lower_bound:
        says = say("{word} at least {took} (file times show when writes end)", word=word, took=took)
        origin = Origin.AT_LEAST
    else:
        says = say("{word} {took} (seen from first write to commit)", word=word, took=took)
        origin = Origin.DIRECTORY
    return Filled(mode.observed_save_field, format_duration(minutes), origin, says)


def _failures(observation: Observation, rate_per_hour: float) -> Iterator[Filled]:
    rate = observation.rate
    if rate is not None:
        says = _rate_says(observation, rate)
        chosen = rate.to_plan_with(rate_per_hour)
        text = f"{chosen:.3g}" if chosen is not None else None
        if chosen is None:
            says = say("{text}, so the fault rate stays", text=says)
        yield Filled("fault_rate_per_hour", text, Origin.DIRECTORY, says)
    seconds = observation.minutes_per_step * 60
    if seconds >= _LEAST_STEP_SECONDS:
        says = say("a step at most {seconds} s", seconds=f"{seconds:.3g}")
        yield Filled("step_seconds", f"{seconds:.4g}s", Origin.AT_MOST, says)


def _rate_says(observation: Observation, rate: RatePosterior) -> str:
    """The rate's mean is what a plan is best made with; its interval tells how sure it is."""
    ran = duration_text(observation.running_minutes * 60)
    if not rate.failures:
        most = faults_cell(rate.upper_95)
        return say("no failure seen in {time}: at most {most} an hour (95 %)", time=ran, most=most)
    text = say_count(
        rate.failures, "{count} failure seen in {time}", "{count} failures seen in {time}", time=ran
    )
    if observation.seen_share < 1:
        share = coarse_percent(observation.seen_share)
        text += say(" ({share} of them would show)", share=share)
    low, high = f"{1 / rate.high:.3g}", f"{1 / rate.low:.3g}"
    return say("{text}: MTBF {low} to {high} h with 90 %", text=text, low=low, high=high)

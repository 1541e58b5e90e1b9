"""Inputs that are valid but look like a slip: a wrong unit, a swapped pair, an odd order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.fields import FIELDS
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.planner.inputs import PlanInputs

_NEAR_WHOLE = 1e-9
_UNIT_TRAP_PER_HOUR = 1.0
_LOWEST_USUAL_PER_HOUR = 1e-5


class PlanWarning(NamedTuple):
    """A stable code, the field that it is about (None: the plan), and one sentence."""

    code: str
    field: str | None
    message: str

    @property
    def said(self) -> str:
        """The sentence in the language in use; a field is called there as everywhere else."""
        sentence = say_sentence(self.message)
        if self.field is None:
            return sentence
        label = FIELDS[self.field].label
        return sentence.replace(f"`{label}`", f"`{say(label)}`")


class _Usual(NamedTuple):
    """The range in which a value raises no question, and the modes that use the field."""

    field: str
    low: float
    high: float
    text: str
    modes: tuple[PlanMode, ...] = tuple(PlanMode)


_SAVE_MODES = (PlanMode.SYNC, PlanMode.TWO_LEVEL)
_USUAL = (
    _Usual("run_minutes", 10, 365 * 1440, "10m to 365d"),
    _Usual("save_minutes", 0.01, 60, "0.6s to 1h", _SAVE_MODES),
    _Usual("slowdown", 0, 0.3, "0 to 30 %", (PlanMode.ASYNC,)),
    _Usual("reload_minutes", 0, 120, "0 to 2h"),
    _Usual("down_minutes", 0, 120, "0 to 2h"),
    _Usual("weibull_shape", 0.4, 3, "0.4 to 3"),
    _Usual("step_seconds", 0.05, 600, "0.05s to 10m"),
)


def input_warnings(inputs: PlanInputs) -> Iterator[PlanWarning]:
    """What to ask the operator about the inputs themselves."""
    yield from _unusual(inputs)
    yield from _about_rate(inputs)
    yield from _about_mode(inputs)
    yield from _about_intervals(inputs)


def _unusual(inputs: PlanInputs) -> Iterator[PlanWarning]:
    for usual in _USUAL:
        value = getattr(inputs, usual.field)
        # A save of 0 has its own, plainer warning.
        if value is None or inputs.mode not in usual.modes or value == 0:
            continue
        if not usual.low <= value <= usual.high:
            label = FIELDS[usual.field].label
            message = f"`{label}` is usually {usual.text}: check the value and its unit."
            yield PlanWarning("unusual-value", usual.field, message)


def _about_rate(inputs: PlanInputs) -> Iterator[PlanWarning]:
    rate, mtbf = inputs.fault_rate_per_hour, inputs.mtbf_minutes
    if rate > _UNIT_TRAP_PER_HOUR:
        text = format_duration(mtbf)
        message = f"a fault rate of {rate:g} per hour is an MTBF of {text}: is it per hour?"
        yield PlanWarning("unit-trap", "fault_rate_per_hour", message)
    if 0 < rate < _LOWEST_USUAL_PER_HOUR:
        message = f"a fault rate of {rate:g} per hour is below 1e-05: is it of the whole job?"
        yield PlanWarning("unusual-value", "fault_rate_per_hour", message)
    stall = inputs.stall_minutes
    if mtbf < stall:
        message = (
            f"the MTBF ({format_duration(mtbf)}) is shorter than one save's stall "
            f"({format_duration(stall)})."
        )
        yield PlanWarning("mtbf-below-save", "fault_rate_per_hour", message)


def _about_mode(inputs: PlanInputs) -> Iterator[PlanWarning]:
    if inputs.mode is PlanMode.ASYNC and inputs.snapshot_minutes > inputs.persist_minutes:
        message = "the snapshot takes longer than the persist: are they swapped?"
        yield PlanWarning("snapshot-above-persist", "snapshot_minutes", message)
    if inputs.mode is not PlanMode.TWO_LEVEL:
        return
    if inputs.save_minutes < inputs.level1_save_minutes:
        message = "a level-2 save is shorter than a level-1 save: are they swapped?"
        yield PlanWarning("level-order", "level1_save_minutes", message)
    if inputs.level1_coverage == 1:
        message = "level 1 covers every failure, so level 2 is only for archival."
        yield PlanWarning("full-coverage", "level1_coverage", message)
    elif inputs.level1_coverage > 0.99:
        message = "`level-1 coverage` is usually 0 to 99 %: level 2 hardly matters above it."
        yield PlanWarning("unusual-value", "level1_coverage", message)


def _about_intervals(inputs: PlanInputs) -> Iterator[PlanWarning]:
    run = inputs.run_minutes
    longest_bad = inputs.save_minutes if inputs.mode is PlanMode.SYNC else 0.0
    shortest = inputs.async_save.lag_minutes if inputs.mode is PlanMode.ASYNC else 0.0
    # One step, less what rounding may take off an interval given in steps.
    step = (inputs.step_seconds or 0.0) / 60 * (1 - _NEAR_WHOLE)
    for code, problem, applies in (
        (
            "interval-exceeds-run",
            "no save completes before the run's end at {}.",
            lambda each: each > run,
        ),
        (
            "interval-below-save",
            "at least half of the time goes to saving at {}.",
            lambda each: each <= longest_bad,
        ),
        (
            "persist-bound",
            "a persist is not over before the next save (persist-bound) at {}.",
            lambda each: each < shortest,
        ),
        (
            "interval-below-step",
            "the interval is shorter than one training step at {}.",
            lambda each: each < step,
        ),
        (
            "near-whole-ratio",
            "the lesson's save count may be one off by rounding at {}.",
            lambda each: _nearly_whole(run / each),
        ),
    ):
        suspects = [each for each in inputs.intervals_minutes if applies(each)]
        if suspects:
            message = problem.format(durations_text(suspects))
            yield PlanWarning(code, "intervals_minutes", message)


def durations_text(minutes: list[float]) -> str:
    """At most three times, and how many more."""
    text = ", ".join(format_duration(each) for each in minutes[:3])
    return text if len(minutes) <= 3 else f"{text} and {len(minutes) - 3} more"


def _nearly_whole(ratio: float) -> bool:
    return ratio != round(ratio) and abs(ratio - round(ratio)) <= _NEAR_WHOLE * ratio

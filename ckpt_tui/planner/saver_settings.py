"""An interval as the flag or line of the frameworks' own savers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.models import model_for
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import later, say
from ckpt_tui.words.wrapping import columns_of, padded

if TYPE_CHECKING:
    from ckpt_tui.planner.result import Plan


class SaverSetting(NamedTuple):
    """What to write where.

    Attributes:
        saver: The framework, and where the setting belongs; said where it is shown.
        text: The setting itself.
    """

    saver: str
    text: str


# Saver → setting; savers count steps, so {steps} stands in all but the last.
_BY_STEPS = (
    ("Hugging Face Trainer", "--save_strategy steps --save_steps {steps}"),
    ("Megatron-LM", "--save-interval {steps}"),
    ("NeMo", "exp_manager.checkpoint_callback_params.every_n_train_steps={steps}"),
    ("Lightning ModelCheckpoint", "every_n_train_steps={steps}"),
    ("torchtitan", "--checkpoint.interval {steps}"),
    ("Composer", 'save_interval="{steps}ba"'),
    ("Orbax CheckpointManagerOptions", "save_interval_steps={steps}"),
    ("MaxText", "checkpoint_period={steps}"),
    ("Keras ModelCheckpoint", "save_freq={steps}"),
    (later("own loop (DeepSpeed, accelerate, DCP)"), "if step % {steps} == 0: save"),
)
_BY_TIME = (("Lightning ModelCheckpoint", "train_time_interval=timedelta(minutes={minutes:g})"),)


def steps_of(interval_minutes: float, step_seconds: float) -> int:
    """Whole steps of an interval, at least 1."""
    return max(1, round(interval_minutes * 60 / step_seconds))


def saver_settings(
    interval_minutes: float, step_seconds: float | None = None
) -> tuple[SaverSetting, ...]:
    """The settings of all savers that are known.

    Args:
        interval_minutes: Useful work between two saves.
        step_seconds: Time of a step; without it only savers that go by time have a setting.
    """
    by_time = [SaverSetting(s, t.format(minutes=round(interval_minutes, 3))) for s, t in _BY_TIME]
    if step_seconds is None:
        return tuple(by_time)
    steps = steps_of(interval_minutes, step_seconds)
    by_steps = [SaverSetting(saver, text.format(steps=steps)) for saver, text in _BY_STEPS]
    return (*by_steps, *by_time)


def settings_text(interval_minutes: float, step_seconds: float | None = None) -> str:
    """The settings as lines of text, aligned, and what to do where steps are not known."""
    settings = saver_settings(interval_minutes, step_seconds)
    width = max(columns_of(say(setting.saver)) for setting in settings)
    lines = [say("every {interval}", interval=format_duration(interval_minutes))]
    if step_seconds is not None:
        lines[0] += say(", {count} steps", count=steps_of(interval_minutes, step_seconds))
    lines += [f"  {padded(say(setting.saver), width)}  {setting.text}" for setting in settings]
    if step_seconds is None:
        hint = say("(most savers count steps: give the time of a step to see their settings)")
        lines.append(f"  {hint}")
    return "\n".join(lines)


def durable_interval_minutes(plan: Plan) -> float:
    """Useful work between two saves of the kind that these savers write, minutes.

    With two levels that is level 2: level 1 is set where memory or a local disk is saved to.
    """
    interval = plan.interval_to_set
    every = model_for(plan.inputs).level2_every_saves(min(interval, plan.inputs.run_minutes))
    return interval * (every or 1)


def plan_settings_text(plan: Plan) -> str:
    """The settings that a plan asks for, as lines of text."""
    durable, seconds = durable_interval_minutes(plan), plan.inputs.step_seconds
    text = settings_text(durable, seconds)
    if durable == plan.interval_to_set:
        return text
    level1 = format_duration(plan.interval_to_set)
    if seconds is not None:
        level1 = say(
            "{interval} or {count} steps",
            interval=level1,
            count=steps_of(plan.interval_to_set, seconds),
        )
    note = say("(these are for level 2; level 1 saves every {interval})", interval=level1)
    return f"{text}\n  {note}"

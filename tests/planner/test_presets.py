"""Presets are valid plans with a source; settings name whole steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.planner.inputs import PlanInputs, validate_inputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.presets import PRESETS, Preset, preset
from ckpt_tui.planner.saver_settings import (
    plan_settings_text,
    saver_settings,
    settings_text,
    steps_of,
)


@pytest.mark.parametrize("each", PRESETS, ids=lambda each: each.name)
def test_a_preset_is_a_valid_plan_with_a_source(each: Preset) -> None:
    assert validate_inputs(each.apply(PlanInputs())) == ()
    assert each.source
    assert each.evidence in ("primary", "quoted", "derived")
    assert preset(each.name) is each


def test_a_preset_leaves_other_fields() -> None:
    mine = PlanInputs(reload_minutes=3, gpu_hour_price=2.0)
    applied = preset("opt-175b").apply(mine)
    assert (applied.reload_minutes, applied.gpu_hour_price) == (3, 2.0)
    assert applied.mtbf_minutes == pytest.approx(720)


def test_published_rates() -> None:
    hours = {each.name: each.apply(PlanInputs()).mtbf_minutes / 60 for each in PRESETS}
    assert hours["llama3-405b"] == pytest.approx(3.093, abs=0.001)
    assert hours["meta-rsc1"] == pytest.approx(1.803, abs=0.001)


def test_the_present_interval_of_two_levels_is_that_of_level_1() -> None:
    inputs = preset("dlrover-glm65b").apply(PlanInputs())
    assert inputs.level2_every_saves == 25
    assert inputs.current_interval_minutes == pytest.approx(3.6)


def test_an_unknown_preset_names_all() -> None:
    with pytest.raises(ValueError, match="there are: lesson, llama3-405b"):
        preset("gpt-9")


@given(st.floats(0.001, 1e5), st.floats(0.01, 1e4))
def test_steps_are_whole_and_at_least_one(interval: float, step_seconds: float) -> None:
    steps = steps_of(interval, step_seconds)
    assert steps >= 1
    assert all(
        str(steps) in s.text or "minutes" in s.text for s in saver_settings(interval, step_seconds)
    )


def test_without_a_step_time_only_clocks_are_set() -> None:
    assert [s.saver for s in saver_settings(90)] == ["Lightning ModelCheckpoint"]
    assert "give the time of a step" in settings_text(90)


def test_settings_of_steps() -> None:
    text = settings_text(105, 105.0)
    assert text.splitlines()[0] == "every 1h45m, 60 steps"
    assert "--save-interval 60" in text


def test_with_two_levels_the_savers_write_level_2() -> None:
    plan = make_plan(PlanInputs(mode=PlanMode.TWO_LEVEL, level2_every_saves=25, step_seconds=60.0))
    assert plan.steps is not None
    text = plan_settings_text(plan)
    assert f"--save-interval {25 * plan.steps.steps}\n" in text
    assert f"or {plan.steps.steps} steps)" in text
    one = make_plan(PlanInputs(step_seconds=60.0))
    assert plan_settings_text(one) == settings_text(one.interval_to_set, 60.0)

from __future__ import annotations

import math

import pytest

from ckpt_tui.planner.fields import FIELDS
from ckpt_tui.planner.inputs import (
    PlanInputs,
    PlanInputsError,
    parse_inputs,
    require_valid,
    validate_inputs,
)
from ckpt_tui.planner.modes import PlanMode


def test_every_field_has_a_rule_and_the_defaults_obey_it() -> None:
    assert tuple(FIELDS) == PlanInputs._fields
    assert validate_inputs(PlanInputs()) == ()
    assert len({spec.label for spec in FIELDS.values()}) == len(FIELDS)


def test_typed_texts_become_inputs() -> None:
    parsed = parse_inputs(
        {
            "run_minutes": "54d",
            "fault_rate_per_hour": "7.9h",
            "save_minutes": "2m10s",
            "down_minutes": "5",
            "mode": " Async ",
            "slowdown": "5%",
            "gpus": "16,384",
            "weibull_shape": "",
            "checkpoint_bytes": "1.25TiB",
        }
    )
    assert parsed.errors == ()
    assert parsed.inputs is not None
    assert parsed.inputs.run_minutes == 54 * 1440
    assert parsed.inputs.mtbf_minutes == pytest.approx(474)
    assert parsed.inputs.save_minutes == pytest.approx(13 / 6)
    assert parsed.inputs.mode is PlanMode.ASYNC
    assert parsed.inputs.gpus == 16384
    assert parsed.inputs.weibull_shape is None
    assert parsed.inputs.reload_minutes == 8


def test_texts_go_over_a_base() -> None:
    base = PlanInputs(save_minutes=1, step_seconds=60.0)
    parsed = parse_inputs({"intervals_minutes": "30 steps 1h"}, base)
    assert parsed.inputs == base._replace(intervals_minutes=(30, 60))


def test_steps_use_the_step_time_typed_beside_them() -> None:
    texts = {"intervals_minutes": "10steps", "step_seconds": "30"}
    parsed = parse_inputs({**texts, "current_interval_minutes": "20steps"})
    assert parsed.inputs is not None
    assert parsed.inputs.intervals_minutes == (5,)
    assert parsed.inputs.current_interval_minutes == 10
    assert parse_inputs({"step_seconds": "0.5m"}).inputs == PlanInputs(step_seconds=30)


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("save_minutes", "", "`save`: need a time ≥ 0 such as 2m or 40s"),
        ("save_minutes", "soon", "`save`: need a time ≥ 0 such as 2m or 40s"),
        ("save_minutes", "-2m", "`save`: need a time ≥ 0 such as 2m or 40s"),
        ("save_minutes", "nan", "`save`: need a time ≥ 0 such as 2m or 40s"),
        ("save_minutes", "11000d", "`save`: need a time ≥ 0 such as 2m or 40s"),
        ("run_minutes", "0", "`run`: need a time above 0, up to 10 years, such as 24h or 54d"),
        (
            "fault_rate_per_hour",
            "often",
            "`fault rate`: need a rate per hour ≥ 0 such as 0.02, or an MTBF such as 50h",
        ),
        (
            "intervals_minutes",
            "15,0",
            "`intervals`: need 1 to 64 times above 0 such as 15,30,60,120",
        ),
        ("mode", "fast", "`mode`: need one of sync, async, two-level"),
        (
            "slowdown",
            "100%",
            "`slowdown`: need a share from 0 to below 100% such as 5% or 0.05",
        ),
        ("gpus", "0", "`GPUs`: need a whole number from 1 to 10000000 such as 512"),
        (
            "current_interval_minutes",
            "1h 2h",
            "`current interval`: need a time above 0, up to 10 years, such as 30m or 2h",
        ),
    ],
)
def test_a_bad_text_gets_one_sentence(field: str, text: str, message: str) -> None:
    parsed = parse_inputs({field: text})
    assert parsed.inputs is None
    assert [tuple(error) for error in parsed.errors] == [(field, message)]


@pytest.mark.parametrize("field", [name for name, spec in FIELDS.items() if not spec.optional])
def test_a_required_field_cannot_be_empty(field: str) -> None:
    assert [error.field for error in parse_inputs({field: " "}).errors] == [field]


@pytest.mark.parametrize("field", [name for name, spec in FIELDS.items() if spec.optional])
def test_an_optional_field_can(field: str) -> None:
    parsed = parse_inputs({field: " "})
    assert parsed.inputs == PlanInputs()


def test_every_bad_field_is_told_once() -> None:
    parsed = parse_inputs({"save_minutes": "x", "run_minutes": "0", "gpus": "none"})
    assert sorted(error.field for error in parsed.errors) == ["gpus", "run_minutes", "save_minutes"]


def test_more_than_64_intervals_are_refused() -> None:
    texts = [",".join(map(str, range(1, count + 1))) for count in (64, 65)]
    assert parse_inputs({"intervals_minutes": texts[0]}).inputs is not None
    assert parse_inputs({"intervals_minutes": texts[1]}).inputs is None


@pytest.mark.parametrize("field", PlanInputs._fields)
@pytest.mark.parametrize("value", [True, math.nan, math.inf, -1, "2m", object()])
def test_values_of_the_wrong_kind_are_refused(field: str, value: object) -> None:
    inputs = PlanInputs()._replace(**{field: value})
    assert [error.field for error in validate_inputs(inputs)] == [field]
    with pytest.raises(PlanInputsError, match=FIELDS[field].label) as caught:
        require_valid(inputs)
    assert caught.value.errors == validate_inputs(inputs)


def test_two_levels_are_exponential_only() -> None:
    inputs = PlanInputs(mode=PlanMode.TWO_LEVEL, weibull_shape=0.7)
    assert [error.field for error in validate_inputs(inputs)] == ["weibull_shape"]
    assert validate_inputs(inputs._replace(weibull_shape=1.0)) == ()


def test_an_unknown_field_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        parse_inputs({"savings": "1"})

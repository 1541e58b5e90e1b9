from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ckpt_tui
from ckpt_tui.planner.lesson import checkpoint_interval_cost, expected_failure_overhead

FAILURE_ARGUMENTS = {
    "run_hours": 72,
    "fault_rate_per_hour": 0.02,
    "interval_minutes": 60,
    "reload_minutes": 8,
}
COST_ARGUMENTS = {
    "run_minutes": 1440,
    "interval_minutes": 120,
    "save_minutes": 2,
    "fault_rate_per_hour": 0.02,
    "reload_minutes": 8,
}


@pytest.mark.parametrize(
    ("interval", "rollback", "overhead"), [(60, 43.2, 54.72), (30, 21.6, 33.12)]
)
def test_failure_overhead_of_the_lesson(interval: int, rollback: float, overhead: float) -> None:
    assert expected_failure_overhead(72, 0.02, interval, 8) == {
        "expected_faults": 1.44,
        "expected_rollback_minutes": rollback,
        "expected_reload_minutes": 11.52,
        "expected_failure_overhead_minutes": overhead,
    }


@pytest.mark.parametrize(
    ("interval", "saves", "save", "failure", "total"),
    [
        (15, 96, 192, 7.44, 199.44),
        (30, 48, 96, 11.04, 107.04),
        (60, 24, 48, 18.24, 66.24),
        (120, 12, 24, 32.64, 56.64),
    ],
)
def test_interval_cost_of_the_lesson(
    interval: int, saves: int, save: float, failure: float, total: float
) -> None:
    assert checkpoint_interval_cost(1440, interval, 2, 0.02, 8) == {
        "interval_minutes": interval,
        "save_count": saves,
        "save_overhead_minutes": save,
        "failure_overhead_minutes": failure,
        "total_overhead_minutes": total,
    }


def test_the_public_functions_are_these() -> None:
    assert ckpt_tui.checkpoint_interval_cost is checkpoint_interval_cost
    assert ckpt_tui.expected_failure_overhead is expected_failure_overhead


def test_the_save_on_the_runs_end_vanishes_just_above_a_whole_ratio() -> None:
    assert checkpoint_interval_cost(1440, 120.001, 2, 0.02, 8)["save_count"] == 11
    assert checkpoint_interval_cost(1440, 1441, 2, 0.02, 8)["save_count"] == 0


def test_a_run_of_nothing_costs_nothing() -> None:
    assert checkpoint_interval_cost(0, 15, 2, 0.02, 8)["total_overhead_minutes"] == 0
    assert expected_failure_overhead(0, 0, 15, 0)["expected_failure_overhead_minutes"] == 0


@pytest.mark.parametrize("value", [-1, -0.001, math.nan, math.inf, -math.inf, True, "2", 10**400])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (expected_failure_overhead, FAILURE_ARGUMENTS),
        (checkpoint_interval_cost, COST_ARGUMENTS),
    ],
)
def test_bad_arguments_are_named(function: Any, arguments: dict[str, Any], value: object) -> None:
    for name in arguments:
        with pytest.raises(ValueError, match=name):
            function(**{**arguments, name: value})


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (expected_failure_overhead, FAILURE_ARGUMENTS),
        (checkpoint_interval_cost, COST_ARGUMENTS),
    ],
)
def test_an_interval_of_zero_is_refused(function: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="interval_minutes must be greater than 0"):
        function(**{**arguments, "interval_minutes": 0})


def test_an_overflow_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="finite"):
        checkpoint_interval_cost(1e308, 1e-308, 2, 0.02, 8)
    with pytest.raises(ValueError, match="finite"):
        expected_failure_overhead(1e300, 1e300, 1, 1)


@settings(deadline=None)
@given(
    run=st.floats(0, 1e6),
    interval=st.floats(1e-3, 1e6),
    save=st.floats(0, 1e3),
    rate=st.floats(0, 100),
    reload=st.floats(0, 1e4),
)
def test_the_two_functions_agree(
    run: float, interval: float, save: float, rate: float, reload: float
) -> None:
    cost = checkpoint_interval_cost(run, interval, save, rate, reload)
    overhead = expected_failure_overhead(run / 60, rate, interval, reload)
    failure = overhead["expected_failure_overhead_minutes"]
    assert cost["failure_overhead_minutes"] == pytest.approx(failure, abs=0.011, rel=1e-12)
    assert cost["total_overhead_minutes"] == pytest.approx(
        cost["save_overhead_minutes"] + failure, abs=0.021, rel=1e-12
    )

from __future__ import annotations

from typing import Any

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan

ASYNC = {"mode": PlanMode.ASYNC}
TWO_LEVEL = {"mode": PlanMode.TWO_LEVEL}


def _codes(**changes: Any) -> dict[str, str]:
    plan = make_plan(PlanInputs(**changes))
    assert all(warning.message.endswith((".", "?")) for warning in plan.warnings)
    return {warning.code: warning.message for warning in plan.warnings}


def test_the_lessons_defaults_raise_no_question() -> None:
    assert _codes() == {}


@pytest.mark.parametrize(
    ("code", "changes", "words"),
    [
        ("unit-trap", {"fault_rate_per_hour": 2}, "MTBF of 30m"),
        ("unusual-value", {"fault_rate_per_hour": 1e-6}, "whole job"),
        ("unusual-value", {"run_minutes": 5, "intervals_minutes": (1,)}, "`run`"),
        ("unusual-value", {"save_minutes": 90}, "`save`"),
        ("unusual-value", {"reload_minutes": 200}, "`reload`"),
        ("unusual-value", {"down_minutes": 200}, "`down`"),
        ("unusual-value", {"weibull_shape": 0.3}, "`Weibull shape`"),
        ("unusual-value", {"step_seconds": 1000.0}, "`step time`"),
        ("unusual-value", {**ASYNC, "slowdown": 0.5}, "`slowdown`"),
        ("unusual-value", {**TWO_LEVEL, "level1_coverage": 0.995}, "`level-1 coverage`"),
        ("mtbf-below-save", {"fault_rate_per_hour": 40}, "MTBF (1m30s)"),
        ("no-failures", {"fault_rate_per_hour": 0}, "no failures assumed"),
        ("free-save", {"save_minutes": 0}, "every step"),
        ("interval-exceeds-run", {"intervals_minutes": (60, 2000)}, "at 1d9h20m."),
        ("interval-below-save", {"intervals_minutes": (1, 2, 60)}, "at 1m, 2m."),
        ("interval-below-step", {"step_seconds": 1200.0}, "at 15m."),
        ("near-whole-ratio", {"run_minutes": 0.6, "intervals_minutes": (0.2,)}, "by rounding"),
        ("persist-bound", {**ASYNC, "persist_minutes": 20}, "at 15m."),
        (
            "persist-bound-optimum",
            {**ASYNC, "persist_minutes": 20, "slowdown": 0, "fault_rate_per_hour": 1},
            "below 20m",
        ),
        ("snapshot-above-persist", {**ASYNC, "snapshot_minutes": 6}, "swapped"),
        ("level-order", {**TWO_LEVEL, "level1_save_minutes": 3}, "swapped"),
        ("full-coverage", {**TWO_LEVEL, "level1_coverage": 1.0}, "archival"),
        ("optimum-exceeds-run", {"fault_rate_per_hour": 1e-5}, "longer than the run"),
        ("save-near-mtbf", {"fault_rate_per_hour": 20}, "goodput of 1.7%"),
        ("does-not-finish", {"fault_rate_per_hour": 30}, "at 30m, 1h, 2h."),
        ("does-not-finish", {"fault_rate_per_hour": 500}, "at any interval"),
        ("first-order", {"fault_rate_per_hour": 0.33}, "too low at 30m"),
        ("lesson-is-synchronous", ASYNC, "not async ones"),
        ("long-run", {"weibull_shape": 0.7}, "long-run averages"),
    ],
)
def test_each_warning_has_its_cause(code: str, changes: dict[str, Any], words: str) -> None:
    plan = make_plan(PlanInputs(**changes))
    messages = [warning.message for warning in plan.warnings if warning.code == code]
    assert any(words in message for message in messages), plan.warnings


def test_only_the_modes_own_fields_are_questioned() -> None:
    assert "unusual-value" not in _codes(slowdown=0.5)
    assert "unusual-value" not in _codes(save_minutes=90, **ASYNC)
    assert "snapshot-above-persist" not in _codes(snapshot_minutes=60)


def test_an_interval_of_one_whole_step_is_no_question() -> None:
    assert _codes(step_seconds=280.0, intervals_minutes=(3 * (280 / 60) / 3, 60)) == {}


def test_many_suspects_are_counted() -> None:
    message = _codes(intervals_minutes=(60, 1500, 1600, 1700, 1800, 1900))["interval-exceeds-run"]
    assert message.endswith("at 1d1h, 1d2h40m, 1d4h20m and 2 more.")


def test_the_badge_starts_at_five_percent() -> None:
    assert "first-order" not in _codes(fault_rate_per_hour=0.05)
    assert "first-order" in _codes(fault_rate_per_hour=0.1)


def test_down_time_is_what_the_lesson_leaves_out() -> None:
    assert "first-order" in _codes(down_minutes=30)


def test_saves_that_cost_more_than_failures_are_told() -> None:
    codes = {w.code for w in make_plan(PlanInputs(save_minutes=600)).warnings}
    assert "saves-cost-more" in codes
    assert "saves-cost-more" not in {w.code for w in make_plan(PlanInputs()).warnings}

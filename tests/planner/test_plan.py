from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import given, settings

from ckpt_tui.planner.contract import plan_document
from ckpt_tui.planner.curve import cost_curve
from ckpt_tui.planner.inputs import PlanInputs, PlanInputsError
from ckpt_tui.planner.models import model_for
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.table import plan_table
from tests.planner.ranges import HARD_RANGE

ASYNC = PlanInputs(mode=PlanMode.ASYNC, fault_rate_per_hour=0.32, down_minutes=5)
TWO_LEVEL = PlanInputs(mode=PlanMode.TWO_LEVEL, fault_rate_per_hour=0.32, down_minutes=5)
WEIBULL = PlanInputs(weibull_shape=0.7, fault_rate_per_hour=0.32, down_minutes=5)
EVERY_MODE = [PlanInputs(), ASYNC, TWO_LEVEL, WEIBULL, ASYNC._replace(weibull_shape=1.5)]
MODE_IDS = ["sync", "async", "two-level", "weibull", "weibull-async"]


@settings(deadline=None, max_examples=150)
@given(HARD_RANGE)
def test_no_valid_input_gives_nonsense(inputs: PlanInputs) -> None:
    plan = make_plan(inputs)
    text = json.dumps(plan_document(plan), allow_nan=False)
    assert not re.search(r"-0(\.0)?[,}\]]", text)
    for row in plan.exact_rows:
        if row.budget:
            assert 0 < row.budget.goodput <= 1
            assert sum(row.budget[1:6]) == pytest.approx(row.budget.wall_minutes, rel=1e-6)
    if plan.optimum and plan.optimum.within_5_percent_minutes:
        low, high = plan.optimum.within_5_percent_minutes
        assert low <= plan.optimum.interval_minutes * (1 + 1e-9)
        assert high >= plan.optimum.interval_minutes * (1 - 1e-9)
    assert all(math.isfinite(cost) and cost >= 0 for _, cost in cost_curve(inputs, 20))
    assert all(len(line) <= 80 for line in plan_table(plan).splitlines())


def test_the_lessons_plan() -> None:
    document = plan_document(make_plan(PlanInputs()))
    rows = document["lesson"]["rows"]
    assert [row["interval_minutes"] for row in rows] == [15, 30, 60, 120]
    assert [row["save_count"] for row in rows] == [96, 48, 24, 12]
    assert [row["total_overhead_minutes"] for row in rows] == [199.44, 107.04, 66.24, 56.64]
    assert rows[0] == {
        "interval_minutes": 15,
        "save_count": 96,
        "save_overhead_minutes": 192,
        "expected_faults": 0.48,
        "expected_rollback_minutes": 3.6,
        "expected_reload_minutes": 3.84,
        "failure_overhead_minutes": 7.44,
        "total_overhead_minutes": 199.44,
    }
    assert document["lesson"]["best_listed_minutes"] == 120
    assert document["exact"]["best_listed_minutes"] == 120
    assert document["exact"]["best_continuous_minutes"] == 108.215255
    assert document["young_minutes"] == 109.544512
    assert document["daly_minutes"] == 108.215235
    assert document["warnings"] == []
    low, high = document["exact"]["within_5_percent_minutes"]
    assert (low / 108.215, high / 108.215) == pytest.approx((0.73, 1.37), abs=0.002)
    assert document["exact"]["best_goodput"] == pytest.approx(0.961361, abs=1e-6)
    assert [row["wall_minutes"] - 1440 for row in document["exact"]["rows"]] == pytest.approx(
        [201.00, 108.34, 67.50, 58.17], abs=0.005
    )
    assert document["no_checkpoints"]["wall_minutes"] == pytest.approx(1853.158, abs=0.001)
    chances = document["fault_probabilities"]
    assert [chances[key] for key in ("0", "1", "2")] == pytest.approx(
        [0.619, 0.297, 0.071], abs=5e-4
    )


CONTRACT = {
    "schema",
    "inputs",
    "mtbf_minutes",
    "lesson",
    "exact",
    "young_minutes",
    "daly_minutes",
    "no_checkpoints",
    "fault_probabilities",
    "steps",
    "regret",
    "run_cost",
    "sensitivities",
    "other_formulas",
    "warnings",
}
EXACT_ROW = {
    "interval_minutes",
    "wall_minutes",
    "work_minutes",
    "save_minutes",
    "rollback_minutes",
    "down_minutes",
    "reload_minutes",
    "goodput",
}


@pytest.mark.parametrize("inputs", EVERY_MODE, ids=MODE_IDS)
def test_every_mode_keeps_the_contract(inputs: PlanInputs) -> None:
    document = json.loads(json.dumps(plan_document(make_plan(inputs)), allow_nan=False))
    assert set(document) == CONTRACT
    assert document["schema"] == "ckpt-tui/plan/1"
    assert set(document["inputs"]) == set(PlanInputs._fields)
    assert document["inputs"]["mode"] == inputs.mode.value
    for row in document["exact"]["rows"]:
        assert set(row) >= EXACT_ROW
        parts = ("work", "save", "rollback", "down", "reload")
        total = sum(row[f"{part}_minutes"] for part in parts)
        assert total == pytest.approx(row["wall_minutes"], abs=1e-6)
        assert row["goodput"] == pytest.approx(1440 / row["wall_minutes"], abs=1e-8)


@pytest.mark.parametrize("inputs", EVERY_MODE, ids=MODE_IDS)
def test_the_optimum_beats_every_listed_interval(inputs: PlanInputs) -> None:
    plan = make_plan(inputs)
    assert plan.optimum is not None
    model = model_for(inputs)
    for interval in (*inputs.intervals_minutes, *(cost[0] for cost in cost_curve(inputs))):
        assert model.goodput(interval) <= plan.optimum.goodput * (1 + 1e-9)


@pytest.mark.parametrize("inputs", EVERY_MODE, ids=MODE_IDS)
def test_the_band_ends_where_five_percent_does(inputs: PlanInputs) -> None:
    plan = make_plan(inputs)
    assert plan.optimum is not None
    assert plan.optimum.within_5_percent_minutes is not None
    low, high = plan.optimum.within_5_percent_minutes
    model = model_for(inputs)
    best = plan.optimum.interval_minutes
    limit = model.goodput(best) / (1 + 0.05 * model.tunable_share(best))
    assert model.goodput(high * 1.001) < limit <= model.goodput(high)
    if low > model.shortest_interval_minutes:
        assert model.goodput(low * 0.999) < limit <= model.goodput(low)


def test_ties_go_to_the_first_listed() -> None:
    plan = make_plan(PlanInputs(intervals_minutes=(2000, 1440, 3000), fault_rate_per_hour=0.001))
    assert plan.best_exact_minutes == 2000
    assert make_plan(PlanInputs(save_minutes=0, fault_rate_per_hour=0)).best_lesson_minutes == 15


def test_duplicates_are_dropped() -> None:
    plan = make_plan(PlanInputs(intervals_minutes=(60, 15, 60)))
    assert [row.interval_minutes for row in plan.lesson_rows] == [60, 15]
    assert plan.inputs.intervals_minutes == (60, 15)


def test_invalid_inputs_name_every_field() -> None:
    with pytest.raises(PlanInputsError) as caught:
        make_plan(PlanInputs(save_minutes=-1, run_minutes=math.nan))
    assert [error.field for error in caught.value.errors] == ["run_minutes", "save_minutes"]


def test_no_failures_have_no_optimum() -> None:
    document = plan_document(make_plan(PlanInputs(fault_rate_per_hour=0)))
    assert document["exact"]["best_continuous_minutes"] is None
    assert document["exact"]["within_5_percent_minutes"] is None
    assert document["exact"]["best_listed_minutes"] == 120
    assert document["young_minutes"] is None
    assert document["daly_minutes"] is None
    assert document["mtbf_minutes"] is None
    assert document["no_checkpoints"]["overhead"] == 0
    assert len(document["warnings"]) == 1


def test_free_saves_have_no_optimum_but_a_step() -> None:
    plan = make_plan(PlanInputs(save_minutes=0, step_seconds=30.0))
    assert plan.optimum is None
    assert plan.steps is not None
    assert (plan.steps.steps, plan.steps.interval_minutes) == (1, 0.5)
    assert [warning.code for warning in plan.warnings] == ["free-save"]


@pytest.mark.parametrize("step_seconds", [7.0, 105.0, 3600.0, 1e5])
def test_steps_are_the_better_neighbour(step_seconds: float) -> None:
    inputs = PlanInputs(step_seconds=step_seconds)
    plan = make_plan(inputs)
    model = model_for(inputs)
    assert plan.steps is not None
    chosen = model.goodput(plan.steps.interval_minutes)
    for steps in {max(1, plan.steps.steps - 1), plan.steps.steps + 1}:
        assert model.goodput(steps * step_seconds / 60) <= chosen


def test_bloom_steps() -> None:
    inputs = PlanInputs(
        fault_rate_per_hour=1 / 168, save_minutes=40 / 60, step_seconds=105.0, reload_minutes=0
    )
    plan = make_plan(inputs)
    assert plan.steps is not None
    assert plan.steps.steps == 66


def test_persist_bound_steps_are_rounded_up() -> None:
    inputs = ASYNC._replace(
        snapshot_minutes=0.1,
        persist_minutes=30,
        slowdown=0,
        fault_rate_per_hour=2,
        step_seconds=50.0,
    )
    plan = make_plan(inputs)
    assert plan.optimum is not None
    assert plan.optimum.interval_minutes == 30
    assert plan.steps is not None
    assert plan.steps.steps == 36


def test_regret_in_minutes_gpu_hours_and_money() -> None:
    inputs = PlanInputs(current_interval_minutes=15, gpus=512, gpu_hour_price=2.5)
    regret = make_plan(inputs).regret
    assert regret is not None
    assert regret.extra_minutes == pytest.approx(201.00 - 1440 * (1 / 0.9613612 - 1), abs=0.02)
    assert regret.extra_gpu_hours == pytest.approx(regret.extra_minutes * 512 / 60)
    assert regret.extra_cost == pytest.approx(regret.extra_gpu_hours * 2.5)
    alone = make_plan(inputs._replace(gpus=None)).regret
    assert alone is not None
    assert (alone.extra_gpu_hours, alone.extra_cost) == (None, None)


def test_no_regret_at_the_optimum() -> None:
    best = make_plan(PlanInputs()).optimum
    assert best is not None
    regret = make_plan(PlanInputs(current_interval_minutes=best.interval_minutes)).regret
    assert regret is not None
    assert regret.extra_minutes == pytest.approx(0, abs=1e-9)
    assert make_plan(PlanInputs()).regret is None


def test_regret_of_an_interval_that_does_not_finish() -> None:
    inputs = PlanInputs(fault_rate_per_hour=6, run_minutes=10_000, current_interval_minutes=9000)
    regret = make_plan(inputs).regret
    assert regret is not None
    assert regret.extra_minutes is None


def test_without_failures_regret_is_the_saves() -> None:
    inputs = PlanInputs(fault_rate_per_hour=0, current_interval_minutes=120)
    regret = make_plan(inputs).regret
    assert regret is not None
    assert regret.extra_minutes == pytest.approx(11 * 2)


def test_storage_written_a_day() -> None:
    size = 1_000_000_000_000
    rows = make_plan(PlanInputs(checkpoint_bytes=size)).exact_rows
    assert rows[3].storage_bytes_per_day == pytest.approx(12 * size * 1440 / 1498.165, rel=1e-5)
    two = make_plan(TWO_LEVEL._replace(checkpoint_bytes=size, level2_every_saves=5)).exact_rows[0]
    assert two.budget is not None
    assert two.storage_bytes_per_day == pytest.approx(
        math.ceil(96 / 5) * size * 1440 / two.budget.wall_minutes
    )


def test_the_wall_band_holds_the_mean() -> None:
    for row in make_plan(PlanInputs(fault_rate_per_hour=0.5)).exact_rows:
        assert row.budget is not None
        assert row.wall_band_minutes is not None
        low, high = row.wall_band_minutes
        assert row.budget.work_minutes + row.budget.save_minutes <= low
        assert low < row.budget.wall_minutes < high


def test_a_fixed_level_2_cadence_is_kept() -> None:
    plan = make_plan(TWO_LEVEL._replace(level2_every_saves=7))
    assert {row.level2_every_saves for row in plan.exact_rows} == {7}
    assert plan.optimum is not None
    assert plan.optimum.level2_every_saves == 7
    free = make_plan(TWO_LEVEL)
    assert free.optimum is not None
    assert free.optimum.goodput >= plan.optimum.goodput


def test_without_coverage_two_levels_gain_nothing() -> None:
    plan = make_plan(TWO_LEVEL._replace(level1_coverage=0.0))
    single = make_plan(TWO_LEVEL._replace(mode=PlanMode.SYNC))
    assert plan.optimum is not None
    assert single.optimum is not None
    assert plan.optimum.goodput == pytest.approx(single.optimum.goodput, rel=1e-9)
    assert plan.young_minutes == single.young_minutes


def test_first_order_uses_the_modes_own_stall() -> None:
    mtbf = 60 / 0.32
    assert make_plan(ASYNC).young_minutes == pytest.approx(math.sqrt(2 * 0.35 * mtbf))
    assert make_plan(TWO_LEVEL).young_minutes == pytest.approx(math.sqrt(2 * 0.1 * mtbf / 0.75))


@pytest.mark.parametrize("coverage", [1e-308, 1e-304])
def test_a_first_order_interval_beyond_any_number_is_none(coverage: float) -> None:
    inputs = TWO_LEVEL._replace(
        level1_save_minutes=100.0, level1_coverage=coverage, level2_every_saves=2
    )
    plan = make_plan(inputs)
    assert plan.young_minutes is None
    assert plan.daly_minutes is None
    assert plan_document(plan)["young_minutes"] is None


def test_a_weibull_law_needs_failures() -> None:
    plan = make_plan(WEIBULL._replace(fault_rate_per_hour=0))
    assert plan.follows_run
    assert plan.optimum is None


def test_the_curve_spans_list_and_optimum() -> None:
    curve = cost_curve(PlanInputs())
    intervals = [interval for interval, _ in curve]
    assert len(curve) == 200
    assert intervals == sorted(intervals)
    assert intervals[0] == pytest.approx(15)
    assert intervals[-1] == pytest.approx(4 * 108.215, rel=1e-5)
    cheapest = min(curve, key=lambda point: point[1])
    assert cheapest[0] == pytest.approx(108.2, rel=0.02)


def test_the_curve_of_one_interval_without_optimum() -> None:
    curve = cost_curve(PlanInputs(fault_rate_per_hour=0, intervals_minutes=(60,)), 5)
    assert [round(interval) for interval, _ in curve] == [15, 30, 60, 120, 240]


def test_the_curve_leaves_out_what_does_not_finish() -> None:
    inputs = PlanInputs(fault_rate_per_hour=60, intervals_minutes=(1, 5000))
    assert 0 < len(cost_curve(inputs)) < 200


def test_the_curve_refuses_invalid_inputs() -> None:
    with pytest.raises(PlanInputsError):
        cost_curve(PlanInputs(save_minutes=-1))


def _plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _plain(each) for key, each in value.items())
    if isinstance(value, list):
        return all(_plain(each) for each in value)
    return value is None or type(value) in {bool, int, float, str}


def test_the_document_is_plain_json() -> None:
    for inputs in EVERY_MODE:
        assert _plain(plan_document(make_plan(inputs)))

"""What must hold for every input that is accepted, however far out."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.planner.advice_text import advice_text
from ckpt_tui.planner.contract import plan_document
from ckpt_tui.planner.markdown import plan_markdown
from ckpt_tui.planner.models import model_for
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.numerics import SMALLEST_GOODPUT
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.published import other_formulas
from ckpt_tui.planner.retention import Policy
from ckpt_tui.planner.saver_settings import settings_text
from ckpt_tui.planner.sensitivity import sensitivities
from ckpt_tui.planner.storage import storage_of
from tests.planner.ranges import HARD_RANGE, SENSIBLE_RANGE

if TYPE_CHECKING:
    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.inputs import PlanInputs

PARTS = ("work_minutes", "save_minutes", "rollback_minutes", "down_minutes", "reload_minutes")


COUNTS = st.none() | st.integers(1, 2000)
POLICIES = st.builds(Policy, last=COUNTS, every_steps=COUNTS, best=COUNTS)


def assert_sums(budget: Budget) -> None:
    parts = [getattr(budget, part) for part in PARTS]
    assert min(parts) >= 0
    assert sum(parts) == pytest.approx(budget.wall_minutes, rel=1e-6)
    assert 0 < budget.goodput <= 1
    assert budget.failures >= 0


def assert_equal(one: Budget | None, other: Budget | None, inputs: PlanInputs) -> None:
    if one is None or other is None:
        # Within a rounding of the limit one of both may be called "does not finish".
        left = one or other
        assert left is None or left.goodput < SMALLEST_GOODPUT * (1 + 1e-6)
        return
    scale = one.wall_minutes
    for part in ("wall_minutes", *PARTS):
        value, wanted = getattr(one, part), getattr(other, part)
        assert value == pytest.approx(wanted, rel=1e-6, abs=1e-7 * scale), (part, inputs)


@settings(max_examples=300)
@given(HARD_RANGE)
def test_the_budget_sums_to_the_wall_time(inputs: PlanInputs) -> None:
    plan = make_plan(inputs)
    for budget in (*(row.budget for row in plan.exact_rows), plan.unsaved):
        if budget is not None:
            assert_sums(budget)
    if plan.optimum is not None:
        assert 0 <= plan.optimum.goodput <= 1


@settings(max_examples=300)
@given(SENSIBLE_RANGE | HARD_RANGE, st.floats(0.2, 5))
def test_the_optimum_is_a_minimum_of_the_cost(inputs: PlanInputs, factor: float) -> None:
    model = model_for(inputs)
    best = model.best_interval_minutes()
    if 0 < best < math.inf and model.goodput(best) >= SMALLEST_GOODPUT:
        assert model.goodput(best) >= model.goodput(best * factor) * (1 - 1e-6)


@settings(max_examples=200)
@given(HARD_RANGE)
def test_a_save_without_persist_is_a_synchronous_one(inputs: PlanInputs) -> None:
    sync = inputs._replace(mode=PlanMode.SYNC, weibull_shape=None)
    same = sync._replace(
        mode=PlanMode.ASYNC, snapshot_minutes=sync.save_minutes, persist_minutes=0.0, slowdown=0.0
    )
    one, other = model_for(sync), model_for(same)
    for interval in inputs.intervals_minutes:
        assert other.goodput(interval) == pytest.approx(one.goodput(interval), rel=1e-9, abs=1e-300)
        budgets = (each.run_budget(inputs.run_minutes, interval) for each in (one, other))
        assert_equal(*budgets, inputs)
    assert other.best_interval_minutes() == pytest.approx(one.best_interval_minutes(), rel=1e-9)


@settings(max_examples=200)
@given(HARD_RANGE)
def test_two_levels_that_cover_nothing_are_level_2_alone(inputs: PlanInputs) -> None:
    sync = inputs._replace(mode=PlanMode.SYNC, weibull_shape=None)
    same = sync._replace(mode=PlanMode.TWO_LEVEL, level1_coverage=0.0, level2_every_saves=1)
    one, other = model_for(sync), model_for(same)
    for interval in inputs.intervals_minutes:
        assert_equal(
            one.run_budget(inputs.run_minutes, interval),
            other.run_budget(inputs.run_minutes, interval),
            inputs,
        )


@settings(max_examples=100)
@given(SENSIBLE_RANGE)
def test_without_coverage_level_1_never_helps(inputs: PlanInputs) -> None:
    sync = model_for(inputs._replace(mode=PlanMode.SYNC, weibull_shape=None))
    levels = inputs._replace(
        mode=PlanMode.TWO_LEVEL, weibull_shape=None, level1_coverage=0.0, level2_every_saves=None
    )
    best = model_for(levels).best_interval_minutes()
    most = sync.goodput(sync.best_interval_minutes())
    assert model_for(levels).goodput(best) <= most * (1 + 1e-6) + 1e-12


@settings(max_examples=100)
@given(HARD_RANGE, POLICIES)
def test_what_is_said_beside_the_plan_is_finite(inputs: PlanInputs, policy: Policy) -> None:
    plan = make_plan(inputs)
    assert all(math.isfinite(each.elasticity) for each in sensitivities(inputs))
    others = other_formulas(inputs)
    assert others is None or all(map(math.isfinite, (*others[:2], *others.meta_ettr)))
    for row in plan.exact_rows:
        storage = storage_of(inputs, row, policy)
        assert storage is None or 0 <= storage.kept_bytes <= storage.written_bytes
    assert plan_document(plan, policy)["schema"] == "ckpt-tui/plan/1"
    assert all(len(line) <= 80 for line in advice_text(plan, policy).splitlines())
    told = advice_text(plan, policy) + plan_markdown(plan, policy)
    told += settings_text(plan.interval_to_set, inputs.step_seconds)
    assert not re.search(r"\b(nan|inf)\b", told)

"""The closed forms of asynchronous, two-level and Weibull saves against plainer computations."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.planner import exact
from ckpt_tui.planner.asynchronous import (
    AsyncSave,
    async_cycle_wall_minutes,
    async_run_budget,
    optimal_async_interval_minutes,
)
from ckpt_tui.planner.gamma import gamma_quantile, gamma_shares
from ckpt_tui.planner.rate import rate_posterior
from ckpt_tui.planner.renewal import Renewal
from ckpt_tui.planner.two_level import (
    MOST_SAVES,
    TwoLevels,
    best_save_count,
    optimal_two_level,
    pattern_budget,
    pattern_cost,
    two_level_run_budget,
)
from ckpt_tui.planner.weibull import WeibullLaw, survival_sum

EXAMPLE = TwoLevels(0.1, 3, 0.8, 2, 12, 1, 6, 120.0)
LEVELS = st.builds(
    TwoLevels,
    st.floats(0.01, 2),
    st.floats(0.01, 20),
    st.sampled_from([0.0, 0.3, 0.75, 0.95, 0.999, 1.0]),
    st.floats(0, 10),
    st.floats(0, 30),
    st.floats(0, 10),
    st.floats(0, 30),
    st.floats(15, 1e5),
)


def test_llama_like_async_plan() -> None:
    save = AsyncSave(0.105, 2.375, 0.05)
    best = optimal_async_interval_minutes(save, 185.6)
    assert best + save.stall_minutes == pytest.approx(9.19, abs=0.005)
    goodput = best / async_cycle_wall_minutes(best, save, 185.6, 5, 5)
    assert goodput == pytest.approx(0.8912, abs=5e-5)


def test_a_persist_sets_a_floor() -> None:
    save = AsyncSave(0.1, 10, 0.05)
    best = optimal_async_interval_minutes(save, 17.7)
    assert best + save.stall_minutes == pytest.approx(10.1)
    assert best / async_cycle_wall_minutes(best, save, 17.7, 5, 2) == pytest.approx(0.276, abs=5e-4)


@settings(deadline=None)
@given(
    save=st.builds(AsyncSave, st.floats(0, 5), st.floats(0, 60), st.floats(0, 0.9)),
    run=st.floats(10, 1e5),
    interval=st.floats(0.5, 1e3),
    mtbf=st.floats(5, 1e7),
    reload=st.floats(0, 60),
    down=st.floats(0, 60),
)
def test_async_parts_add_up(
    save: AsyncSave, run: float, interval: float, mtbf: float, reload: float, down: float
) -> None:
    budget = async_run_budget(run, interval, save, mtbf, reload, down)
    if budget is None:
        return
    assert all(math.isfinite(part) and part >= 0 for part in budget[:7])
    assert sum(budget[1:6]) == pytest.approx(budget.wall_minutes, rel=1e-9)


def test_async_without_failures_costs_its_stalls_and_the_last_persist() -> None:
    budget = async_run_budget(100, 10, AsyncSave(0.5, 4, 0.25), math.inf, 8, 5)
    assert budget is not None
    assert budget.wall_minutes == pytest.approx(100 + 10 * 0.5 + 9 * 1 + 4)
    assert budget.rollback_minutes == 0


def test_a_save_without_persist_is_synchronous() -> None:
    one = async_run_budget(1440, 33, AsyncSave(2, 0, 0), 300, 8, 5)
    other = exact.run_budget(1440, 33, 2, 300, 8, 5)
    assert one is not None
    assert other is not None
    assert one[:7] == pytest.approx(other[:7], rel=1e-9)


def _solve_pattern(levels: TwoLevels, interval: float, saves: int) -> float:
    """Wall time of a pattern by iterating its linear system of states to convergence."""
    mtbf, share = levels.mtbf_minutes, levels.coverage1
    fails = {
        minutes: -math.expm1(-minutes / mtbf)
        for minutes in (
            interval + levels.save1_minutes,
            interval + levels.save2_minutes,
            levels.reload1_minutes,
        )
    }
    recover2 = math.exp(levels.reload2_minutes / mtbf) * (mtbf + levels.down2_minutes) - mtbf
    start = 0.0
    for _ in range(2000):
        after = 0.0
        to_level2 = (1 - share) * (recover2 + start)
        for index in reversed(range(saves)):
            last = index == saves - 1
            fail = fails[interval + (levels.save2_minutes if last else levels.save1_minutes)]
            reload_fails = fails[levels.reload1_minutes]
            # V = M f + (1-f) V' + f (c G + to_level2); G = D1 + M r + (1-r) V + r (c G + to_level2)
            g = 1 / (1 - share * reload_fails)
            constant = g * (levels.down1_minutes + mtbf * reload_fails + reload_fails * to_level2)
            value = mtbf * fail + (1 - fail) * after + fail * (share * constant + to_level2)
            after = value / (1 - fail * share * g * (1 - reload_fails))
        if abs(after - start) <= 1e-13 * after:
            break
        start = after
    return start


@pytest.mark.parametrize("saves", [1, 2, 7])
@pytest.mark.parametrize("coverage", [0.0, 0.5, 0.9])
def test_two_level_closed_form_solves_the_linear_system(saves: int, coverage: float) -> None:
    levels = EXAMPLE._replace(coverage1=coverage)
    budget = pattern_budget(levels, 8, saves)
    assert budget is not None
    assert budget.wall_minutes == pytest.approx(_solve_pattern(levels, 8, saves), rel=1e-9)


def test_two_level_example() -> None:
    interval, saves = optimal_two_level(EXAMPLE)
    budget = pattern_budget(EXAMPLE, interval, saves)
    assert budget is not None
    assert interval == pytest.approx(5.10, abs=0.005)
    assert saves == 11
    assert budget.goodput == pytest.approx(0.82619, abs=5e-6)


@pytest.mark.parametrize(
    ("coverage", "goodput"), [(0, 0.679), (0.5, 0.798), (0.75, 0.865), (0.9, 0.908), (1, 0.937)]
)
def test_coverage_matters(coverage: float, goodput: float) -> None:
    levels = TwoLevels(0.105, 1, coverage, 2, 10, 1, 6, 185.6)
    budget = pattern_budget(levels, 3.6, 25)
    assert budget is not None
    assert budget.goodput == pytest.approx(goodput, abs=5e-4)


@settings(deadline=None)
@given(levels=LEVELS, interval=st.floats(0.5, 500), saves=st.integers(1, 60))
def test_two_level_parts_add_up(levels: TwoLevels, interval: float, saves: int) -> None:
    budget = two_level_run_budget(levels, 2000, interval, saves)
    if budget is None:
        return
    assert all(math.isfinite(part) and part >= 0 for part in budget[:7])
    assert sum(budget[1:6]) == pytest.approx(budget.wall_minutes, rel=1e-9)


@settings(deadline=None)
@given(levels=LEVELS, interval=st.floats(0.5, 200))
def test_the_best_save_count_beats_its_neighbours(levels: TwoLevels, interval: float) -> None:
    best = best_save_count(levels, interval)
    cost = pattern_cost(levels, interval, best)
    for other in {1, max(1, best - 1), min(best + 1, MOST_SAVES), min(2 * best, MOST_SAVES)}:
        assert cost <= pattern_cost(levels, interval, other) * (1 + 1e-12)


@settings(deadline=None)
@given(levels=LEVELS)
def test_the_best_pair_beats_other_intervals(levels: TwoLevels) -> None:
    interval, saves = optimal_two_level(levels)
    cost = pattern_cost(levels, interval, saves)
    for factor in (0.25, 0.8, 0.97, 1.03, 1.25, 4):
        other = interval * factor
        assert cost <= pattern_cost(levels, other, best_save_count(levels, other)) * (1 + 1e-9)


def test_swapped_levels_save_at_level_2_only() -> None:
    levels = EXAMPLE._replace(save1_minutes=5.0)
    assert best_save_count(levels, 20) == 1
    assert optimal_two_level(levels)[1] == 1


def test_full_coverage_leaves_level_2_to_archives() -> None:
    levels = EXAMPLE._replace(coverage1=1.0)
    assert best_save_count(levels, 20) == MOST_SAVES
    budget = pattern_budget(levels, 20, 5)
    assert budget is not None
    assert budget.goodput > 0


@pytest.mark.parametrize(
    ("shape", "best", "goodput", "at_exponential"),
    [
        (0.4, 35.56, 0.83865, 0.83413),
        (0.5, 31.46, 0.82409, 0.82209),
        (0.7, 27.63, 0.80820, 0.80788),
        (1.5, 24.52, 0.79446, 0.79436),
        (3.0, 24.23, 0.79336, 0.79320),
    ],
)
def test_weibull_table(shape: float, best: float, goodput: float, at_exponential: float) -> None:
    renewal = Renewal(WeibullLaw(shape, 180.0), AsyncSave(2, 0, 0), 8, 5)
    assert renewal.optimal_interval_minutes() == pytest.approx(best, abs=0.006)
    assert renewal.goodput(best) == pytest.approx(goodput, abs=6e-6)
    assert renewal.goodput(25.52) == pytest.approx(at_exponential, abs=6e-6)


@settings(deadline=None)
@given(
    shape=st.floats(0.45, 10),
    period=st.floats(2, 600),
    offset=st.sampled_from([0.0, 8.0, 100.0]),
)
def test_the_survival_sum_is_the_sum(shape: float, period: float, offset: float) -> None:
    law = WeibullLaw(shape, 180.0)
    total, count = 0.0, 1
    while (hazard := law.hazard_sum(offset + count * period)) < 40:
        total += math.exp(-hazard)
        count += 1
    assert survival_sum(law, offset, period) == pytest.approx(total, rel=1e-11, abs=1e-15)


@settings(deadline=None)
@given(
    shape=st.floats(0.2, 10),
    interval=st.floats(1, 500),
    save=st.builds(AsyncSave, st.floats(0, 5), st.floats(0, 60), st.floats(0, 0.9)),
    reload=st.floats(0, 60),
)
def test_renewal_parts_add_up(
    shape: float, interval: float, save: AsyncSave, reload: float
) -> None:
    renewal = Renewal(WeibullLaw(shape, 180.0), save, reload, 5)
    for budget in (renewal.long_run_budget(1440, interval), renewal.unsaved_run_budget(1440)):
        if budget is not None:
            assert all(math.isfinite(part) and part >= 0 for part in budget[:7])
            assert sum(budget[1:6]) == pytest.approx(budget.wall_minutes, rel=1e-6)


def test_shape_one_is_exponential() -> None:
    renewal = Renewal(WeibullLaw(1.0, 180.0), AsyncSave(2, 0, 0), 8, 5)
    long_run = renewal.long_run_budget(1440, 30)
    run = exact.run_budget(1440, 30, 2, 180, 8, 5)
    assert long_run is not None
    assert run is not None
    assert long_run[:7] == pytest.approx(run[:7], rel=1e-9)
    unsaved = renewal.unsaved_run_budget(400)
    closed = exact.unsaved_run_budget(400, 180, 8, 5)
    assert unsaved is not None
    assert closed is not None
    assert unsaved[:7] == pytest.approx(closed[:7], rel=1e-9)


@settings(deadline=None)
@given(shape=st.floats(0.1, 500), probability=st.floats(0.001, 0.999))
def test_gamma_quantile_inverts(shape: float, probability: float) -> None:
    assert gamma_shares(shape, gamma_quantile(probability, shape))[0] == pytest.approx(
        probability, rel=1e-9
    )


@pytest.mark.parametrize("shape", [1e4 + 0.5, 1e6])
@pytest.mark.parametrize("probability", [0.0005, 0.05, 0.5, 0.95, 0.9995])
def test_gamma_quantile_of_large_shapes(shape: float, probability: float) -> None:
    """Wilson and Hilferty: the cube root of a gamma variable is nearly normal."""
    ninth = 1 / (9 * shape)
    normal = NormalDist().inv_cdf(probability)
    expected = shape * (1 - ninth + normal * math.sqrt(ninth)) ** 3
    assert gamma_quantile(probability, shape) == pytest.approx(expected, rel=1e-6)


def test_gamma_shares_of_the_exponential() -> None:
    lower, upper = gamma_shares(1.0, 3.0)
    assert lower == pytest.approx(-math.expm1(-3))
    assert upper == pytest.approx(math.exp(-3))
    assert gamma_shares(2.0, 0.0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((-1, 10.0), "failures"),
        ((1, 0.0), "exposure_hours"),
        ((1, 10.0, 0.0), "prior_shape"),
        ((1, 10.0, 0.5, -1.0), "prior_hours"),
        ((1, 10.0, 0.5, 0.0, 1.0), "level"),
    ],
)
def test_bad_posterior_arguments_are_named(arguments: tuple[Any, ...], name: str) -> None:
    with pytest.raises(ValueError, match=name):
        rate_posterior(*arguments)


def test_no_failures_yet_still_gives_a_plan() -> None:
    posterior = rate_posterior(0, 100.0)
    assert posterior.young_hours(0.05) == pytest.approx(2 * math.sqrt(0.05 * 100))
    assert posterior.rule_of_three == pytest.approx(0.02996, abs=5e-6)

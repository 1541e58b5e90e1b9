from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ckpt_tui.planner import exact, first_order
from ckpt_tui.planner.budget import cut_run
from ckpt_tui.planner.numerics import exp_excess, growth, lost_mean, lost_variance, mean_exposed

MTBFS = st.floats(math.log(0.5), math.log(1e7)).map(math.exp)
SAVES = st.floats(math.log(1e-4), math.log(60)).map(math.exp)


@settings(deadline=None)
@given(stall=SAVES, mtbf=MTBFS, factor=st.floats(0.2, 5), reload=st.floats(0, 60))
def test_the_optimum_is_a_maximum_of_goodput(
    stall: float, mtbf: float, factor: float, reload: float
) -> None:
    best = exact.optimal_interval_minutes(stall, mtbf)
    at_best = exact.goodput(best, stall, mtbf, reload, 5.0)
    assert exact.goodput(best * factor, stall, mtbf, reload, 5.0) <= at_best * (1 + 1e-14)


@settings(deadline=None)
@given(stall=SAVES, mtbf=MTBFS)
def test_the_optimum_solves_the_stationarity_equation(stall: float, mtbf: float) -> None:
    best = exact.optimal_interval_minutes(stall, mtbf)
    x, ratio = best / mtbf, stall / mtbf
    assert 0 < x <= 1
    assert exp_excess(-(x + ratio)) == pytest.approx(ratio, rel=1e-10)


@settings(deadline=None)
@given(stall=SAVES, mtbf=MTBFS, reload=st.floats(0, 60), down=st.floats(0, 60))
def test_goodput_at_the_optimum_has_its_closed_form(
    stall: float, mtbf: float, reload: float, down: float
) -> None:
    best = exact.optimal_interval_minutes(stall, mtbf)
    assume((best + stall + reload) / mtbf < 600)
    closed = math.exp(-(best + stall + reload) / mtbf) / (1 + down / mtbf)
    assert exact.goodput(best, stall, mtbf, reload, down) == pytest.approx(closed, rel=1e-9)


def test_limits_of_the_optimum() -> None:
    assert exact.optimal_interval_minutes(0.0, 100.0) == 0
    assert exact.optimal_interval_minutes(2.0, math.inf) == math.inf
    assert exact.optimal_interval_minutes(1e6, 1.0) == pytest.approx(1.0)
    tiny = exact.optimal_interval_minutes(1e-12, 3000.0)
    assert tiny == pytest.approx(first_order.young_minutes(1e-12, 3000.0), rel=1e-7)


@pytest.mark.parametrize(
    ("mtbf", "young", "daly", "best", "lesson", "overhead", "goodput"),
    [
        (3000, 109.545, 108.215, 108.215, 0.0392, 0.0402, 0.9614),
        (360, 37.947, 36.626, 36.626, 0.1276, 0.1384, 0.8785),
        (180, 26.833, 25.516, 25.516, 0.1935, 0.2183, 0.8209),
        (60, 15.492, 14.187, 14.188, 0.3915, 0.4979, 0.6682),
        (30, 10.954, 9.662, 9.664, 0.6318, 0.9310, 0.5192),
        (15, 7.746, 6.470, 6.474, 1.050, 2.021, 0.3334),
        (8, 5.657, 4.402, 4.410, 1.707, 5.167, 0.1651),
        (2, 2.828, 1.652, 1.683, 5.41, 392.05, 0.0029),
    ],
)
def test_where_first_order_goes_wrong(
    mtbf: float,
    young: float,
    daly: float,
    best: float,
    lesson: float,
    overhead: float,
    goodput: float,
) -> None:
    stall, reload = 2.0, 8.0
    assert first_order.young_minutes(stall, mtbf) == pytest.approx(young, abs=6e-4)
    assert first_order.daly_minutes(stall, mtbf) == pytest.approx(daly, abs=6e-4)
    assert exact.optimal_interval_minutes(stall, mtbf) == pytest.approx(best, abs=6e-4)
    at_young = first_order.young_minutes(stall, mtbf)
    first = stall / at_young + (at_young / 2 + reload) / mtbf
    assert first == pytest.approx(lesson, rel=2e-3)
    assert 1 / exact.goodput(at_young, stall, mtbf, reload, 0) - 1 == pytest.approx(
        overhead, rel=2e-3
    )
    assert exact.goodput(
        exact.optimal_interval_minutes(stall, mtbf), stall, mtbf, reload, 0
    ) == pytest.approx(goodput, abs=6e-5)


@pytest.mark.parametrize(
    ("mtbf", "stall", "published"), [(1440, 5, 117), (360, 5, 57), (15, 5, 9.1)]
)
def test_dalys_published_optima(mtbf: float, stall: float, published: float) -> None:
    digits = 0 if published > 10 else 1
    assert round(first_order.daly_minutes(stall, mtbf), digits) == published


@settings(deadline=None)
@given(
    run=st.floats(1, 1e6),
    interval=st.floats(0.1, 1e6),
    stall=st.floats(0, 60),
    mtbf=MTBFS,
    reload=st.floats(0, 120),
    down=st.floats(0, 120),
)
def test_the_five_parts_add_up(
    run: float, interval: float, stall: float, mtbf: float, reload: float, down: float
) -> None:
    budget = exact.run_budget(run, interval, stall, mtbf, reload, down)
    if budget is None:
        return
    assert all(math.isfinite(value) and value >= 0 for value in budget if value is not None)
    assert sum(budget[1:6]) == pytest.approx(budget.wall_minutes, rel=1e-9)
    assert budget.work_minutes == pytest.approx(run)
    exposed = budget.wall_minutes - budget.down_minutes
    assert budget.failures == pytest.approx(exposed / mtbf, rel=1e-9)


@pytest.mark.parametrize(
    ("interval", "overhead"), [(15, 201.00), (30, 108.34), (60, 67.50), (120, 58.17)]
)
def test_the_lessons_run_exactly(interval: float, overhead: float) -> None:
    budget = exact.run_budget(1440, interval, 2, 3000, 8, 0)
    assert budget is not None
    assert budget.wall_minutes - 1440 == pytest.approx(overhead, abs=0.005)


def test_a_run_that_does_not_divide_saves_at_its_end_too() -> None:
    budget = exact.run_budget(100, 30, 2, math.inf, 8, 0)
    assert budget is not None
    assert (budget.save_minutes, budget.wall_minutes) == (8, 108)
    full = exact.segment_budget(30, 2, 500, 8, 0)
    last = exact.segment_budget(10, 2, 500, 8, 0)
    run = exact.run_budget(100, 30, 2, 500, 8, 0)
    assert full is not None
    assert last is not None
    assert run is not None
    assert run.wall_minutes == pytest.approx(3 * full.wall_minutes + last.wall_minutes)
    assert run.wall_variance == pytest.approx(
        3 * (full.wall_variance or 0) + (last.wall_variance or 0)
    )


@pytest.mark.parametrize(
    ("run", "interval", "saves"),
    [(1440, 15, 96), (0.6, 0.2, 3), (0.3, 0.1, 3), (100, 30, 4), (10, 60, 1), (1440, 120.001, 12)],
)
def test_save_count_of_a_run(run: float, interval: float, saves: int) -> None:
    cut = cut_run(run, interval)
    assert cut.save_count == saves
    assert cut.full_count * cut.full_minutes + cut.last_minutes == pytest.approx(run)


def test_does_not_finish_instead_of_overflow() -> None:
    assert exact.segment_budget(800, 2, 1, 8, 0) is None
    assert exact.goodput(800, 2, 1, 8, 0) == 0
    assert exact.unsaved_run_budget(1440, 10, 8, 0) is None
    assert exact.segment_budget(1, 1, 1, 699, 0) is None


def test_a_run_without_checkpoints_is_one_segment() -> None:
    budget = exact.unsaved_run_budget(1440, 3000, 8, 0)
    assert budget is not None
    assert budget.wall_minutes == pytest.approx(
        3000 * math.exp(8 / 3000) * math.expm1(1440 / 3000), rel=1e-12
    )
    assert budget.save_minutes == 0


@settings(deadline=None)
@given(y=st.floats(1e-8, 30))
def test_moments_match_their_plain_formulas_where_those_can_be_trusted(y: float) -> None:
    plain_mean = 1 - y / math.expm1(y)
    plain_variance = 1 - (y / 2 / math.sinh(y / 2)) ** 2
    assert lost_mean(y, 1.0) == pytest.approx(plain_mean, abs=1e-9)
    assert lost_variance(y, 1.0) == pytest.approx(plain_variance, abs=1e-9)
    assert lost_variance(y, 1.0) <= y * y / 12 * (1 + 1e-12)


@settings(deadline=None)
@given(minutes=st.floats(0, 1e4), mtbf=st.floats(100, 1e300))
def test_growth_and_exposure_bracket_the_time(minutes: float, mtbf: float) -> None:
    assert mean_exposed(minutes, mtbf) <= minutes * (1 + 1e-15)
    assert growth(minutes, mtbf) >= minutes * (1 - 1e-15)


def test_exp_excess_is_continuous_where_the_method_changes() -> None:
    for x in (0.5, -0.5):
        below, above = exp_excess(x * (1 - 1e-12)), exp_excess(x * (1 + 1e-12))
        assert below == pytest.approx(above, rel=1e-10)
    assert exp_excess(1e-8) == pytest.approx(5e-17, rel=1e-7)
    assert exp_excess(0.0) == 0

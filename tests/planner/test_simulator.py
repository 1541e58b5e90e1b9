"""The vectorised simulator against the exact models, and its own promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.models import model_for
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.simulation.simulate import CannotSimulateError, simulate

if TYPE_CHECKING:
    from ckpt_tui.planner.simulation.result import Simulated


JOB = PlanInputs(run_minutes=1440, fault_rate_per_hour=0.5, reload_minutes=8, down_minutes=5)
ASYNC = JOB._replace(mode=PlanMode.ASYNC)
TWO = JOB._replace(mode=PlanMode.TWO_LEVEL, save_minutes=3.0)
PARTS = ("wall", "save", "rollback", "down", "reload")


def run(inputs: PlanInputs, interval: float, runs: int = 4000, seed: int = 5) -> Simulated:
    steps = simulate(inputs, interval, runs, seed)
    try:
        while True:
            next(steps)
    except StopIteration as ended:
        result: Simulated = ended.value
        return result


@pytest.mark.parametrize(
    ("inputs", "interval"),
    [
        (JOB, 30.0),
        (JOB, 37.0),
        (JOB._replace(run_minutes=300), 2000.0),
        (JOB._replace(fault_rate_per_hour=4.0), 5.0),
        (ASYNC, 30.0),
        (ASYNC._replace(slowdown=0.3), 7.0),
        (ASYNC, 1.0),  # bound by the persist
        (ASYNC._replace(persist_minutes=0.0, slowdown=0.0, snapshot_minutes=2.0), 30.0),
        (TWO, 10.0),
        (TWO._replace(level1_coverage=0.0, level2_every_saves=3), 10.0),
        (TWO._replace(level1_coverage=1.0, level2_every_saves=7), 11.0),
    ],
)
def test_means_agree_with_the_exact_model(inputs: PlanInputs, interval: float) -> None:
    simulated = run(inputs, interval)
    budget = model_for(inputs).run_budget(inputs.run_minutes, interval)
    assert budget is not None
    for part in PARTS:
        mean = getattr(simulated, f"{part}_minutes")
        expected = getattr(budget, f"{part}_minutes")
        # Half again the 99 % interval: dozens of comparisons must all hold.
        wide = mean._replace(half_width=1.5 * mean.half_width)
        assert wide.agrees_with(expected), f"{part}: {mean} against {expected}"
    assert abs(simulated.failures.value - budget.failures) <= 1.5 * simulated.failures.half_width


def test_the_spread_is_that_of_the_exact_variance() -> None:
    simulated = run(JOB._replace(run_minutes=20_000), 30.0)
    budget = model_for(JOB).run_budget(20_000, 30.0)
    assert budget is not None
    assert budget.wall_variance is not None
    low, _, _, _, high = simulated.quantiles_minutes
    half = 1.645 * budget.wall_variance**0.5
    assert low == pytest.approx(budget.wall_minutes - half, rel=0.01)
    assert high == pytest.approx(budget.wall_minutes + half, rel=0.01)


def test_clustered_failures() -> None:
    inputs = JOB._replace(weibull_shape=0.7, run_minutes=100_000)
    budget = model_for(inputs).run_budget(inputs.run_minutes, 25.0)
    assert budget is not None
    mean = run(inputs, 25.0, 500).wall_minutes
    assert mean.value == pytest.approx(budget.wall_minutes, rel=0.01)


def test_no_failures_no_spread() -> None:
    simulated = run(JOB._replace(fault_rate_per_hour=0.0), 30.0, runs=10)
    assert simulated.wall_minutes == (1440 + 48 * 2, 0.0)
    assert set(simulated.quantiles_minutes) == {1536.0}


def test_a_seed_gives_one_result() -> None:
    assert run(JOB, 30.0, 1500, seed=3) == run(JOB, 30.0, 1500, seed=3)
    assert run(JOB, 30.0, 1500, seed=3) != run(JOB, 30.0, 1500, seed=4)


def test_progress_is_told_batch_by_batch() -> None:
    assert list(simulate(JOB, 30.0, 2500)) == [0.4, 0.8, 1.0]


def test_every_run_is_counted_once() -> None:
    simulated = run(JOB, 30.0, 2500)
    assert sum(simulated.counts) == simulated.runs == 2500
    low, high = simulated.edges_minutes
    assert low <= simulated.quantiles_minutes[0] <= simulated.quantiles_minutes[4] <= high


@pytest.mark.parametrize(
    ("inputs", "interval", "why"),
    [
        (JOB._replace(fault_rate_per_hour=600.0), 120.0, "does not finish"),
        (JOB._replace(run_minutes=4e6), 0.001, "longer interval"),
    ],
)
def test_what_cannot_be_simulated_says_why(inputs: PlanInputs, interval: float, why: str) -> None:
    with pytest.raises(CannotSimulateError, match=why):
        next(simulate(inputs, interval))


def test_few_runs_may_not_have_more_failures_than_many() -> None:
    """A batch steps from failure to failure: two runs of it take as long as a thousand."""
    long = JOB._replace(run_minutes=5e6, fault_rate_per_hour=2.0)
    with pytest.raises(CannotSimulateError, match="shorter run"):
        next(simulate(long, 10, runs=2))

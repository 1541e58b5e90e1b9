"""The reference values, each computed twice outside this project: 1e-9 relative.

A numeric optimum (Weibull) is held to 1e-6.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.planner import exact, first_order
from ckpt_tui.planner.asynchronous import (
    AsyncSave,
    async_cycle_wall_minutes,
    async_run_budget,
    optimal_async_interval_minutes,
)
from ckpt_tui.planner.lesson import checkpoint_interval_cost, expected_failure_overhead
from ckpt_tui.planner.rate import job_mtbf_hours, rate_posterior
from ckpt_tui.planner.renewal import Renewal
from ckpt_tui.planner.two_level import TwoLevels, pattern_budget
from ckpt_tui.planner.weibull import WeibullLaw

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.planner.budget import Budget

CASES = json.loads((Path(__file__).parent / "golden.json").read_text())["cases"]
Values = dict[str, Any]


def _lesson(given: Values) -> Values:
    cost = checkpoint_interval_cost(
        given["run_minutes"],
        given["interval"],
        given["save_minutes"],
        given["fault_rate_per_hour"],
        given["reload_minutes"],
    )
    faults = expected_failure_overhead(
        given["run_minutes"] / 60,
        given["fault_rate_per_hour"],
        given["interval"],
        given["reload_minutes"],
    )
    return {
        "expected_faults": faults["expected_faults"],
        "rollback": faults["expected_rollback_minutes"],
        "reload": faults["expected_reload_minutes"],
        "save_count": cost["save_count"],
        "save_overhead": cost["save_overhead_minutes"],
        "total": cost["total_overhead_minutes"],
    }


def _optimum(given: Values) -> Values:
    stall, mtbf = given["delta"], given["mtbf"]
    young = first_order.young_minutes(stall, mtbf)
    return {
        "young": young,
        "young_minus_delta": young - stall,
        "daly": first_order.daly_minutes(stall, mtbf),
        "exact": exact.optimal_interval_minutes(stall, mtbf),
    }


def _budget(budget: Budget | None) -> Values:
    assert budget is not None
    return {
        "wall": budget.wall_minutes,
        "goodput": budget.goodput,
        "stretch": 1 + budget.overhead,
        "failures": budget.failures,
        "save": budget.save_minutes,
        "rollback": budget.rollback_minutes,
        "down": budget.down_minutes,
        "reload": budget.reload_minutes,
        "variance": budget.wall_variance,
    }


def _sync(given: Values) -> Values:
    names = ("tau", "delta", "mtbf", "reload", "down")
    return _budget(exact.segment_budget(*(given[name] for name in names)))


def _async(given: Values) -> Values:
    save = AsyncSave(given["snapshot"], given["persist"], given["slowdown"])
    work = given["period"] - save.stall_minutes
    costs = (given["mtbf"], given["reload"], given["down"])
    wall = async_cycle_wall_minutes(work, save, *costs)
    run = async_run_budget(given["n"] * work, work, save, *costs)
    assert run is not None
    free = exact.optimal_interval_minutes(save.stall_minutes, given["mtbf"])
    renewal = Renewal(WeibullLaw(1.0, given["mtbf"]), save, given["reload"], given["down"])
    return {
        "work": work,
        "wall": wall,
        "goodput": work / wall,
        "run_wall": run.wall_minutes,
        "period_opt": optimal_async_interval_minutes(save, given["mtbf"]) + save.stall_minutes,
        "period_unconstrained": free + save.stall_minutes,
        "goodput_renewal_sum": renewal.goodput(work),
    }


def _two_level(given: Values) -> Values:
    names = ("delta1", "delta2", "coverage1", "reload1", "reload2", "down1", "down2", "mtbf")
    levels = TwoLevels(*(given[name] for name in names))
    return _budget(pattern_budget(levels, given["tau"], given["k"]))


def _weibull(given: Values) -> Values:
    law = WeibullLaw(given["shape"], given["mtbf"])
    save = AsyncSave(given["delta"], 0.0, 0.0)
    renewal = Renewal(law, save, given["reload"], given["down"])
    best = renewal.optimal_interval_minutes()
    return {
        "goodput": renewal.goodput(given["tau"]),
        "eta": law.scale_minutes,
        "tau_opt": best,
        "goodput_opt": renewal.goodput(best),
    }


def _job_mtbf(given: Values) -> Values:
    return {"hours": job_mtbf_hours(given["nodes"], given["failures_per_1000_node_days"])}


def _posterior(given: Values) -> Values:
    names = ("n", "exposure_h", "prior_a", "prior_b", "level")
    posterior = rate_posterior(*(given[name] for name in names))
    return {
        "mean": posterior.mean,
        "median": posterior.median,
        "lo": posterior.low,
        "hi": posterior.high,
        "upper95": posterior.upper_95,
        "mle": posterior.most_likely,
        "rule_of_three": posterior.rule_of_three,
        "tau_first_order_delta_0.05h": posterior.young_hours(0.05),
    }


def _regret(given: Values) -> Values:
    ratios = {
        f"exact_overhead_ratio_deltaM_{ratio}": exact.overhead_ratio(given["x"], float(ratio))
        for ratio in ("0.0001", "0.001", "0.01", "0.1")
    }
    return {"first_order": first_order.cost_ratio(given["x"]), **ratios}


MODELS: dict[str, Callable[[Values], Values]] = {
    "lesson": _lesson,
    "optimum": _optimum,
    "sync_exact": _sync,
    "async_exact": _async,
    "two_level_exact": _two_level,
    "goodput_renewal": _weibull,
    "job_mtbf_hours": _job_mtbf,
    "posterior": _posterior,
    "regret": _regret,
}


def test_every_case_is_there() -> None:
    assert len(CASES) == 73
    assert {case["model"] for case in CASES} == set(MODELS)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_golden_case(case: Values) -> None:
    ours = MODELS[case["model"]](case["inputs"])
    for name, expected in case["outputs"].items():
        tolerance = 1e-6 if name == "tau_opt" else 1e-9
        if expected is None:
            assert ours[name] is None
        else:
            assert ours[name] == pytest.approx(expected, rel=tolerance, abs=1e-300), name

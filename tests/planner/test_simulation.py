"""The exact budgets against a simulated job: each part's mean within four standard errors."""

from __future__ import annotations

import math
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.planner import exact
from ckpt_tui.planner.asynchronous import AsyncSave, async_run_budget
from ckpt_tui.planner.two_level import TwoLevels, two_level_run_budget
from tests.planner.event_simulation import Books, simulate_async, simulate_two_level

if TYPE_CHECKING:
    from ckpt_tui.planner.budget import Budget

RUNS = 2500


def _assert_means_match(runs: list[Books], budget: Budget | None) -> None:
    assert budget is not None
    for simulated, expected in (
        ([run.wall for run in runs], budget.wall_minutes),
        ([run.work for run in runs], budget.work_minutes),
        ([run.save for run in runs], budget.save_minutes),
        ([run.rollback for run in runs], budget.rollback_minutes),
        ([run.down for run in runs], budget.down_minutes),
        ([run.reload for run in runs], budget.reload_minutes),
        ([float(run.failures) for run in runs], budget.failures),
    ):
        error = stdev(simulated) / math.sqrt(len(simulated))
        assert abs(fmean(simulated) - expected) <= 4 * error + 1e-6 * expected


def _cut(run: float, interval: float) -> list[float]:
    works = [interval] * int(run / interval)
    rest = run - sum(works)
    return [*works, rest] if rest > 1e-9 else works


@pytest.mark.parametrize(
    ("run", "interval", "save", "mtbf", "reload", "down"),
    [
        (300, 30, AsyncSave(0.2, 6, 0.1), 180.0, 8.0, 5.0),
        (105, 10, AsyncSave(0.25, 9, 0.2), 60.0, 4.0, 6.0),
        (10.5, 10, AsyncSave(0.1, 9.9, 0.0), 15.0, 3.0, 2.0),
        (60, 5, AsyncSave(2.0, 0, 0.0), 30.0, 1.0, 0.0),
    ],
    ids=["divides", "remainder", "persist-bound-remainder", "no-persist"],
)
def test_async_run(
    run: float, interval: float, save: AsyncSave, mtbf: float, reload: float, down: float
) -> None:
    rng = Random(7)
    works = _cut(run, interval)
    runs = [simulate_async(rng, works, *save, mtbf, reload, down) for _ in range(RUNS)]
    _assert_means_match(runs, async_run_budget(run, interval, save, mtbf, reload, down))


@pytest.mark.parametrize("run", [240.0, 250.0, 257.0], ids=["whole", "short", "remainder"])
def test_two_level_run(run: float) -> None:
    rng = Random(11)
    levels = TwoLevels(0.2, 3, 0.7, 2, 8, 1, 6, 90.0)
    interval, every = 10.0, 4
    works = _cut(run, interval)
    runs = [
        simulate_two_level(rng, works, every, (0.2, 3), 0.7, (2, 8), (1, 6), 90.0)
        for _ in range(RUNS)
    ]
    _assert_means_match(runs, two_level_run_budget(levels, run, interval, every))


def test_sync_run_and_its_spread() -> None:
    rng = Random(13)
    works = _cut(200, 26)
    runs = [simulate_async(rng, works, 2, 0, 0, 90.0, 8, 10) for _ in range(2 * RUNS)]
    budget = exact.run_budget(200, 26, 2, 90.0, 8, 10)
    _assert_means_match(runs, budget)
    assert budget is not None
    assert budget.wall_variance is not None
    assert stdev(run.wall for run in runs) == pytest.approx(
        math.sqrt(budget.wall_variance), rel=0.06
    )

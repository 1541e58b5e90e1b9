"""Simulates a plan at one interval, batch by batch, so that it can be watched and stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ckpt_tui.planner.asynchronous import AsyncSave
from ckpt_tui.planner.budget import cut_run
from ckpt_tui.planner.inputs import require_valid
from ckpt_tui.planner.models import model_for, two_levels_of
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.simulation.one_level import OneLevelRun
from ckpt_tui.planner.simulation.result import Simulated, result_of
from ckpt_tui.planner.simulation.two_level import TwoLevelRun
from ckpt_tui.planner.weibull import WeibullLaw

if TYPE_CHECKING:
    from collections.abc import Generator

    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.planner.simulation.books import Minutes
    from ckpt_tui.planner.simulation.one_level import TimesToFailure

RUNS = 20_000
MOST_SAVES = 1_000_000
MOST_FAILURES = 1e8
"""Of all runs together: about half a minute."""

_BATCH = 1_000


class CannotSimulateError(ValueError):
    """The plan cannot be simulated; the message says why and what to change."""


def simulate(
    inputs: PlanInputs, interval_minutes: float, runs: int = RUNS, seed: int = 1
) -> Generator[float, None, Simulated]:
    """Simulates a plan; yields the share that is done after each batch, and returns the result.

    Args:
        inputs: The plan.
        interval_minutes: Useful work between two saves.
        runs: How many runs are simulated, at least 2.
        seed: Of numpy's PCG64.

    Raises:
        PlanInputsError: A field of the inputs has no valid value.
        CannotSimulateError: The run does not finish, or has too many saves or failures.
    """
    require_valid(inputs)
    job = _job(inputs, interval_minutes, runs)
    generator = np.random.Generator(np.random.PCG64(seed))
    batches = []
    for start in range(0, runs, _BATCH):
        batches.append(job.simulate(generator, min(_BATCH, runs - start)))
        yield min(1.0, (start + _BATCH) / runs)
    return result_of(batches, inputs.run_minutes, seed)


def _job(inputs: PlanInputs, interval_minutes: float, runs: int) -> OneLevelRun | TwoLevelRun:
    model = model_for(inputs)
    interval = max(interval_minutes, model.shortest_interval_minutes)
    budget = model.run_budget(inputs.run_minutes, interval)
    if budget is None:
        raise CannotSimulateError("the run does not finish; nothing to simulate")
    cut = cut_run(inputs.run_minutes, interval)
    if cut.save_count > MOST_SAVES:
        raise CannotSimulateError(
            f"{cut.save_count} saves are more than can be simulated; take a longer interval"
        )
    # A batch takes as many steps as its runs have failures, however few runs there are.
    if budget.failures * max(runs, _BATCH) > MOST_FAILURES:
        raise CannotSimulateError(
            f"{budget.failures:.0f} failures a run are more than can be simulated;"
            " take a shorter run"
        )
    works = np.full(cut.save_count, cut.full_minutes)
    if cut.last_minutes:
        works[-1] = cut.last_minutes
    if inputs.mode is PlanMode.TWO_LEVEL:
        every = model.level2_every_saves(min(interval, inputs.run_minutes)) or 1
        return TwoLevelRun(works, every, two_levels_of(inputs))
    synchronous = inputs.mode is PlanMode.SYNC
    save = AsyncSave(inputs.save_minutes, 0.0, 0.0) if synchronous else inputs.async_save
    return OneLevelRun(
        works, save, inputs.reload_minutes, inputs.down_minutes, _times_to_failure(inputs)
    )


def _times_to_failure(inputs: PlanInputs) -> TimesToFailure:
    mtbf_minutes, shape = inputs.mtbf_minutes, inputs.weibull_shape
    if not np.isfinite(mtbf_minutes):
        return _never
    if shape is None or inputs.exponential:
        return lambda generator, count: generator.exponential(mtbf_minutes, count)
    scale_minutes = WeibullLaw(shape, mtbf_minutes).scale_minutes
    return lambda generator, count: scale_minutes * generator.weibull(shape, count)


def _never(generator: np.random.Generator, count: int) -> Minutes:
    return np.full(count, np.inf)

"""The cost model of each save mode behind one set of questions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ckpt_tui.planner import exact
from ckpt_tui.planner.asynchronous import (
    AsyncSave,
    async_cycle_wall_minutes,
    async_run_budget,
    optimal_async_interval_minutes,
)
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.renewal import Renewal
from ckpt_tui.planner.two_level import (
    TwoLevels,
    best_save_count,
    optimal_two_level,
    pattern_budget,
    two_level_run_budget,
)
from ckpt_tui.planner.weibull import WeibullLaw

if TYPE_CHECKING:
    from ckpt_tui.planner.budget import Budget
    from ckpt_tui.planner.inputs import PlanInputs


class CostModel(Protocol):
    """What a plan asks of a save mode; intervals are useful work between two saves, minutes."""

    @property
    def shortest_interval_minutes(self) -> float:
        """The interval below which saves cannot follow each other (0: none)."""

    def goodput(self, interval_minutes: float) -> float:
        """Useful work over wall time in a long run; 0 where it does not finish."""

    def run_budget(self, run_minutes: float, interval_minutes: float) -> Budget | None:
        """The expected budget of a run; None where it does not finish."""

    def unsaved_run_budget(self, run_minutes: float) -> Budget | None:
        """The expected budget of a run without any checkpoint."""

    def best_interval_minutes(self) -> float:
        """The interval of most goodput; 0 or infinite where no optimum exists."""

    def tunable_share(self, interval_minutes: float) -> float:
        """Share of work, save and rollback time that is save and rollback."""

    def level2_every_saves(self, interval_minutes: float) -> int | None:
        """Saves per level-2 save; None where there is one level."""


class _SyncModel(NamedTuple):
    """Synchronous saves, exponential failures; minutes."""

    stall_minutes: float
    mtbf_minutes: float
    reload_minutes: float
    down_minutes: float

    @property
    def shortest_interval_minutes(self) -> float:
        return 0.0

    def goodput(self, interval_minutes: float) -> float:
        return exact.goodput(interval_minutes, *self)

    def run_budget(self, run_minutes: float, interval_minutes: float) -> Budget | None:
        return exact.run_budget(run_minutes, interval_minutes, *self)

    def unsaved_run_budget(self, run_minutes: float) -> Budget | None:
        return exact.unsaved_run_budget(
            run_minutes, self.mtbf_minutes, self.reload_minutes, self.down_minutes
        )

    def best_interval_minutes(self) -> float:
        return exact.optimal_interval_minutes(self.stall_minutes, self.mtbf_minutes)

    def tunable_share(self, interval_minutes: float) -> float:
        overhead = exact.tunable_overhead(interval_minutes, self.stall_minutes, self.mtbf_minutes)
        return 1 - 1 / (1 + overhead)

    def level2_every_saves(self, interval_minutes: float) -> int | None:
        return None


class _AsyncModel(NamedTuple):
    """Asynchronous saves, exponential failures; minutes."""

    save: AsyncSave
    mtbf_minutes: float
    reload_minutes: float
    down_minutes: float

    @property
    def shortest_interval_minutes(self) -> float:
        return self.save.lag_minutes

    def goodput(self, interval_minutes: float) -> float:
        interval = max(interval_minutes, self.save.lag_minutes)
        return min(1.0, interval / async_cycle_wall_minutes(interval, *self))

    def run_budget(self, run_minutes: float, interval_minutes: float) -> Budget | None:
        return async_run_budget(run_minutes, interval_minutes, *self)

    def unsaved_run_budget(self, run_minutes: float) -> Budget | None:
        return exact.unsaved_run_budget(run_minutes, *self[1:])

    def best_interval_minutes(self) -> float:
        return optimal_async_interval_minutes(self.save, self.mtbf_minutes)

    def tunable_share(self, interval_minutes: float) -> float:
        stall = self.save.stall_minutes
        overhead = exact.tunable_overhead(interval_minutes, stall, self.mtbf_minutes)
        return 1 - 1 / (1 + overhead)

    def level2_every_saves(self, interval_minutes: float) -> int | None:
        return None


class _TwoLevelModel(NamedTuple):
    """Two levels, exponential failures; a fixed number of saves per level-2 save or the best."""

    levels: TwoLevels
    fixed_every: int | None

    @property
    def shortest_interval_minutes(self) -> float:
        return 0.0

    def goodput(self, interval_minutes: float) -> float:
        every = self.level2_every_saves(interval_minutes)
        pattern = pattern_budget(self.levels, interval_minutes, every)
        return pattern.goodput if pattern else 0.0

    def run_budget(self, run_minutes: float, interval_minutes: float) -> Budget | None:
        every = self.level2_every_saves(min(interval_minutes, run_minutes))
        return two_level_run_budget(self.levels, run_minutes, interval_minutes, every)

    def unsaved_run_budget(self, run_minutes: float) -> Budget | None:
        levels = self.levels
        costs = (levels.mtbf_minutes, levels.reload2_minutes, levels.down2_minutes)
        return exact.unsaved_run_budget(run_minutes, *costs)

    def best_interval_minutes(self) -> float:
        return optimal_two_level(self.levels, self.fixed_every)[0]

    def tunable_share(self, interval_minutes: float) -> float:
        every = self.level2_every_saves(interval_minutes)
        pattern = pattern_budget(self.levels, interval_minutes, every)
        return _tunable_share_of(pattern)

    def level2_every_saves(self, interval_minutes: float) -> int:
        return self.fixed_every or best_save_count(self.levels, interval_minutes)


class _RenewalModel(NamedTuple):
    """Synchronous or asynchronous saves under Weibull failures, as long-run averages."""

    renewal: Renewal

    @property
    def shortest_interval_minutes(self) -> float:
        return self.renewal.save.lag_minutes

    def goodput(self, interval_minutes: float) -> float:
        return self.renewal.goodput(interval_minutes)

    def run_budget(self, run_minutes: float, interval_minutes: float) -> Budget | None:
        return self.renewal.long_run_budget(run_minutes, interval_minutes)

    def unsaved_run_budget(self, run_minutes: float) -> Budget | None:
        return self.renewal.unsaved_run_budget(run_minutes)

    def best_interval_minutes(self) -> float:
        return self.renewal.optimal_interval_minutes()

    def tunable_share(self, interval_minutes: float) -> float:
        return _tunable_share_of(self.renewal.long_run_budget(interval_minutes, interval_minutes))

    def level2_every_saves(self, interval_minutes: float) -> None:
        return None


def model_for(inputs: PlanInputs) -> CostModel:
    """The cost model that the inputs' save mode and failure law ask for."""
    mtbf, reload, down = inputs.mtbf_minutes, inputs.reload_minutes, inputs.down_minutes
    if inputs.mode is PlanMode.TWO_LEVEL:
        return _TwoLevelModel(two_levels_of(inputs), inputs.level2_every_saves)
    synchronous = inputs.mode is PlanMode.SYNC
    save = AsyncSave(inputs.save_minutes, 0.0, 0.0) if synchronous else inputs.async_save
    if inputs.weibull_shape is not None and not inputs.exponential and math.isfinite(mtbf):
        return _RenewalModel(Renewal(WeibullLaw(inputs.weibull_shape, mtbf), save, reload, down))
    if synchronous:
        return _SyncModel(inputs.save_minutes, mtbf, reload, down)
    return _AsyncModel(save, mtbf, reload, down)


def two_levels_of(inputs: PlanInputs) -> TwoLevels:
    """The costs of both levels that the inputs give."""
    return TwoLevels(
        inputs.level1_save_minutes,
        inputs.save_minutes,
        inputs.level1_coverage,
        inputs.level1_reload_minutes,
        inputs.reload_minutes,
        inputs.level1_down_minutes,
        inputs.down_minutes,
        inputs.mtbf_minutes,
    )


def _tunable_share_of(budget: Budget | None) -> float:
    if budget is None:
        return 1.0
    tunable = budget.save_minutes + budget.rollback_minutes
    return tunable / (budget.work_minutes + tunable)

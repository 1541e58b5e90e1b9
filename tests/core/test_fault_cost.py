"""What a fault now costs, and how likely one is before the next save."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.checkpoint import Checkpoint, SaveProgress
from ckpt_tui.core.fault_cost import FaultCost, fault_chance, fault_cost, next_commit_minutes
from ckpt_tui.core.runs import Run
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.planner import exact
from tests.core.builders import COMMITTED, UNCOMMITTED, checkpoint

NOW = 1000.0 + 600


def run_of(*checkpoints: Checkpoint) -> Run:
    return Run("/run", "run", "torch-file", checkpoints, None)


def test_the_rollback_counts_from_when_the_state_was_taken() -> None:
    assert fault_cost(checkpoint(), NOW, 8, 5) == FaultCost(10, 8, 5)
    assert fault_cost(checkpoint(started_at=940.0), NOW, 8, 5).rollback_minutes == 11
    assert fault_cost(None, NOW, 8, 5).total_minutes is None
    assert fault_cost(checkpoint(), 0.0, 8, 5).rollback_minutes == 0


@given(st.floats(1e-6, 10), st.floats(0, 120), st.floats(0, 120))
def test_reload_and_down_time_are_the_planners(rate: float, reload: float, down: float) -> None:
    cost = fault_cost(None, NOW, reload, down, rate)
    mtbf = 60 / rate
    budget = exact.run_budget(10.0, 10.0, 0.0, mtbf, reload, down)
    if budget is not None:
        # Failures of work alone; those in a reload are part of the cost of one.
        failures = math.expm1(10.0 / mtbf)
        assert cost.reload_minutes * failures == pytest.approx(budget.reload_minutes, rel=1e-9)
        assert cost.down_minutes * failures == pytest.approx(budget.down_minutes, rel=1e-9)


def test_a_reload_that_never_ends() -> None:
    assert fault_cost(None, NOW, 1e6, 5, 1000) == FaultCost(None, math.inf, math.inf)


def test_the_next_commit() -> None:
    done = checkpoint(10)
    assert next_commit_minutes(run_of(done), NOW, 30) == 20
    assert next_commit_minutes(run_of(done), NOW, 5) == 0
    assert next_commit_minutes(run_of(done), NOW, None) is None
    assert next_commit_minutes(run_of(), NOW, 30) is None
    export = checkpoint(10, commit=COMMITTED, export=True)
    assert next_commit_minutes(run_of(export), NOW, 30) is None


def test_a_save_in_flight_says_when_it_will_be_complete() -> None:
    progress = SaveProgress(10, 100, 1.0, 90.0, 0.0)
    saving = checkpoint(20, commit=UNCOMMITTED)._replace(verdict=Verdict.SAVING, progress=progress)
    assert next_commit_minutes(run_of(saving, checkpoint(10)), NOW, 30) == 1.5
    slow = saving._replace(progress=progress._replace(eta_seconds=None))
    assert next_commit_minutes(run_of(slow, checkpoint(10)), NOW, 30) == 20


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_the_chance_is_a_chance(minutes: float, rate: float) -> None:
    assert 0 <= fault_chance(minutes, rate) <= 1
    assert fault_chance(60, 0.02) == pytest.approx(1 - math.exp(-0.02))

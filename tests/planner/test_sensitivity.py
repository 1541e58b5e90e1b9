"""Elasticities of the best goodput."""

from __future__ import annotations

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.sensitivity import sensitivities

LARGE_JOB = PlanInputs(
    fault_rate_per_hour=60 / 185.6, save_minutes=0.5, reload_minutes=5, down_minutes=5
)


def test_a_large_job() -> None:
    found = {each.field: each.elasticity for each in sensitivities(LARGE_JOB)}
    assert found == {
        "mtbf_minutes": pytest.approx(0.090, abs=0.001),
        "save_minutes": pytest.approx(-0.038, abs=0.001),
        "reload_minutes": pytest.approx(-0.027, abs=0.001),
        "down_minutes": pytest.approx(-0.026, abs=0.001),
    }


def test_the_strongest_comes_first() -> None:
    strengths = [abs(each.elasticity) for each in sensitivities(LARGE_JOB)]
    assert strengths == sorted(strengths, reverse=True)


@pytest.mark.parametrize("mode", list(PlanMode))
def test_more_failures_never_help(mode: PlanMode) -> None:
    found = {s.field: s.elasticity for s in sensitivities(LARGE_JOB._replace(mode=mode))}
    assert found["mtbf_minutes"] > 0
    assert found.get("level1_coverage", 1) > 0
    assert all(value <= 1e-9 for name, value in found.items() if name.endswith("save_minutes"))


@pytest.mark.parametrize(
    "changes", [{"fault_rate_per_hour": 0.0}, {"save_minutes": 0.0}, {"reload_minutes": 1e6}]
)
def test_without_an_optimum_there_is_none(changes: dict[str, float]) -> None:
    assert sensitivities(LARGE_JOB._replace(**changes)) == ()

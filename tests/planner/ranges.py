"""Inputs over the whole range that the planner accepts, for Hypothesis."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from ckpt_tui.planner.inputs import PlanInputs, validate_inputs
from ckpt_tui.planner.modes import PlanMode


def _magnitude(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(math.log(low), math.log(high)).map(math.exp)


def _time() -> st.SearchStrategy[float]:
    return st.one_of(st.just(0.0), _magnitude(1e-5, 1e6))


HARD_RANGE = st.builds(
    PlanInputs,
    run_minutes=_magnitude(1e-5, 5e6),
    fault_rate_per_hour=st.one_of(st.just(0.0), _magnitude(1e-320, 1e6)),
    save_minutes=_time(),
    reload_minutes=_time(),
    down_minutes=_time(),
    intervals_minutes=st.lists(_magnitude(1e-6, 5e6), min_size=1, max_size=4).map(tuple),
    mode=st.sampled_from(PlanMode),
    snapshot_minutes=_time(),
    persist_minutes=_time(),
    slowdown=st.one_of(st.just(0.0), st.floats(0, 0.999999)),
    level1_save_minutes=_time(),
    level1_reload_minutes=_time(),
    level1_down_minutes=_time(),
    level1_coverage=st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1)),
    level2_every_saves=st.one_of(st.none(), st.integers(1, 2000)),
    weibull_shape=st.one_of(st.none(), st.floats(0.2, 10)),
    step_seconds=st.one_of(st.none(), _magnitude(1e-3, 1e5)),
    current_interval_minutes=st.one_of(st.none(), _magnitude(1e-5, 5e6)),
    gpus=st.one_of(st.none(), st.integers(1, 10**7)),
    gpu_hour_price=st.one_of(st.none(), st.floats(0, 1e6)),
    checkpoint_bytes=st.one_of(st.none(), st.integers(1, 10**18)),
).filter(lambda inputs: not validate_inputs(inputs))


def _inputs(values: dict[str, Any]) -> PlanInputs:
    two_levels = values["mode"] is PlanMode.TWO_LEVEL
    return PlanInputs(**values | ({"weibull_shape": None} if two_levels else {}))


SENSIBLE_RANGE = st.fixed_dictionaries(
    {
        "run_minutes": _magnitude(10, 525_600),
        "fault_rate_per_hour": _magnitude(1e-5, 1),
        "save_minutes": _magnitude(0.01, 60),
        "reload_minutes": st.floats(0, 120),
        "down_minutes": st.floats(0, 120),
        "mode": st.sampled_from(PlanMode),
        "snapshot_minutes": _magnitude(0.01, 5),
        "persist_minutes": st.floats(0, 60),
        "slowdown": st.floats(0, 0.3),
        "level1_save_minutes": _magnitude(0.001, 1),
        "level1_coverage": st.floats(0, 0.99),
        "weibull_shape": st.one_of(st.none(), st.floats(0.4, 3)),
    }
).map(_inputs)
"""What an operator would type."""

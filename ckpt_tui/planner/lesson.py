"""The lesson's interval cost: first order, synchronous saves, verbatim rules and rounding."""

from __future__ import annotations

import math
from numbers import Real
from typing import TypedDict


class FailureOverhead(TypedDict):
    """What faults are expected to cost: a count (3 decimals) and minutes (2 decimals)."""

    expected_faults: float
    expected_rollback_minutes: float
    expected_reload_minutes: float
    expected_failure_overhead_minutes: float


class IntervalCost(TypedDict):
    """What one interval costs over the run: a count and minutes (2 decimals)."""

    interval_minutes: float
    save_count: int
    save_overhead_minutes: float
    failure_overhead_minutes: float
    total_overhead_minutes: float


def expected_failure_overhead(
    run_hours: float, fault_rate_per_hour: float, interval_minutes: float, reload_minutes: float
) -> FailureOverhead:
    """Estimates how many minutes of a run its faults cost.

    Faults fall evenly between two saves, so the mean rollback is half the interval. It is an
    estimate to compare intervals by, not a forecast of faults.

    Args:
        run_hours: Length of the run, hours.
        fault_rate_per_hour: Faults per hour of the whole job.
        interval_minutes: Time between two saves, minutes, above 0.
        reload_minutes: Time to load a checkpoint and start again, minutes.

    Raises:
        ValueError: If an argument is no finite number, is negative, or the interval is 0.
    """
    _require("run_hours", run_hours)
    _require("fault_rate_per_hour", fault_rate_per_hour)
    _require("interval_minutes", interval_minutes, above_zero=True)
    _require("reload_minutes", reload_minutes)
    faults, rollback, reload = _failures(
        run_hours, fault_rate_per_hour, interval_minutes, reload_minutes
    )
    _require("the failure overhead", rollback + reload)
    return {
        "expected_faults": round(faults, 3),
        "expected_rollback_minutes": round(rollback, 2),
        "expected_reload_minutes": round(reload, 2),
        "expected_failure_overhead_minutes": round(rollback + reload, 2),
    }


def checkpoint_interval_cost(
    run_minutes: float,
    interval_minutes: float,
    save_minutes: float,
    fault_rate_per_hour: float,
    reload_minutes: float,
) -> IntervalCost:
    """Adds up what saving and failing cost at one interval, for synchronous saves.

    Scan several intervals and take the least total. The save count is the floor of run /
    interval, so the total is a sawtooth: compare listed intervals, never optimise over it.

    Args:
        run_minutes: Length of the run, minutes.
        interval_minutes: Time between two saves, minutes, above 0.
        save_minutes: Time that training stands still per save, minutes.
        fault_rate_per_hour: Faults per hour of the whole job.
        reload_minutes: Time to load a checkpoint and start again, minutes.

    Raises:
        ValueError: If an argument is no finite number, is negative, or the interval is 0.
    """
    _require("run_minutes", run_minutes)
    _require("interval_minutes", interval_minutes, above_zero=True)
    _require("save_minutes", save_minutes)
    _require("fault_rate_per_hour", fault_rate_per_hour)
    _require("reload_minutes", reload_minutes)
    save_ratio = run_minutes / interval_minutes
    _require("run_minutes / interval_minutes", save_ratio)
    save_count = math.floor(save_ratio)
    save_overhead = save_count * save_minutes
    _, rollback, reload = _failures(
        run_minutes / 60, fault_rate_per_hour, interval_minutes, reload_minutes
    )
    failure_overhead = rollback + reload
    total = save_overhead + failure_overhead
    _require("the total overhead", total)
    return {
        "interval_minutes": interval_minutes,
        "save_count": save_count,
        "save_overhead_minutes": round(save_overhead, 2),
        "failure_overhead_minutes": round(failure_overhead, 2),
        "total_overhead_minutes": round(total, 2),
    }


def _failures(
    run_hours: float, fault_rate_per_hour: float, interval_minutes: float, reload_minutes: float
) -> tuple[float, float, float]:
    """Expected faults, and the minutes that they roll back and that reloading takes."""
    faults = run_hours * fault_rate_per_hour
    return faults, faults * interval_minutes / 2, faults * reload_minutes


def _require(name: str, value: object, *, above_zero: bool = False) -> None:
    """Raises a `ValueError` that names the argument unless it is a finite number in range."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name} must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {number}")
    if number < 0:
        raise ValueError(f"{name} must not be negative, got {value!r}")
    if above_zero and number == 0:
        raise ValueError(f"{name} must be greater than 0")

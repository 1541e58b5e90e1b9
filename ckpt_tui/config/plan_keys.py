"""The inputs of a plan by the names that options and files give them: how each is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.config.key import Key
from ckpt_tui.config.plan_input import INTERVALS, MODE, PlanInput
from ckpt_tui.config.settings import PLAN, VARIABLE_PREFIX
from ckpt_tui.planner import units
from ckpt_tui.planner.fields import FIELDS
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.words import later

if TYPE_CHECKING:
    from ckpt_tui.config.settings import Settings

_HOUR, _MINUTE = 60.0, 1.0
_MOST_NODES = 10_000_000
_NODES_NEED = later("a whole number from 1 to 10000000")


def _field(key: str, field: str, text: str) -> PlanInput:
    """One that the field itself knows how to read."""
    spec = FIELDS[field]
    default = PlanInputs._field_defaults[field]
    return PlanInput(key, field, text, spec.need, spec.read, default)


def _time(key: str, field: str, text: str, example: str, unit_minutes: float) -> PlanInput:
    """A time, of which a bare number counts in the unit that its name says."""
    default = PlanInputs._field_defaults[field]
    return PlanInput(
        key,
        field,
        text,
        later("a time ≥ 0 such as {example}"),
        lambda typed: _minutes(typed, unit_minutes),
        None if default is None else default / unit_minutes,
        example,
    )


def _hours(key: str, text: str) -> PlanInput:
    return PlanInput(key, key, text, later("a time above 0 such as 50 or 2d"), _positive_hours)


def _minutes(text: str, unit_minutes: float) -> float:
    try:
        return units.parse_number(text) * unit_minutes
    except ValueError:
        return units.parse_duration(text)


def _positive_hours(text: str) -> float:
    hours = _minutes(text, _HOUR) / _HOUR
    if hours <= 0:
        raise ValueError(text)
    return hours


def _nodes(text: str) -> int:
    nodes = units.parse_count(text)
    if not 1 <= nodes <= _MOST_NODES:
        raise ValueError(text)
    return nodes


def _intervals(text: str) -> str:
    """Checks a list that may count in steps; what a step takes is known only where all is."""
    if not FIELDS["intervals_minutes"].allows(units.parse_intervals(text, 1.0)):
        raise ValueError(text)
    return text


PLAN_INPUTS = (
    _time("run_hours", "run_minutes", later("length of the run"), later("24 or 54d"), _HOUR),
    _field(
        "fault_rate",
        "fault_rate_per_hour",
        later("faults per hour, an MTBF (50h), or a rate of nodes (6.5/1000nd x 2048)"),
    ),
    _time(
        "save_minutes",
        "save_minutes",
        later("time that training stands still per save"),
        later("2 or 40s"),
        _MINUTE,
    ),
    _time(
        "reload_minutes",
        "reload_minutes",
        later("time to read a checkpoint back"),
        later("8 or 90s"),
        _MINUTE,
    ),
    _time(
        "down_minutes", "down_minutes", later("detection and requeue"), later("5 or 30s"), _MINUTE
    ),
    _time(
        "snapshot_minutes",
        "snapshot_minutes",
        later("async: training stands still for the snapshot"),
        later("0.1 or 6s"),
        _MINUTE,
    ),
    _time(
        "persist_minutes",
        "persist_minutes",
        later("async: writing in the background"),
        later("5 or 40s"),
        _MINUTE,
    ),
    _field("slowdown", "slowdown", later("async: share of speed lost while writing")),
    _time(
        "level1_save_minutes",
        "level1_save_minutes",
        later("two-level: a save in memory or on local disk"),
        later("0.1 or 6s"),
        _MINUTE,
    ),
    _time(
        "level1_reload_minutes",
        "level1_reload_minutes",
        later("two-level: reading that back"),
        later("1 or 30s"),
        _MINUTE,
    ),
    _time(
        "level1_down_minutes",
        "level1_down_minutes",
        later("two-level: down time of such a recovery"),
        later("1 or 30s"),
        _MINUTE,
    ),
    _field(
        "level1_coverage",
        "level1_coverage",
        later("two-level: share of faults that level 1 survives"),
    ),
    _field(
        "level2_every",
        "level2_every_saves",
        later("two-level: saves per level-2 save (default: the best)"),
    ),
    _field("gpus", "gpus", later("GPUs of the job")),
    _field("gpu_hour_price", "gpu_hour_price", later("price of a GPU-hour")),
    _field("step_seconds", "step_seconds", later("time of a step, for intervals in steps")),
    _field("weibull_shape", "weibull_shape", later("failures by a Weibull law of this shape")),
    _time(
        "current_interval",
        "current_interval_minutes",
        later("the interval as it is now, minutes: what it costs more than the best"),
        later("60 or 2h"),
        _MINUTE,
    ),
    _field("checkpoint_bytes", "checkpoint_bytes", later("size of a checkpoint")),
    _hours("mtbf_hours", later("mean time between failures of the job, instead of a rate")),
    _hours("node_mtbf_hours", later("mean time between failures of one node, with nodes")),
    PlanInput(
        "nodes",
        "nodes",
        later("nodes of the job"),
        _NODES_NEED,
        _nodes,
    ),
    _field(MODE, "mode", later("how saves are made")),
    PlanInput(
        INTERVALS,
        "intervals_minutes",
        later("intervals to compare, minutes; 500steps where the time of a step is known"),
        FIELDS["intervals_minutes"].need,
        _intervals,
        tuple(f"{minutes:g}" for minutes in PlanInputs().intervals_minutes),
    ),
)
"""In the order of the help."""

PLAN_KEYS = tuple(
    Key(
        PLAN,
        each.key,
        each,
        each.text,
        each.default,
        beside=True,
        variable=f"{VARIABLE_PREFIX}{each.key.upper()}",
        flag=each.flag,
    )
    for each in PLAN_INPUTS
)


def plan_options_of(settings: Settings) -> dict[str, object]:
    """What the table `plan` sets, as if it stood behind options: destination → value."""
    table = settings.table(PLAN)
    return {each.dest: each.given(table[each.key]) for each in PLAN_INPUTS if each.key in table}

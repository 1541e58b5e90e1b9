"""The options of `plan` that are inputs of the planner: how each is read, and what it sets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.cli import parsing
from ckpt_tui.planner import units
from ckpt_tui.planner.fields import FIELDS
from ckpt_tui.planner.inputs import PlanInputs, validate_inputs
from ckpt_tui.planner.modes import PlanMode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ckpt_tui.planner.fields import FieldError


class _Option(NamedTuple):
    """An option, the field that it sets, and what help says.

    Attributes:
        example: Of a right value, where a bare number counts in the unit of the option's name.
        unit_minutes: That unit; None where the field itself says how its text is read.
    """

    name: str
    field: str
    text: str
    example: str = ""
    unit_minutes: float | None = None


_HOUR, _MINUTE = 60.0, 1.0

_OPTIONS = (
    _Option("--run-hours", "run_minutes", "length of the run (default: 24)", "24 or 54d", _HOUR),
    _Option(
        "--fault-rate",
        "fault_rate_per_hour",
        "faults per hour (default: 0.02), an MTBF (50h), or a rate of nodes (6.5/1000nd x 2048)",
    ),
    _Option(
        "--save-minutes",
        "save_minutes",
        "time that training stands still per save (default: 2)",
        "2 or 40s",
        _MINUTE,
    ),
    _Option(
        "--reload-minutes",
        "reload_minutes",
        "time to read a checkpoint back (default: 8)",
        "8 or 90s",
        _MINUTE,
    ),
    _Option(
        "--down-minutes", "down_minutes", "detection and requeue (default: 0)", "5 or 30s", _MINUTE
    ),
    _Option(
        "--snapshot-minutes",
        "snapshot_minutes",
        "async: training stands still for the snapshot",
        "0.1 or 6s",
        _MINUTE,
    ),
    _Option(
        "--persist-minutes",
        "persist_minutes",
        "async: writing in the background",
        "5 or 40s",
        _MINUTE,
    ),
    _Option("--slowdown", "slowdown", "async: share of speed lost while writing"),
    _Option(
        "--level1-save-minutes",
        "level1_save_minutes",
        "two-level: a save in memory or on local disk",
        "0.1 or 6s",
        _MINUTE,
    ),
    _Option(
        "--level1-reload-minutes",
        "level1_reload_minutes",
        "two-level: reading that back",
        "1 or 30s",
        _MINUTE,
    ),
    _Option(
        "--level1-down-minutes",
        "level1_down_minutes",
        "two-level: down time of such a recovery",
        "1 or 30s",
        _MINUTE,
    ),
    _Option(
        "--level1-coverage", "level1_coverage", "two-level: share of faults that level 1 survives"
    ),
    _Option(
        "--level2-every",
        "level2_every_saves",
        "two-level: saves per level-2 save (default: the best)",
    ),
    _Option("--gpus", "gpus", "GPUs of the job"),
    _Option("--gpu-hour-price", "gpu_hour_price", "price of a GPU-hour"),
    _Option("--step-seconds", "step_seconds", "time of a step, for intervals in steps"),
    _Option("--weibull-shape", "weibull_shape", "failures by a Weibull law of this shape"),
    _Option(
        "--current-interval",
        "current_interval_minutes",
        "the interval as it is now, minutes: what it costs more than the best",
        "60 or 2h",
        _MINUTE,
    ),
    _Option("--checkpoint-bytes", "checkpoint_bytes", "size of a checkpoint"),
)

_OPTION_OF = {option.field: option.name for option in _OPTIONS} | {
    "intervals_minutes": "--intervals",
    "mode": "--mode",
}


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """All options that set a field of `PlanInputs`, and the two others that give a rate."""
    for option in _OPTIONS:
        parser.add_argument(
            option.name, dest=option.field, type=_reader(option), metavar="N", help=option.text
        )
    parser.add_argument(
        "--mtbf-hours",
        type=_positive_hours,
        metavar="N",
        help="mean time between failures of the job, instead of a rate",
    )
    parser.add_argument(
        "--node-mtbf-hours",
        type=_positive_hours,
        metavar="N",
        help="mean time between failures of one node, with --nodes",
    )
    parser.add_argument(
        "--nodes", type=parsing.whole_number_from(1), metavar="N", help="nodes of the job"
    )
    parser.add_argument(
        "--intervals",
        metavar="LIST",
        help="intervals to compare, minutes (default: 15,30,60,120); 500steps with --step-seconds",
    )
    parser.add_argument(
        "--mode",
        choices=[mode.value for mode in PlanMode],
        help="how saves are made (default: sync)",
    )


def given_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Field of `PlanInputs` → value, of the options that were given.

    Raises:
        UsageError: They contradict each other, or the intervals cannot be read.
    """
    fields = PlanInputs._fields
    values = {name: given[name] for name in fields if given.get(name) is not None}
    if given["mode"] is not None:
        values["mode"] = PlanMode(given["mode"])
    rate = _rate(given)
    if rate is not None:
        values["fault_rate_per_hour"] = rate
    if given["intervals"] is not None:
        try:
            intervals = units.parse_intervals(given["intervals"], given["step_seconds"])
        except ValueError as error:
            raise parsing.UsageError(
                f"ckpt-tui plan: --intervals: {error}; need {FIELDS['intervals_minutes'].need}"
            ) from error
        values["intervals_minutes"] = intervals
    return values


def require_right(inputs: PlanInputs) -> None:
    """Refuses inputs that no plan can be made of; each line names the option.

    Raises:
        UsageError: A field has no valid value.
    """
    errors = validate_inputs(inputs)
    if errors:
        raise parsing.UsageError("\n".join(_said(error) for error in errors))


def _said(error: FieldError) -> str:
    return f"ckpt-tui plan: {_OPTION_OF[error.field]}: {error.message}"


def _rate(given: Mapping[str, Any]) -> float | None:
    """Faults per hour, from whichever of the three ways was used."""
    ways = ("fault_rate_per_hour", "mtbf_hours", "node_mtbf_hours")
    if sum(given[way] is not None for way in ways) > 1:
        raise parsing.UsageError(
            "ckpt-tui plan: give one of --fault-rate, --mtbf-hours and --node-mtbf-hours"
        )
    if (given["nodes"] is None) != (given["node_mtbf_hours"] is None):
        raise parsing.UsageError(
            "ckpt-tui plan: --nodes and --node-mtbf-hours go together,"
            " such as --nodes 64 --node-mtbf-hours 8760"
        )
    if given["mtbf_hours"] is not None:
        return float(1 / given["mtbf_hours"])
    if given["node_mtbf_hours"] is not None:
        return float(given["nodes"] / given["node_mtbf_hours"])
    return None if given["fault_rate_per_hour"] is None else float(given["fault_rate_per_hour"])


def _reader(option: _Option) -> Callable[[str], object]:
    """Reads one option's text; a bare number counts in the unit that its name says."""

    def read(text: str) -> object:
        try:
            if option.unit_minutes is not None:
                return _minutes(text, option.unit_minutes)
            return FIELDS[option.field].read(text)
        except ValueError as error:
            need = FIELDS[option.field].need
            if option.example:
                need = f"a time ≥ 0 such as {option.example}"
            raise argparse.ArgumentTypeError(f"{text!r}: need {need}") from error

    return read


def _minutes(text: str, unit_minutes: float) -> float:
    try:
        return units.parse_number(text) * unit_minutes
    except ValueError:
        return units.parse_duration(text)


def _positive_hours(text: str) -> float:
    try:
        hours = _minutes(text, _HOUR) / _HOUR
    except ValueError:
        hours = 0.0
    if hours <= 0:
        raise argparse.ArgumentTypeError(f"{text!r}: need a time above 0 such as 50 or 2d")
    return hours

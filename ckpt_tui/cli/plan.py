"""`ckpt-tui plan`: which interval to save at, by the lesson's estimate and by the exact model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.looking import Look, look_at, runs_named
from ckpt_tui.core.cadence import Cadence, cadence_of
from ckpt_tui.core.text import plural
from ckpt_tui.planner.inputs import PlanInputs, validate_inputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.units import parse_intervals

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ckpt_tui.core.runs import Run
    from ckpt_tui.planner.fields import FieldError

_DEFAULTS = PlanInputs()

_NUMBERS = {
    "--run-hours": "length of the run in hours (default: 24)",
    "--fault-rate": "faults per hour (default: 0.02)",
    "--mtbf-hours": "mean time between failures of the job, instead of a rate",
    "--node-mtbf-hours": "mean time between failures of one node, with --nodes",
    "--save-minutes": "time that training stands still per save (default: 2)",
    "--reload-minutes": "time to read a checkpoint back (default: 8)",
    "--down-minutes": "detection and requeue (default: 0)",
    "--snapshot-minutes": "async: training stands still for the snapshot",
    "--persist-minutes": "async: writing in the background",
    "--slowdown": "async: share of speed lost while writing, 0 to 1",
    "--level1-save-minutes": "two-level: a save in memory or on local disk",
    "--level1-reload-minutes": "two-level: reading that back",
    "--level1-down-minutes": "two-level: down time of such a recovery",
    "--level1-coverage": "two-level: share of faults that level 1 survives, 0 to 1",
    "--gpu-hour-price": "price of a GPU-hour",
    "--step-seconds": "time of a step, for intervals in steps",
    "--weibull-shape": "failures by a Weibull law of this shape",
}
_COUNTS = {"--nodes": "nodes of the job", "--gpus": "GPUs of the job"}

# Option → field of the inputs; values pass unchanged.
_DIRECT = (
    "save_minutes",
    "reload_minutes",
    "down_minutes",
    "snapshot_minutes",
    "persist_minutes",
    "slowdown",
    "level1_save_minutes",
    "level1_reload_minutes",
    "level1_down_minutes",
    "level1_coverage",
    "gpus",
    "gpu_hour_price",
    "step_seconds",
    "weibull_shape",
)


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("plan", "Compare checkpoint intervals and name the best.")
    parser.add_path(
        "--from",
        dest="directory",
        metavar="DIR",
        help="take interval, save time and size from the checkpoints below DIR",
    )
    parser.add_argument("--run", dest="run_name", metavar="NAME", help="which run of DIR")
    parser.add_argument(
        "--json", dest="as_json", action="store_true", help="print the JSON document"
    )
    for option, text in _NUMBERS.items():
        parser.add_argument(option, type=float, metavar="N", help=text)
    for option, text in _COUNTS.items():
        parser.add_argument(option, type=parsing.whole_number_from(1), metavar="N", help=text)
    parser.add_argument(
        "--intervals", metavar="LIST", help="intervals to compare, minutes (default: 15,30,60,120)"
    )
    parser.add_argument(
        "--mode",
        choices=[mode.value for mode in PlanMode],
        help="how saves are made (default: sync)",
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Plans, prints, and returns the exit code."""
    cadence = None
    if arguments.directory is not None:
        cadence = cadence_of(_run_of(arguments.directory, arguments.run_name).checkpoints)
    inputs = _inputs(vars(arguments), cadence)
    errors = validate_inputs(inputs)
    if errors:
        raise parsing.UsageError("\n".join(_said(error) for error in errors))
    plan = make_plan(inputs)
    if arguments.as_json:
        from ckpt_tui.cli.json_text import json_text
        from ckpt_tui.planner.contract import plan_document

        document = plan_document(plan)
        if cadence is not None:
            document["from_directory"] = cadence._asdict()
        print(json_text(document))
    else:
        from ckpt_tui.planner.table import plan_table

        print(plan_table(plan))
        if cadence is not None:
            print(_source(cadence))
    return ExitCode.OK


def _run_of(directory: str, name: str | None) -> Run:
    snapshot = look_at((directory,), Look(settle_seconds=0))[0]
    if snapshot.error:
        raise parsing.UsageError(f"--from {directory}: {snapshot.error}")
    runs: Sequence[Run] = snapshot.runs if name is None else runs_named(snapshot, name)
    if len(runs) != 1:
        names = ", ".join(f"{run.name}:{run.format}" for run in snapshot.runs) or "none"
        raise parsing.UsageError(
            f"--from {directory}: say which run with --run; there are: {names}"
        )
    return runs[0]


def _inputs(given: dict[str, Any], cadence: Cadence | None) -> PlanInputs:
    """Options win over the directory, the directory over the lesson's defaults."""
    values: dict[str, Any] = {name: given[name] for name in _DIRECT if given.get(name) is not None}
    if given["run_hours"] is not None:
        values["run_minutes"] = given["run_hours"] * 60
    if given["mode"] is not None:
        values["mode"] = PlanMode(given["mode"])
    rate = _rate(given)
    if rate is not None:
        values["fault_rate_per_hour"] = rate
    if given["intervals"] is not None:
        values["intervals_minutes"] = _intervals(given["intervals"], given["step_seconds"])
    if cadence is not None:
        values = _observed(cadence, values.get("mode", _DEFAULTS.mode)) | values
    return _DEFAULTS._replace(**values)


def _observed(cadence: Cadence, mode: PlanMode) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "current_interval_minutes": cadence.interval_minutes,
        mode.observed_save_field: cadence.save_minutes,
        "checkpoint_bytes": cadence.checkpoint_bytes,
    }
    return {name: value for name, value in seen.items() if value is not None}


def _source(cadence: Cadence) -> str:
    """Where the observed values come from."""
    bound = ", save time a lower bound: file times mark the ends of writes"
    told = bound if cadence.save_is_lower_bound and cadence.save_minutes is not None else ""
    return f"From the directory: medians of {plural(cadence.saves, 'save')}{told}."


def _rate(given: dict[str, Any]) -> float | None:
    """Faults per hour, from whichever of the three ways was used."""
    ways = [
        given["fault_rate"] is not None,
        given["mtbf_hours"] is not None,
        given["node_mtbf_hours"] is not None,
    ]
    if sum(ways) > 1:
        raise parsing.UsageError("give one of --fault-rate, --mtbf-hours and --node-mtbf-hours")
    if (given["nodes"] is None) != (given["node_mtbf_hours"] is None):
        raise parsing.UsageError("--nodes and --node-mtbf-hours go together")
    for name in ("mtbf_hours", "node_mtbf_hours"):
        if given[name] is not None and given[name] <= 0:
            raise parsing.UsageError(f"--{name.replace('_', '-')}: need a time > 0")
    if given["mtbf_hours"] is not None:
        return float(1 / given["mtbf_hours"])
    if given["node_mtbf_hours"] is not None:
        return float(given["nodes"] / given["node_mtbf_hours"])
    return None if given["fault_rate"] is None else float(given["fault_rate"])


def _intervals(text: str, step_seconds: float | None) -> tuple[float, ...]:
    try:
        return parse_intervals(text, step_seconds)
    except ValueError as error:
        raise parsing.UsageError(f"--intervals: {error}") from error


# Fields that are not given under their own name.
_OPTION_OF = {
    "run_minutes": "--run-hours",
    "fault_rate_per_hour": "--fault-rate",
    "intervals_minutes": "--intervals",
}


def _said(error: FieldError) -> str:
    option = _OPTION_OF.get(error.field, f"--{error.field.replace('_', '-')}")
    return f"ckpt-tui plan: {option}: {error.message}"

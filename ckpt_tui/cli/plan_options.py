"""The options of `plan` that are inputs of the planner: how each is read, and what it sets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ckpt_tui.cli import parsing
from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.sources import Found, sources_of
from ckpt_tui.config.plan_input import INTERVALS, MODE
from ckpt_tui.config.plan_keys import PLAN_INPUTS, plan_options_of
from ckpt_tui.config.settings import PLAN
from ckpt_tui.planner import units
from ckpt_tui.planner.fields import FIELDS
from ckpt_tui.planner.inputs import PlanInputs, validate_inputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ckpt_tui.config.plan_input import PlanInput
    from ckpt_tui.config.settings import Settings
    from ckpt_tui.planner.fields import FieldError


_OPTION_OF = {each.field: each.flag for each in PLAN_INPUTS}


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """All options that set a field of `PlanInputs`, and the others that give a rate."""
    for each in PLAN_INPUTS:
        if each.key == MODE:
            choices = [mode.value for mode in PlanMode]
            parser.add_argument(each.flag, dest=each.dest, choices=choices, help=_help(each))
        elif each.key == INTERVALS:
            parser.add_argument(each.flag, dest=each.dest, metavar="LIST", help=_help(each))
        else:
            parser.add_argument(
                each.flag, dest=each.dest, type=_reader(each), metavar="N", help=_help(each)
            )


def _help(each: PlanInput) -> str:
    default = each.default
    if default is None:
        return say(each.text)
    if isinstance(default, tuple):
        shown = ",".join(default)
    else:
        shown = default if isinstance(default, str) else f"{default:g}"
    return say("{text} (default: {value})", text=say(each.text), value=shown)


def configured_values(arguments: argparse.Namespace) -> dict[str, Any]:
    """Field of `PlanInputs` → value, of what configuration says for the directory of `--from`.

    Raises:
        UsageError: A source is not right.
    """
    sources = sources_of(arguments)
    found = Found(sources.without_beside)
    if arguments.directory is not None:
        found = sources.found_for(arguments.directory)
    for path, remark in found.remarks:
        complain(f"{path}: {remark}")
    if not found.settings.table(PLAN):
        return {}
    values = values_of(found.settings, arguments.step_seconds)
    require_right(PlanInputs()._replace(**values))
    return values


def values_of(settings: Settings, step_seconds: float | None = None) -> dict[str, Any]:
    """Field of `PlanInputs` → value, of the table `plan`.

    Args:
        settings: All that is configured.
        step_seconds: Time of a step where an option says it; intervals may be in steps.

    Raises:
        UsageError: Intervals are in steps, and nothing says how long one is.
    """
    options = {**dict.fromkeys(each.dest for each in PLAN_INPUTS), **plan_options_of(settings)}
    try:
        return given_values(options, step_seconds)
    except parsing.UsageError as error:
        entry = settings.entry(PLAN, INTERVALS)
        raise parsing.UsageError(f"{error} ({entry.origin})" if entry else str(error)) from error


def given_values(given: Mapping[str, Any], step_seconds: float | None = None) -> dict[str, Any]:
    """Field of `PlanInputs` → value, of the options that were given.

    Args:
        given: Destination of an option → its value, or None.
        step_seconds: Time of a step where no option says it.

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
            intervals = units.parse_intervals(
                given["intervals"], given["step_seconds"] or step_seconds
            )
        except ValueError as error:
            raise parsing.UsageError(
                say(
                    "ckpt-tui plan: --intervals: {error}; need {need}",
                    error=error,
                    need=say_sentence(FIELDS["intervals_minutes"].need),
                )
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
    return f"ckpt-tui plan: {_OPTION_OF[error.field]}: {error.said}"


def _rate(given: Mapping[str, Any]) -> float | None:
    """Faults per hour, from whichever of the three ways was used."""
    ways = ("fault_rate_per_hour", "mtbf_hours", "node_mtbf_hours")
    if sum(given[way] is not None for way in ways) > 1:
        raise parsing.UsageError(
            say("ckpt-tui plan: give one of --fault-rate, --mtbf-hours and --node-mtbf-hours")
        )
    if (given["nodes"] is None) != (given["node_mtbf_hours"] is None):
        raise parsing.UsageError(
            say(
                "ckpt-tui plan: --nodes and --node-mtbf-hours go together,"
                " such as --nodes 64 --node-mtbf-hours 8760"
            )
        )
    if given["mtbf_hours"] is not None:
        return float(1 / given["mtbf_hours"])
    if given["node_mtbf_hours"] is not None:
        return float(given["nodes"] / given["node_mtbf_hours"])
    return None if given["fault_rate_per_hour"] is None else float(given["fault_rate_per_hour"])


def _reader(each: PlanInput) -> Callable[[str], object]:
    """Reads one option's text; a bare number counts in the unit that its name says."""

    def read(text: str) -> object:
        try:
            return each.reader(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(
                say("{text}: need {need}", text=repr(text), need=each.wanted)
            ) from error

    return read

"""`ckpt-tui plan`: which interval to save at, by the lesson's estimate and by the exact model."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.plan_directory import add_directory_options, directory_of
from ckpt_tui.cli.plan_options import add_input_options, given_values, require_right
from ckpt_tui.cli.plan_retention import policy_of
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.units import parse_duration

if TYPE_CHECKING:
    from ckpt_tui.cli.plan_directory import Directory
    from ckpt_tui.cli.plan_simulation import Beside
    from ckpt_tui.planner.presets import Preset
    from ckpt_tui.planner.result import Plan

RUNS = 20_000
_MOST_RUNS = 1_000_000
_LIST = "list"


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("plan", "Compare checkpoint intervals and name the best.")
    parser.usage = "ckpt-tui plan [--from DIR] [--preset NAME] [OPTION …]  (-h lists them)"
    add_directory_options(parser)
    parser.add_argument(
        "--preset", metavar="NAME", help="begin with a published run; `list` shows them all"
    )
    add_input_options(parser)
    parser.add_argument(
        "--simulate",
        type=_runs,
        nargs="?",
        const=RUNS,
        metavar="RUNS",
        help=f"simulate each listed interval beside the formula (default: {RUNS} runs)",
    )
    parser.add_argument(
        "--seed",
        type=parsing.whole_number_from(0),
        default=1,
        metavar="N",
        help="of the simulation (default: 1)",
    )
    parser.add_argument(
        "--settings",
        action="store_true",
        help="also print the best interval as settings of the frameworks' savers",
    )
    parser.add_argument(
        "--retention",
        type=policy_of,
        metavar="POLICY",
        help="what last=3,every=1000,best=2 would keep and free; every= counts steps",
    )
    parser.add_argument(
        "--corruption-found-minutes",
        type=_late,
        metavar="N",
        help="how many checkpoints to keep against silent corruption that is found so late",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", dest="as_json", action="store_true", help="print the JSON document")
    form.add_argument(
        "--markdown", dest="as_markdown", action="store_true", help="print a Markdown report"
    )
    return parser


class _Answer(NamedTuple):
    """A plan and all that was asked for beside it."""

    plan: Plan
    arguments: argparse.Namespace
    directory: Directory | None
    preset: Preset | None
    simulation: tuple[Beside, ...] | None
    rate_given: bool


def run(arguments: argparse.Namespace) -> int:
    """Plans, prints, and returns the exit code."""
    if arguments.preset == _LIST:
        print(_presets_text())
        return ExitCode.OK
    answer = _answer(arguments)
    if arguments.as_json:
        from ckpt_tui.cli.json_text import json_text

        print(json_text(_document(answer)))
    elif arguments.as_markdown:
        from ckpt_tui.planner.markdown import plan_markdown

        print(plan_markdown(answer.plan, arguments.retention))
        for section in _sections(answer):
            print(f"\n```text\n{section}\n```")
    else:
        from ckpt_tui.planner.table import plan_table

        print(plan_table(answer.plan))
        for section in _sections(answer):
            print(section)
    return ExitCode.OK


def _answer(arguments: argparse.Namespace) -> _Answer:
    """Options win over the directory, the directory over the preset, that over the defaults."""
    given = given_values(vars(arguments))
    require_right(PlanInputs()._replace(**given))
    preset = _preset(arguments.preset)
    base = preset.apply(PlanInputs()) if preset else PlanInputs()
    before = base._replace(**given)
    directory = directory_of(arguments, before)
    values = (directory.values(before) if directory else {}) | given
    inputs = base._replace(**values)
    require_right(inputs)
    _require_company(arguments, inputs)
    plan = make_plan(inputs)
    simulation = None
    if arguments.simulate is not None:
        from ckpt_tui.cli.plan_simulation import simulated

        simulation = simulated(plan, arguments.simulate, arguments.seed)
    rate_given = "fault_rate_per_hour" in given
    return _Answer(plan, arguments, directory, preset, simulation, rate_given)


def _require_company(arguments: argparse.Namespace, inputs: PlanInputs) -> None:
    """Options that mean nothing alone.

    Raises:
        UsageError: One of them is alone; the message says what it needs.
    """
    alone = None
    if arguments.run_name is not None and arguments.directory is None:
        alone = "--run: needs the directory of the runs, such as --from /mnt/checkpoints"
    elif inputs.gpu_hour_price is not None and inputs.gpus is None:
        alone = "--gpu-hour-price: needs the number of GPUs, such as --gpus 1024"
    elif arguments.retention is not None and inputs.checkpoint_bytes is None:
        alone = "--retention: needs a size, such as --checkpoint-bytes 2TB, or --from DIR"
    if alone is not None:
        raise parsing.UsageError(f"ckpt-tui plan: {alone}")


def _preset(name: str | None) -> Preset | None:
    if name is None:
        return None
    from ckpt_tui.planner.presets import preset

    try:
        return preset(name)
    except ValueError as error:
        raise parsing.UsageError(f"ckpt-tui plan: --preset: {error}") from error


def _sections(answer: _Answer) -> list[str]:
    """What follows the plan, as text."""
    from ckpt_tui.planner.advice_text import advice_text

    arguments, plan = answer.arguments, answer.plan
    sections = [advice_text(plan, arguments.retention)]
    if answer.preset is not None:
        sections.append(_preset_text(answer.preset))
    if answer.directory is not None:
        from ckpt_tui.cli.plan_evidence import evidence_text

        sections.append(evidence_text(answer.directory, plan.inputs, answer.rate_given))
    if arguments.retention is not None or arguments.corruption_found_minutes is not None:
        from ckpt_tui.cli.plan_retention import retention_text

        policy, late = arguments.retention, arguments.corruption_found_minutes
        sections.append(retention_text(plan, answer.directory, policy, late))
    if answer.simulation is not None:
        from ckpt_tui.cli.plan_simulation import simulation_text

        sections.append(simulation_text(answer.simulation, arguments.simulate, arguments.seed))
    if arguments.settings:
        from ckpt_tui.planner.saver_settings import plan_settings_text

        sections.append(f"Settings, {plan_settings_text(plan)}")
    return [section for section in sections if section]


def _document(answer: _Answer) -> dict[str, Any]:
    from ckpt_tui.planner.contract import plan_document

    arguments, plan = answer.arguments, answer.plan
    document = plan_document(plan, arguments.retention)
    if answer.preset is not None:
        document["preset"] = {"name": answer.preset.name, "source": answer.preset.source}
    if answer.directory is not None:
        from ckpt_tui.cli.plan_evidence import evidence_document

        document["from_directory"] = evidence_document(answer.directory, plan.inputs)
    if arguments.retention is not None or arguments.corruption_found_minutes is not None:
        from ckpt_tui.cli.plan_retention import retention_document

        policy, late = arguments.retention, arguments.corruption_found_minutes
        document["retention"] = retention_document(plan, answer.directory, policy, late)
    if answer.simulation is not None:
        from ckpt_tui.cli.plan_simulation import simulation_document

        document["simulation"] = simulation_document(
            answer.simulation, arguments.simulate, arguments.seed
        )
    if arguments.settings:
        from ckpt_tui.planner.saver_settings import durable_interval_minutes, saver_settings

        settings = saver_settings(durable_interval_minutes(plan), plan.inputs.step_seconds)
        document["settings"] = [setting._asdict() for setting in settings]
    return document


def _presets_text() -> str:
    from ckpt_tui.planner.presets import PRESETS

    lines: list[str] = []
    for each in PRESETS:
        lines += [f"{each.name:<16} {each.title}", f"{'':<17}{each.source} ({each.evidence})"]
        if each.note:
            lines += textwrap.wrap(each.note, 80, initial_indent=" " * 17)
    return "\n".join(lines)


def _preset_text(preset: Preset) -> str:
    text = f"Preset {preset.name}: {preset.title}. Source: {preset.source} ({preset.evidence})"
    text += f"; {preset.note}." if preset.note else "."
    return "\n".join(textwrap.wrap(text, 80, subsequent_indent="  "))


def _runs(text: str) -> int:
    runs = int(text) if text.isdecimal() and len(text) < 9 else 0
    if not 2 <= runs <= _MOST_RUNS:
        raise argparse.ArgumentTypeError(
            f"{text!r}: need a number of runs from 2 to {_MOST_RUNS} such as {RUNS}"
        )
    return runs


def _late(text: str) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: need a time ≥ 0 such as 90 or 6h") from error

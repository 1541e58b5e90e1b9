"""`ckpt-tui plan`: which interval to save at, by the lesson's estimate and by the exact model."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.plan_directory import add_directory_options, directory_of
from ckpt_tui.cli.plan_options import (
    add_input_options,
    configured_values,
    given_values,
    require_right,
)
from ckpt_tui.cli.plan_retention import policy_of
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.units import parse_duration
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from ckpt_tui.cli.plan_directory import Directory
    from ckpt_tui.cli.plan_simulation import Beside
    from ckpt_tui.planner.presets import Preset
    from ckpt_tui.planner.result import Plan

RUNS = 20_000
_MOST_RUNS = 1_000_000
_LIST = "list"
_SUMMARY = later(
    """\
Compare checkpoint intervals: what saves, faults, rollback and reload cost at each; name the best.
Numbers come from the options, a published run (--preset), or the checkpoints themselves (--from).
"""
)
_EXAMPLES = """\
ckpt-tui plan --save-minutes 2 --mtbf-hours 50
ckpt-tui plan --from /runs/gpt --settings
ckpt-tui plan --preset list
"""
_EXIT_CODES = later("exit codes: 0 a plan was made")


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("plan", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.usage = say("ckpt-tui plan [--from DIR] [--preset NAME] [OPTION …]  (-h lists them)")
    add_directory_options(parser)
    parser.add_argument(
        "--preset", metavar="NAME", help=say("begin with a published run; `list` shows them all")
    )
    add_input_options(parser)
    parsing.add_config_options(parser)
    parser.add_argument(
        "--simulate",
        type=_runs,
        nargs="?",
        const=RUNS,
        metavar="RUNS",
        help=say(
            "simulate each listed interval beside the formula (default: {runs} runs)", runs=RUNS
        ),
    )
    parser.add_argument(
        "--seed",
        type=parsing.whole_number_from(0),
        default=1,
        metavar="N",
        help=say("of the simulation (default: 1)"),
    )
    parser.add_argument(
        "--settings",
        action="store_true",
        help=say("also print the best interval as settings of the frameworks' savers"),
    )
    parser.add_argument(
        "--retention",
        type=policy_of,
        metavar="POLICY",
        help=say("what last=3,every=1000,best=2 would keep and free; every= counts steps"),
    )
    parser.add_argument(
        "--corruption-found-minutes",
        type=_late,
        metavar="N",
        help=say("how many checkpoints to keep against silent corruption that is found so late"),
    )
    form = parser.add_mutually_exclusive_group()
    parsing.add_json_option(form)
    form.add_argument(
        "--markdown", dest="as_markdown", action="store_true", help=say("print a Markdown report")
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
    """Options win over the directory, that over the preset, and that over the configuration."""
    configured = configured_values(arguments)
    given = given_values(vars(arguments), configured.get("step_seconds"))
    require_right(PlanInputs()._replace(**given))
    preset = _preset(arguments.preset)
    base = PlanInputs()._replace(**configured)
    base = preset.apply(base) if preset else base
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
        alone = say("--run: needs the directory of the runs, such as --from /mnt/checkpoints")
    elif arguments.gpu_hour_price is not None and inputs.gpus is None:
        alone = say("--gpu-hour-price: needs the number of GPUs, such as --gpus 1024")
    elif arguments.retention is not None and inputs.checkpoint_bytes is None:
        alone = say("--retention: needs a size, such as --checkpoint-bytes 2TB, or --from DIR")
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

        sections.append(say("Settings, {text}", text=plan_settings_text(plan)))
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
    from ckpt_tui.words.wrapping import paragraph

    lines: list[str] = []
    for each in PRESETS:
        lines += [f"{each.name:<16} {say(each.title)}", f"{'':<17}{_source(each)}"]
        if each.note:
            lines += paragraph(say(each.note), 80, first=" " * 17)
    return "\n".join(lines)


def _source(preset: Preset) -> str:
    return f"{say(preset.source)} ({say(preset.evidence)})"


def _preset_text(preset: Preset) -> str:
    from ckpt_tui.words.wrapping import paragraph

    name, title, source = preset.name, say(preset.title), _source(preset)
    text = say("Preset {name}: {title}. Source: {source}.", name=name, title=title, source=source)
    if preset.note:
        text = say(
            "Preset {name}: {title}. Source: {source}; {note}.",
            name=name,
            title=title,
            source=source,
            note=say(preset.note),
        )
    return "\n".join(paragraph(text, 80, rest="  "))


def _runs(text: str) -> int:
    runs = int(text) if text.isdecimal() and len(text) < 9 else 0
    if not 2 <= runs <= _MOST_RUNS:
        raise argparse.ArgumentTypeError(
            say(
                "{text}: need a number of runs from 2 to {most} such as {runs}",
                text=repr(text),
                most=_MOST_RUNS,
                runs=RUNS,
            )
        )
    return runs


def _late(text: str) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            say("{text}: need a time ≥ 0 such as 90 or 6h", text=repr(text))
        ) from error

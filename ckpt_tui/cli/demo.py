"""`ckpt-tui demo`: a simulated job writes checkpoints live, and the dashboard watches it."""

from __future__ import annotations

import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.demo.arguments import Request
from ckpt_tui.demo.faults import FaultPlan, default_faults
from ckpt_tui.demo.lock import LOCK_NAME
from ckpt_tui.demo.plan import DemoPlan, check_plan
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    import argparse

_DEFAULT = DemoPlan()


_ABOUT = later(
    """\
Watch a simulated training job write checkpoints, faults included.

Its ranks are killed, stall and leave truncated shards and wrong pointers on purpose; the
verdicts are the product's own.
"""
)
_EXAMPLES = """\
ckpt-tui demo
ckpt-tui demo --list
ckpt-tui demo --scenario newest-broken
ckpt-tui demo --headless --dir /tmp/demo --no-faults
"""
_NEEDS_DIR = later("ckpt-tui demo: --headless (and a stdout that is no terminal) needs --dir")
_EXIT_CODES = later("exit codes: 0 left, or all was written")


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("demo", say(_ABOUT), say(_EXIT_CODES), _EXAMPLES)
    parser.add_argument(
        "--dir",
        dest="directory",
        type=Path,
        help=say("where to write (default: a temporary directory that is removed afterwards)"),
    )
    parser.add_argument(
        "--world-size",
        type=int,
        default=_DEFAULT.world_size,
        metavar="N",
        help=say("ranks of the simulated job (default: {count})", count=_DEFAULT.world_size),
    )
    parser.add_argument(
        "--speed",
        type=float,
        default=_DEFAULT.speed,
        metavar="X",
        help=say(
            "how much faster than the clock on the wall (default: {speed})",
            speed=f"{_DEFAULT.speed:g}",
        ),
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=_DEFAULT.seed,
        metavar="N",
        help=say("where all content comes from (default: {seed})", seed=_DEFAULT.seed),
    )
    parser.add_argument("--no-faults", action="store_true", help=say("nothing fails"))
    parser.add_argument(
        "--scenario",
        metavar="NAME",
        help=say("show a prepared situation instead, on a simulated disk (--list names them)"),
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help=say("list the prepared situations, and what is right in each"),
    )
    parser.add_argument(
        "--headless",
        action="store_true",
        help=say("only write, and say on stdout what happens; needs --dir"),
    )
    parsing.add_view_options(parser)
    parsing.add_config_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Runs the job, watched or headless, and returns the exit code."""
    if arguments.list or arguments.scenario is not None:
        return _prepared(arguments)
    plan = _DEFAULT.of_size(arguments.world_size)
    plan = plan._replace(speed=arguments.speed, seed=arguments.seed)
    faults = FaultPlan() if arguments.no_faults else default_faults()
    directory: Path | None = arguments.directory
    try:
        check_plan(plan)
    except ValueError as error:
        raise parsing.UsageError(f"ckpt-tui demo: {say_sentence(str(error))}") from error
    if arguments.headless or not sys.stdout.isatty():
        if directory is None:
            raise parsing.UsageError(say(_NEEDS_DIR))
        _refuse_a_foreign(directory)
        from ckpt_tui.demo.headless import run_headless

        return run_headless(Request(directory, plan, faults), threading.Event())
    if directory is not None:
        _refuse_a_foreign(directory)
        return _watch(directory, plan, faults, arguments)
    with tempfile.TemporaryDirectory(prefix="ckpt-tui-demo-") as temporary:
        return _watch(Path(temporary), plan, faults, arguments)


def _prepared(arguments: argparse.Namespace) -> int:
    """Lists the prepared situations, or shows one."""
    from ckpt_tui.cli import scenario

    if arguments.list:
        scenario.print_list()
        return ExitCode.OK
    directory: Path | None = arguments.directory
    headless = arguments.headless or not sys.stdout.isatty()
    if headless and directory is None:
        raise parsing.UsageError(say(_NEEDS_DIR))
    if directory is not None and directory.exists() and any(directory.iterdir()):
        raise parsing.UsageError(say("ckpt-tui demo: {path} is not empty", path=directory))
    if headless:
        return scenario.show(arguments.scenario, directory, None)
    from ckpt_tui.cli.sources import sources_of
    from ckpt_tui.cli.view import view_options

    view = view_options(arguments, sources_of(arguments).without_beside)
    return scenario.show(arguments.scenario, directory, view)


def _refuse_a_foreign(directory: Path) -> None:
    """The demo writes only where there is nothing, or what an earlier demo left."""
    if directory.exists() and not (directory / LOCK_NAME).exists() and any(directory.iterdir()):
        raise parsing.UsageError(
            say(
                "ckpt-tui demo: {directory} is not empty, and no demo wrote it", directory=directory
            )
        )


def _watch(
    directory: Path, plan: DemoPlan, faults: FaultPlan, arguments: argparse.Namespace
) -> int:
    from ckpt_tui.cli.judging import Judging
    from ckpt_tui.cli.live import open_dashboard
    from ckpt_tui.cli.sources import sources_of
    from ckpt_tui.cli.view import view_options
    from ckpt_tui.demo.process import start_demo_process
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.store.members import Options

    view = view_options(arguments, sources_of(arguments).without_beside)
    inputs = PlanInputs(reload_minutes=0.1, down_minutes=0.1)
    job = start_demo_process(directory, plan, faults)
    # The demo's clock is fast: a save that is silent for some seconds is dead or stalled.
    options = Options(
        stall_after_seconds=plan.wall(max(8.0, 2 * plan.stall_seconds)),
        silent_after_seconds=plan.wall(1.5),
    )
    try:
        code = open_dashboard(str(directory), Judging(options), view, inputs)
    finally:
        said = job.stop()
    if said:
        print(said, file=sys.stderr, end="")
    return code or ExitCode.OK

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

if TYPE_CHECKING:
    import argparse

_DEFAULT = DemoPlan()


_ABOUT = """\
Watch a simulated training job write checkpoints, faults included.

Its ranks are killed, stall and leave truncated shards and wrong pointers on purpose; the
verdicts are the product's own.
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("demo", _ABOUT)
    parser.add_argument(
        "--dir",
        dest="directory",
        type=Path,
        help="where to write (default: a temporary directory that is removed afterwards)",
    )
    parser.add_argument(
        "--world-size",
        type=int,
        default=_DEFAULT.world_size,
        metavar="N",
        help=f"ranks of the simulated job (default: {_DEFAULT.world_size})",
    )
    parser.add_argument(
        "--speed",
        type=float,
        default=_DEFAULT.speed,
        metavar="X",
        help=f"how much faster than the clock on the wall (default: {_DEFAULT.speed:g})",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=_DEFAULT.seed,
        metavar="N",
        help=f"where all content comes from (default: {_DEFAULT.seed})",
    )
    parser.add_argument("--no-faults", action="store_true", help="nothing fails")
    parser.add_argument(
        "--headless",
        action="store_true",
        help="only write, and say on stdout what happens; needs --dir",
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Runs the job, watched or headless, and returns the exit code."""
    plan = _DEFAULT._replace(
        world_size=arguments.world_size, speed=arguments.speed, seed=arguments.seed
    )
    faults = FaultPlan() if arguments.no_faults else default_faults()
    directory: Path | None = arguments.directory
    try:
        check_plan(plan)
    except ValueError as error:
        raise parsing.UsageError(f"ckpt-tui demo: {error}") from error
    if arguments.headless or not sys.stdout.isatty():
        if directory is None:
            raise parsing.UsageError(
                "ckpt-tui demo: --headless (and a stdout that is no terminal) needs --dir"
            )
        _refuse_a_foreign(directory)
        from ckpt_tui.demo.headless import run_headless

        return run_headless(Request(directory, plan, faults), threading.Event())
    if directory is not None:
        _refuse_a_foreign(directory)
        return _watch(directory, plan, faults)
    with tempfile.TemporaryDirectory(prefix="ckpt-tui-demo-") as temporary:
        return _watch(Path(temporary), plan, faults)


def _refuse_a_foreign(directory: Path) -> None:
    """The demo writes only where there is nothing, or what an earlier demo left."""
    if directory.exists() and not (directory / LOCK_NAME).exists() and any(directory.iterdir()):
        raise parsing.UsageError(f"ckpt-tui demo: {directory} is not empty, and no demo wrote it")


def _watch(directory: Path, plan: DemoPlan, faults: FaultPlan) -> int:
    from ckpt_tui.cli.judging import Judging
    from ckpt_tui.cli.live import open_dashboard
    from ckpt_tui.demo.process import start_demo_process
    from ckpt_tui.store.members import Options

    job = start_demo_process(directory, plan, faults)
    # The demo's clock is fast: a save that is silent for some seconds is dead or stalled.
    options = Options(
        stall_after_seconds=plan.wall(max(8.0, 2 * plan.stall_seconds)),
        silent_after_seconds=plan.wall(1.5),
    )
    try:
        code = open_dashboard(
            str(directory), Judging(options), reload_minutes=0.1, down_minutes=0.1
        )
    finally:
        said = job.stop()
    if said:
        print(said, file=sys.stderr, end="")
    return code or ExitCode.OK

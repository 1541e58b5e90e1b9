"""`ckpt-tui DIR`: the dashboard, or what `check` prints where there is no terminal."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.check import check_plainly
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.judging import asked_by
from ckpt_tui.cli.looking import hint_where_lost
from ckpt_tui.cli.messages import refuse
from ckpt_tui.cli.patience import TimedOutError, within
from ckpt_tui.cli.sources import is_on
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.fs import calls
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.cli.judging import Asked, Judging

HERE = "."
_PATIENCE_SECONDS = 10.0
"""For a first answer from the directory: more than a server takes that was idle for a while."""

_SUMMARY = later(
    """\
Open the dashboard on the checkpoints below DIR. It follows what happens there and writes nothing
below DIR; ? shows its keys. Without a terminal it prints what `ckpt-tui check DIR` does.
"""
)
_EXAMPLES = """\
ckpt-tui /runs/gpt
ckpt-tui --world-size 64 --record night.jsonl.gz /runs/gpt
"""
_EXIT_CODES = later(
    "exit codes: 0 left; 3 DIR is not there or gives no answer; without a terminal, check's"
)


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path(
        "directory",
        nargs="?",
        metavar="DIR",
        help=say(
            "a run, a directory above runs, or one checkpoint (default: this directory, where it"
            " holds one; else a choice)"
        ),
    )
    parsing.add_judging_options(parser)
    parsing.add_switch(parser, "poll", say("use no file-system events, only looks by the clock"))
    plan = PlanInputs()
    parser.add_argument(
        "--reload-minutes",
        type=parsing.minutes_of,
        metavar="N",
        help=say(
            "time to load a checkpoint, for the cost of a fault (default: {minutes})",
            minutes=f"{plan.reload_minutes:g}",
        ),
    )
    parser.add_argument(
        "--down-minutes",
        type=parsing.minutes_of,
        metavar="N",
        help=say(
            "detection and requeue, for the cost of a fault (default: {minutes})",
            minutes=f"{plan.down_minutes:g}",
        ),
    )
    parsing.add_view_options(parser)
    parsing.add_switch(
        parser, "history", say("keep and use a history of what is watched (`ckpt-tui history -h`)")
    )
    parsing.add_switch(
        parser,
        "cache",
        say("keep what was read for the next start, and use it (`ckpt-tui cache -h`)"),
    )
    parser.add_path(
        "--record",
        metavar="FILE",
        help=say(
            "record what is shown, for `ckpt-tui replay FILE`; compressed where it ends with .gz"
        ),
    )
    return parser


def _judging(directory: str, asked: Asked) -> Judging | None:
    """How to judge what lies there; None where nothing does."""
    return asked.judging_of(directory) if calls.exists(directory) else None


def run(arguments: argparse.Namespace) -> int:
    """Opens the dashboard and returns its exit code; without a directory it may ask which."""
    if arguments.directory is not None:
        return _run(arguments, arguments.directory)
    if not sys.stdout.isatty() or arguments.record is not None:
        return _run(arguments, HERE)
    from ckpt_tui.cli.first_run import choose_opening, holds_one_here
    from ckpt_tui.cli.sources import sources_of

    if holds_one_here():
        return _run(arguments, HERE)
    from ckpt_tui.cli.view import view_options

    opening = choose_opening(view_options(arguments, sources_of(arguments).without_beside))
    return _run(arguments, opening.directory) if opening.directory else opening.exit_code


def _run(arguments: argparse.Namespace, directory: str) -> int:
    asked = asked_by(arguments)
    try:
        judging = within(_PATIENCE_SECONDS, lambda: _judging(directory, asked), directory)
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    if judging is None:
        text = say("{directory}: no such directory (and no command)", directory=directory)
        code = refuse(text, ExitCode.UNKNOWN)
        hint_where_lost((Snapshot(os.path.abspath(directory)),), "")
        return code
    if not sys.stdout.isatty():
        if arguments.record is not None:
            raise parsing.UsageError(
                say(
                    "ckpt-tui: --record goes with the dashboard, and stdout is no terminal: without"
                    " one use `ckpt-tui record DIR FILE`"
                )
            )
        return check_plainly(directory, asked)
    # Textual, and what only the dashboard needs, is paid for only here.
    from ckpt_tui.cli.first_run import remember_opened, with_hint_at_run
    from ckpt_tui.cli.live import open_dashboard
    from ckpt_tui.cli.view import assumes_reload, planned_inputs, view_options
    from ckpt_tui.recording.output import RecordingError

    view = view_options(arguments, judging.settings)
    history = is_on(arguments.history, judging.settings, "history", usual=True)
    if history:
        remember_opened(directory)
    try:
        return open_dashboard(
            directory,
            with_hint_at_run(judging, directory),
            view,
            planned_inputs(arguments, judging.settings),
            force_poll=is_on(arguments.poll, judging.settings, "poll", usual=False),
            history=history,
            cache=is_on(arguments.cache, judging.settings, "cache", usual=True),
            record=arguments.record,
            reload_assumed=assumes_reload(arguments, judging.settings),
        )
    except RecordingError as error:
        return refuse(say_sentence(str(error)), ExitCode.USAGE)

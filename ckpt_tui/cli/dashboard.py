"""`ckpt-tui DIR`: the dashboard, or what `check` prints where there is no terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.check import check_plainly
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.judging import asked_by
from ckpt_tui.cli.messages import refuse
from ckpt_tui.cli.patience import TimedOutError, within
from ckpt_tui.fs import calls

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.cli.judging import Asked, Judging

_PATIENCE_SECONDS = 10.0
"""For a first answer from the directory: more than a server takes that was idle for a while."""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("", "Open the dashboard on the checkpoints below DIR.")
    parser.add_path("directory", nargs="?", default=".", metavar="DIR")
    parsing.add_judging_options(parser)
    parser.add_argument(
        "--poll", action="store_true", help="use no file-system events, only looks by the clock"
    )
    parser.add_argument(
        "--reload-minutes",
        type=parsing.minutes_of,
        default=8.0,
        metavar="N",
        help="time to load a checkpoint, for the cost of a fault (default: 8)",
    )
    parser.add_argument(
        "--down-minutes",
        type=parsing.minutes_of,
        default=0.0,
        metavar="N",
        help="detection and requeue, for the cost of a fault (default: 0)",
    )
    parser.add_argument(
        "--ascii", dest="ascii_only", action="store_true", help="draw with ASCII characters only"
    )
    parser.add_argument("--theme", metavar="NAME", help="a Textual theme such as textual-light")
    parser.add_argument(
        "--no-mouse", action="store_true", help="leave the mouse to the terminal's selection"
    )
    parser.add_argument(
        "--no-history",
        action="store_true",
        help="neither keep nor use a history of what is watched (`ckpt-tui history -h`)",
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="read all anew, and keep nothing for the next start (`ckpt-tui cache -h`)",
    )
    parser.add_path(
        "--record",
        metavar="FILE",
        help="record what is shown, for `ckpt-tui replay FILE`; compressed where it ends with .gz",
    )
    return parser


def _judging(directory: str, asked: Asked) -> Judging | None:
    """How to judge what lies there; None where nothing does."""
    return asked.judging_of(directory) if calls.exists(directory) else None


def run(arguments: argparse.Namespace) -> int:
    """Opens the dashboard and returns its exit code."""
    directory = arguments.directory
    asked = asked_by(arguments)
    try:
        judging = within(_PATIENCE_SECONDS, lambda: _judging(directory, asked), directory)
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    if judging is None:
        return refuse(f"{directory}: no such directory (and no command)", ExitCode.UNKNOWN)
    if not sys.stdout.isatty():
        if arguments.record is not None:
            raise parsing.UsageError(
                "ckpt-tui: --record goes with the dashboard, and stdout is no terminal: without one"
                " use `ckpt-tui record DIR FILE`"
            )
        return check_plainly(directory, asked)
    # Textual, and what only the dashboard needs, is paid for only here.
    from ckpt_tui.cli.live import open_dashboard
    from ckpt_tui.recording.output import RecordingError

    try:
        return open_dashboard(
            directory,
            judging,
            force_poll=arguments.poll,
            reload_minutes=arguments.reload_minutes,
            down_minutes=arguments.down_minutes,
            ascii_only=arguments.ascii_only,
            theme=arguments.theme,
            mouse=not arguments.no_mouse,
            history=not arguments.no_history,
            cache=not arguments.no_cache,
            record=arguments.record,
        )
    except RecordingError as error:
        return refuse(str(error), ExitCode.USAGE)

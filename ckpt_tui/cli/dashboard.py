"""`ckpt-tui DIR`: the dashboard, or what `check` prints where there is no terminal."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.check import check_plainly
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.judging import asked_by

if TYPE_CHECKING:
    import argparse


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
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Opens the dashboard and returns its exit code."""
    directory = arguments.directory
    asked = asked_by(arguments)
    if not os.path.exists(directory):
        print(f"ckpt-tui: {directory}: no such directory (and no command)", file=sys.stderr)
        return ExitCode.UNKNOWN
    if not sys.stdout.isatty():
        return check_plainly(directory, asked)
    from ckpt_tui.cli.live import open_dashboard  # Textual is paid for only here

    return open_dashboard(
        directory,
        asked.judging_of(directory),
        force_poll=arguments.poll,
        reload_minutes=arguments.reload_minutes,
        down_minutes=arguments.down_minutes,
        ascii_only=arguments.ascii_only,
        theme=arguments.theme,
        mouse=not arguments.no_mouse,
        history=not arguments.no_history,
    )

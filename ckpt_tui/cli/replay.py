"""`ckpt-tui replay FILE`: the dashboard over a recording, or what it holds as text."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.json_text import json_text
from ckpt_tui.cli.messages import complain, refuse
from ckpt_tui.core.document import utc_text
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import duration_text, plural

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.recording.tape import Tape

SCHEMA = "ckpt-tui/replay/1"
_ABOUT = """\
Step through a recording that `--record FILE` or `ckpt-tui record` made.

The dashboard is that of the recorded moment: ages count from there. Keys: space plays, . and , go
a frame on and back, > and < to the next event and the one before, n and b a minute, x and X change
the speed, home and end; ? shows them all. Without a terminal, or with --json, a summary is printed.
"""
_EXIT_CODES = "exit codes: 0 done; 3 FILE is not there, or is no recording that can be read"


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("replay", _ABOUT, _EXIT_CODES)
    parser.add_path("file", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print what it holds as JSON")
    parser.add_argument(
        "--ascii", dest="ascii_only", action="store_true", help="draw with ASCII characters only"
    )
    parser.add_argument("--theme", metavar="NAME", help="a Textual theme such as textual-light")
    parser.add_argument(
        "--no-mouse", action="store_true", help="leave the mouse to the terminal's selection"
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Replays, or tells what the recording holds, and returns the exit code."""
    from ckpt_tui.recording.output import RecordingError
    from ckpt_tui.recording.tape import Tape

    try:
        tape = Tape(arguments.file)
        if arguments.json or not sys.stdout.isatty():
            return _tell(tape, arguments.json)
        return _replay(tape, arguments)
    except RecordingError as error:
        return refuse(str(error), ExitCode.UNKNOWN)


def _tell(tape: Tape, as_json: bool) -> int:
    told = summary(tape)
    tape.close()
    if as_json:
        print(json_text(told))
        return ExitCode.OK
    frames, seconds = plural(told["frames"], "frame"), duration_text(told["seconds"])
    print(f"{printable(told['root'])}: {frames} over {seconds}, {told['from']} to {told['to']}")
    for event in told["events"]:
        print(f"{event['at']}  {event['level']:<8}  {printable(event['message'])}")
    if told["cut_line"] is not None:
        complain(f"{tape.path}: line {told['cut_line']} is not whole and was passed over")
    return ExitCode.OK


def summary(tape: Tape) -> dict[str, Any]:
    """What a recording holds, for `--json`: times in UTC, seconds by the recorder's clock."""
    index = tape.index
    last = len(index) - 1
    return {
        "schema": SCHEMA,
        "file": tape.path,
        "root": index.root,
        "frames": len(index),
        "sessions": index.sessions,
        "from": utc_text(index.wall_of(0)),
        "to": utc_text(index.wall_of(last)),
        "seconds": index.time_of(last),
        "ended": index.ended,
        "cut_line": index.cut_line or None,
        "events": [
            {
                "at": utc_text(index.wall_of(frame)),
                "frame": frame + 1,
                "level": event.level,
                "message": event.message,
            }
            for frame, event in index.events
        ],
    }


def _replay(tape: Tape, arguments: argparse.Namespace) -> int:
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.recording.feed import ReplayClock, ReplayFeed
    from ckpt_tui.recording.player import Player
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.planner.panel import PlannerPanel
    from ckpt_tui.tui.replay.screen import ReplayScreen
    from ckpt_tui.tui.run import run_dashboard

    player = Player(tape)
    options = DashboardOptions(
        ascii=arguments.ascii_only,
        mouse=not arguments.no_mouse,
        panel=partial(PlannerPanel, PlanInputs(), None),
        clock=ReplayClock(player),
    )
    if arguments.theme is not None:
        options = options._replace(theme=arguments.theme)
    try:
        return run_dashboard(ReplayFeed(player), options, partial(ReplayScreen, player))
    except ValueError as error:
        raise parsing.UsageError(f"ckpt-tui replay: --theme: {error}") from error

"""`ckpt-tui replay FILE`: the dashboard over a recording, or what it holds as text."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.json_text import json_text
from ckpt_tui.cli.messages import complain, refuse
from ckpt_tui.cli.sources import sources_of
from ckpt_tui.core.document import utc_text
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import duration_text
from ckpt_tui.words import later, say, say_count, say_sentence
from ckpt_tui.words.wrapping import padded

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.recording.tape import EarlyEnd, Tape

SCHEMA = "ckpt-tui/replay/1"
_ABOUT = later(
    """\
Step through a recording that `--record FILE` or `ckpt-tui record` made.

The dashboard is that of the recorded moment: ages count from there. Keys: space plays, . and , go
a frame on and back, > and < to the next event and the one before, a and A to the next warning and
the one before, n and b a minute, x and X change the speed, home and end; ? shows them all. Without
a terminal, or with --json, a summary is printed.
"""
)
_EXAMPLES = "ckpt-tui replay night.jsonl.gz\nckpt-tui replay --json night.jsonl.gz"
_EXIT_CODES = later("exit codes: 0 done; 3 FILE is not there, or is no recording that can be read")


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("replay", say(_ABOUT), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path("file", metavar="FILE")
    parser.add_argument("--json", action="store_true", help=say("print what it holds as JSON"))
    parsing.add_view_options(parser)
    parsing.add_config_options(parser)
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
        return refuse(say_sentence(str(error)), ExitCode.UNKNOWN)


def _tell(tape: Tape, as_json: bool) -> int:
    told = summary(tape)
    tape.close()
    if as_json:
        print(json_text(told))
        return ExitCode.OK
    line = say_count(
        told["frames"],
        "{root}: {count} frame over {time}, {first} to {last}",
        "{root}: {count} frames over {time}, {first} to {last}",
        root=printable(told["root"]),
        time=duration_text(told["seconds"]),
        first=told["from"],
        last=told["to"],
    )
    print(line)
    for event in told["events"]:
        kind = padded(_kind_text(event["kind"], event["first"]), 8)
        message = printable(say_sentence(event["message"]))
        print(f"{event['at']}  {event['level']:<8}  {kind}  {message}")
    if told["early_end"] is not None:
        complain(early_end_text(tape.path, told["early_end"]))
    elif told["cut_line"] is not None:
        complain(
            say(
                "{path}: line {line} is not whole and was passed over",
                path=tape.path,
                line=told["cut_line"],
            )
        )
    return ExitCode.OK


def early_end_text(path: str, end: dict[str, Any]) -> str:
    """What is said of a recording whose file breaks off."""
    return say(
        "{path}: ends early, behind line {line} of {at}: {reason} (the file was cut, or its"
        " recorder was killed or still records)",
        path=path,
        line=end["line"],
        at=end["at"],
        reason=end["reason"],
    )


def _kind_text(kind: str, first: bool) -> str:
    """What became of an alarm then; "" for what is none."""
    if first:
        return say("standing")
    return {"raised": say("raised"), "changed": say("changed"), "cleared": say("cleared")}.get(
        kind, ""
    )


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
        "early_end": _early_end(tape.early_end),
        "events": [
            {
                "at": utc_text(index.wall_of(frame)),
                "frame": frame + 1,
                "level": event.level.value,
                "kind": event.kind.value,
                "code": event.code,
                "message": event.text,
                "lasted_seconds": event.lasted_seconds,
                "first": event.first,
            }
            for frame, event in index.events
        ],
    }


def _early_end(end: EarlyEnd | None) -> dict[str, Any] | None:
    """Behind which line the file breaks off, and when that was."""
    if end is None:
        return None
    return {"line": end.line, "at": utc_text(end.wall), "reason": end.reason}


def _replay(tape: Tape, arguments: argparse.Namespace) -> int:
    from ckpt_tui.cli.view import view_options
    from ckpt_tui.planner.inputs import PlanInputs
    from ckpt_tui.recording.feed import ReplayClock, ReplayFeed
    from ckpt_tui.recording.player import Player
    from ckpt_tui.tui.actions.key_map import for_replay
    from ckpt_tui.tui.planner.panel import PlannerPanel
    from ckpt_tui.tui.replay.screen import ReplayScreen
    from ckpt_tui.tui.run import run_dashboard

    player = Player(tape)
    options = view_options(arguments, sources_of(arguments).without_beside)
    options = options._replace(
        keymap=for_replay(options.keymap),
        panel=partial(PlannerPanel, PlanInputs(), None),
        clock=ReplayClock(player),
    )
    return run_dashboard(ReplayFeed(player), options, partial(ReplayScreen, player))

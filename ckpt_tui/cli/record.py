"""`ckpt-tui record DIR FILE`: records a night without a terminal."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.judging import asked_by
from ckpt_tui.cli.messages import complain, refuse
from ckpt_tui.core.printable import printable
from ckpt_tui.formats.shared.roles import use_synonyms

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.cli.recorded import RecordedFeed

_ABOUT = """\
Record what happens below DIR, for `ckpt-tui replay FILE`.

Nothing is written below DIR. A recording that is there is continued; one that is killed can be
replayed up to then. It goes on until it is interrupted or terminated, or for --seconds.
"""
_EXIT_CODES = "exit codes: 0 ended; 3 DIR is not there, or FILE could not be written to the end"
_LOOK_SECONDS = 0.5


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("record", _ABOUT, _EXIT_CODES)
    parser.add_path("directory", metavar="DIR")
    parser.add_path("file", metavar="FILE", help="compressed where its name ends with .gz")
    parser.add_argument(
        "--seconds", type=parsing.seconds_of, metavar="TIME", help="end after so long (90s, 8h)"
    )
    parser.add_argument(
        "--poll", action="store_true", help="use no file-system events, only looks by the clock"
    )
    parsing.add_judging_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Records until it is told to end, and returns the exit code."""
    directory = arguments.directory
    if not os.path.isdir(directory):
        return refuse(f"{directory}: no such directory", ExitCode.UNKNOWN)
    from ckpt_tui.cli.live_feed import LiveFeed
    from ckpt_tui.cli.recorded import RecordedFeed
    from ckpt_tui.recording.output import RecordingError

    judging = asked_by(arguments).judging_of(directory)
    use_synonyms(judging.synonyms)
    live = LiveFeed(directory, judging.options, force_poll=arguments.poll, remarks=judging.remarks)
    try:
        feed = RecordedFeed(live, arguments.file, directory)
    except RecordingError as error:
        return refuse(str(error), ExitCode.USAGE)
    return _record(feed, arguments.file, arguments.seconds)


def _record(feed: RecordedFeed, path: str, seconds: float | None) -> int:
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: over.set())
    feed.start(lambda _picture: over.set() if feed.problem else None)
    over.wait(None if seconds is None else min(seconds, threading.TIMEOUT_MAX))
    feed.stop()
    if feed.problem:
        complain(feed.problem)
        return ExitCode.UNKNOWN
    print(f"recorded to {printable(path)}; to see it: ckpt-tui replay {printable(path)}")
    return ExitCode.OK

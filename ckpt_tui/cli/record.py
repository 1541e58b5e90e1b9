"""`ckpt-tui record DIR FILE`: records a night without a terminal."""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING, NoReturn

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.judging import asked_by
from ckpt_tui.cli.messages import complain, refuse
from ckpt_tui.cli.patience import TimedOutError, within
from ckpt_tui.cli.sources import is_on
from ckpt_tui.core.printable import printable
from ckpt_tui.formats.shared.roles import use_synonyms
from ckpt_tui.fs import calls
from ckpt_tui.fs.asking import Asking
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    import argparse
    from types import FrameType

    from ckpt_tui.cli.judging import Asked, Judging
    from ckpt_tui.cli.recorded import RecordedFeed

_ABOUT = later(
    """\
Record what happens below DIR, for `ckpt-tui replay FILE`.

Nothing is written below DIR. A recording that is there is continued; one that is killed can be
replayed up to then. It goes on until it is interrupted or terminated, or for --seconds.
"""
)
_EXAMPLES = "ckpt-tui record --seconds 8h /runs/gpt night.jsonl.gz"
_EXIT_CODES = later(
    """\
exit codes: 0 ended; 3 DIR is not there or gives no answer, or FILE could not be written to the end
"""
)
_PATIENCE_SECONDS = 10.0
"""For a first answer from the directory: more than a server takes that was idle for a while."""
_FILE_PATIENCE_SECONDS = 120.0
"""For the recording: a compressed one that is continued is read through, up to 4 GiB."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("record", say(_ABOUT), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path("directory", metavar="DIR", help=say("a run, or a directory above runs"))
    parser.add_path("file", metavar="FILE", help=say("compressed where its name ends with .gz"))
    parser.add_argument(
        "--seconds",
        type=parsing.seconds_of,
        metavar="TIME",
        help=say("end after so long (90s, 8h)"),
    )
    parsing.add_switch(parser, "poll", say("use no file-system events, only looks by the clock"))
    parsing.add_judging_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Records until it is told to end, and returns the exit code.

    Whatever may hang in a dead mount is done on other threads: this one always hears a signal.
    """
    for number in _SIGNALS:
        signal.signal(number, _leave)
    directory, path, asked = arguments.directory, arguments.file, asked_by(arguments)
    try:
        judging = within(_PATIENCE_SECONDS, lambda: _judging(directory, asked), directory)
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    if judging is None:
        return refuse(say("{path}: no such directory", path=directory), ExitCode.UNKNOWN)
    from ckpt_tui.recording.output import RecordingError

    use_synonyms(judging.synonyms)
    try:
        feed = within(_FILE_PATIENCE_SECONDS, lambda: _feed(arguments, judging), path)
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    except RecordingError as error:
        return refuse(say_sentence(str(error)), ExitCode.USAGE)
    return _record(feed, path, arguments.seconds)


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    """Ends before anything is recorded, as a shell tells it."""
    raise SystemExit(128 + number)


def _judging(directory: str, asked: Asked) -> Judging | None:
    """How to judge what lies there; None where no directory does."""
    return asked.judging_of(directory) if calls.is_directory(directory) else None


def _feed(arguments: argparse.Namespace, judging: Judging) -> RecordedFeed:
    """What is watched, with the recording open."""
    from ckpt_tui.cli.live_feed import LiveFeed
    from ckpt_tui.cli.recorded import RecordedFeed

    directory, path = arguments.directory, arguments.file
    live = LiveFeed(
        directory,
        judging.options,
        force_poll=is_on(arguments.poll, judging.settings, "poll", usual=False),
        remarks=judging.remarks,
    )
    with Asking(path):
        return RecordedFeed(live, path, directory)


def _record(feed: RecordedFeed, path: str, seconds: float | None) -> int:
    over = threading.Event()
    for number in _SIGNALS:
        signal.signal(number, lambda *_: over.set())
    feed.start(lambda _picture: over.set() if feed.problem else None)
    over.wait(None if seconds is None else min(seconds, threading.TIMEOUT_MAX))
    feed.stop()
    if feed.problem:
        complain(say_sentence(feed.problem))
        return ExitCode.UNKNOWN
    print(say("recorded to {path}; to see it: ckpt-tui replay {path}", path=printable(path)))
    return ExitCode.OK

"""`ckpt-tui compare`: two checkpoints side by side, what differs first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.looking import look_at, look_of
from ckpt_tui.cli.messages import refuse
from ckpt_tui.cli.patience import TimedOutError, within
from ckpt_tui.core.comparing.checkpoints import compare_checkpoints
from ckpt_tui.core.comparing.tensors import compare_tensors
from ckpt_tui.formats.tensors import tensors_of
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.comparing.checkpoints import Comparison
    from ckpt_tui.core.snapshot import Snapshot

_SUMMARY = later(
    """\
Compare two checkpoints, A and B: state, roles, shards, findings, files, and tensors from headers:
added, removed, of another shape or type. No tensor data is read.
"""
)
_EXIT_CODES = later(
    """\
exit codes: 0 both hold the same: format, world size, roles, whole shards, tensors; 1 they do not;
3 one is not there, not readable, or the time is up; 4 one is no checkpoint
"""
)
_EXAMPLES = """\
ckpt-tui compare /runs/gpt/step-1200 /runs/gpt/step-1300
ckpt-tui compare --json /runs/gpt/step-1200 /runs/gpt-resumed/step-1300
"""


class _NotComparedError(Exception):
    """One of the two cannot be compared."""

    def __init__(self, message: str, code: ExitCode) -> None:
        super().__init__(message)
        self.code = code


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("compare", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path("first", metavar="A", help=say("the first, such as the one that worked"))
    parser.add_path("second", metavar="B", help=say("the second, such as the one that does not"))
    parsing.add_json_option(parser)
    parsing.add_judging_options(parser)
    parsing.add_looking_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Compares, prints, and returns the exit code."""
    try:
        comparison = _compared(arguments)
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    except _NotComparedError as error:
        return refuse(str(error), error.code)
    if arguments.as_json:
        from ckpt_tui.cli.json_text import json_text
        from ckpt_tui.core.comparing.document import compare_document

        print(json_text(compare_document(comparison, __version__)))
    else:
        import shutil

        from ckpt_tui.cli.compare_report import compare_report

        print(compare_report(comparison, shutil.get_terminal_size((100, 40)).columns))
    return ExitCode.OK if comparison.alike else ExitCode.WARNING


def _compared(arguments: argparse.Namespace) -> Comparison:
    """The whole comparison.

    Raises:
        TimedOutError: The time is up.
        _NotComparedError: One of the two is no checkpoint, or cannot be read.
    """
    paths, how = (arguments.first, arguments.second), look_of(arguments)
    first, second = (_checkpoint(found) for found in look_at(paths, how))
    comparison = compare_checkpoints(first, second)

    def with_tensors() -> Comparison:
        tensors = compare_tensors(tensors_of(first), tensors_of(second))
        return comparison._replace(tensors=tensors)

    return within(how.timeout_seconds, with_tensors, ", ".join(paths))


def _checkpoint(snapshot: Snapshot) -> Checkpoint:
    """The one checkpoint that a path is.

    Raises:
        _NotComparedError: It is none.
    """
    if snapshot.error:
        message = f"{snapshot.root}: {say_sentence(snapshot.error)}"
        raise _NotComparedError(message, ExitCode.UNKNOWN)
    for checkpoint in snapshot.checkpoints:
        if checkpoint.path == snapshot.root:
            return checkpoint
    message = say(
        "{path} is no checkpoint (ckpt-tui check names those below it)", path=snapshot.root
    )
    raise _NotComparedError(message, ExitCode.EMPTY)

"""`ckpt-tui show`: one checkpoint with its roles, shards, files, findings and tensors."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.looking import look_at, look_of
from ckpt_tui.cli.messages import refuse
from ckpt_tui.cli.patience import TimedOutError, within
from ckpt_tui.cli.show_tensors import FIRST_TENSORS
from ckpt_tui.core.query_words import BadQueryError
from ckpt_tui.core.tensors_query import EVERY_TENSOR, parse_tensor_query
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.cli.looking import Look
    from ckpt_tui.cli.show_tensors import ShownTensors
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.tensors_query import TensorQuery

_SUMMARY = later(
    """\
Show one CHECKPOINT: whether to resume from it and how, then the evidence: roles, shards, files,
findings, tensors from headers. No tensor data is read.
"""
)
_EXIT_CODES = later(
    """\
exit codes: 0 resumable; 1 weights only or still saving; 2 not resumable; 3 not there, not readable,
or the time is up; 4 no checkpoint
"""
)
_EXAMPLES = """\
ckpt-tui show /runs/gpt/step-1200
ckpt-tui show --json --world-size 64 /runs/gpt/step-1200
ckpt-tui show --tensors all --find "role:optimizer dtype:fp32" /runs/gpt/step-1200
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("show", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path("path", metavar="CHECKPOINT", help=say("its directory, or its file"))
    parsing.add_json_option(parser)
    parser.add_argument(
        "--tensors",
        type=_how_many,
        metavar="N|all",
        help=say(
            "list so many tensors after their totals (default: {count}; with --json all)",
            count=FIRST_TENSORS,
        ),
    )
    parser.add_argument(
        "--find",
        type=_query,
        metavar="TEXT",
        help=say(
            "only tensors that match: words of the name, dtype:bf16, role:optimizer, shape:4096,"
            " 'size>16m', rank:3, file:NAME; ! turns a term round"
        ),
    )
    parsing.add_judging_options(parser)
    parsing.add_looking_options(parser)
    return parser


_EVERY = -1


def _how_many(text: str) -> int:
    """A number of tensors; `_EVERY` for all of them."""
    return _EVERY if text == "all" else parsing.whole_number_from(0)(text)


def _query(text: str) -> TensorQuery:
    try:
        return parse_tensor_query(text)
    except BadQueryError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def run(arguments: argparse.Namespace) -> int:
    """Looks, prints, and returns the exit code."""
    how = look_of(arguments)
    try:
        snapshot = look_at((arguments.path,), how)[0]
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    if snapshot.error:
        return refuse(f"{snapshot.root}: {say_sentence(snapshot.error)}", ExitCode.UNKNOWN)
    found = [c for c in snapshot.checkpoints if c.path == snapshot.root]
    if not found:
        inside = say_count(len(snapshot.checkpoints), "{count} checkpoint", "{count} checkpoints")
        message = say(
            "{path} is no checkpoint; there are {checkpoints} below it (ckpt-tui check names them)",
            path=snapshot.root,
            checkpoints=inside,
        )
        return refuse(message, ExitCode.EMPTY)
    checkpoint = found[0]
    try:
        tensors = _tensors(arguments, checkpoint, how)
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    if arguments.as_json:
        from ckpt_tui.cli.json_text import json_text
        from ckpt_tui.cli.show_tensors import tensors_document
        from ckpt_tui.core.document import show_document

        document = show_document(checkpoint, __version__)
        print(json_text({**document, **tensors_document(tensors)}))
    else:
        import shutil

        from ckpt_tui.cli.show_report import show_report

        width = shutil.get_terminal_size((120, 40)).columns
        print(show_report(checkpoint, width, snapshot.looked_at, snapshot.world_size, tensors))
    return _code(checkpoint)


def _tensors(arguments: argparse.Namespace, checkpoint: Checkpoint, how: Look) -> ShownTensors:
    """The tensors that are asked for.

    Raises:
        TimedOutError: The time is up.
    """
    from ckpt_tui.cli.show_tensors import ShownTensors
    from ckpt_tui.formats.tensors import tensors_of

    most = arguments.tensors
    if most is None:
        most = _EVERY if arguments.as_json else FIRST_TENSORS
    listing = within(how.timeout_seconds, lambda: tensors_of(checkpoint), checkpoint.path)
    return ShownTensors(listing, arguments.find or EVERY_TENSOR, None if most == _EVERY else most)


def _code(checkpoint: Checkpoint) -> ExitCode:
    if checkpoint.resumable:
        return ExitCode.OK
    if checkpoint.verdict in (Verdict.WEIGHTS_ONLY, Verdict.SAVING):
        return ExitCode.WARNING
    return ExitCode.UNKNOWN if checkpoint.verdict is Verdict.UNKNOWN else ExitCode.CRITICAL

"""`ckpt-tui show`: one checkpoint with its roles, shards, files, findings and tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.judging import asked_by
from ckpt_tui.cli.looking import Look, look_at
from ckpt_tui.cli.messages import refuse
from ckpt_tui.cli.patience import TimedOutError
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import Verdict

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.core.checkpoint import Checkpoint

_EXIT_CODES = """\
exit codes: 0 resumable, 1 weights only or still saving, 2 not resumable, 3 not readable,
4 no checkpoint
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser(
        "show",
        "Show one CHECKPOINT: roles, shards, files, findings, tensors from headers.",
        _EXIT_CODES,
    )
    parser.add_path("path", metavar="CHECKPOINT")
    parser.add_argument(
        "--json", dest="as_json", action="store_true", help="print the JSON document"
    )
    parsing.add_judging_options(parser)
    parsing.add_looking_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Looks, prints, and returns the exit code."""
    how = Look(asked_by(arguments), arguments.settle, arguments.timeout)
    try:
        snapshot = look_at((arguments.path,), how)[0]
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    if snapshot.error:
        return refuse(f"{snapshot.root}: {snapshot.error}", ExitCode.UNKNOWN)
    found = [c for c in snapshot.checkpoints if c.path == snapshot.root]
    if not found:
        inside = plural(len(snapshot.checkpoints), "checkpoint")
        return refuse(
            f"{snapshot.root} is no checkpoint; there are {inside} below it"
            " (ckpt-tui check names them)",
            ExitCode.EMPTY,
        )
    checkpoint = found[0]
    if arguments.as_json:
        from ckpt_tui.cli.json_text import json_text
        from ckpt_tui.core.document import show_document

        print(json_text(show_document(checkpoint, __version__)))
    else:
        import shutil

        from ckpt_tui.cli.show_report import show_report

        width = shutil.get_terminal_size((120, 40)).columns
        print(show_report(checkpoint, width, snapshot.looked_at, snapshot.world_size))
    return _code(checkpoint)


def _code(checkpoint: Checkpoint) -> ExitCode:
    if checkpoint.resumable:
        return ExitCode.OK
    if checkpoint.verdict in (Verdict.WEIGHTS_ONLY, Verdict.SAVING):
        return ExitCode.WARNING
    return ExitCode.UNKNOWN if checkpoint.verdict is Verdict.UNKNOWN else ExitCode.CRITICAL

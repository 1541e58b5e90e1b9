"""`ckpt-tui check`: every checkpoint's verdict and the resume point, one shot."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode, exit_code_of, worst_level
from ckpt_tui.cli.judging import asked_by
from ckpt_tui.cli.looking import Look, complaints, look_at
from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.patience import TimedOutError
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.thresholds import Thresholds, levels_of, under

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ckpt_tui.cli.judging import Asked
    from ckpt_tui.core.vocabulary import Level

_EXIT_CODES = """\
exit codes: 0 the newest attempt of every run is resumable, 1 warning, 2 nothing is resumable,
3 not readable, 4 no checkpoint yet
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser(
        "check", "Judge every checkpoint below DIR and name the resume point.", _EXIT_CODES
    )
    parser.add_path("directories", nargs="*", default=["."], metavar="DIR")
    style = parser.add_mutually_exclusive_group()
    style.add_argument(
        "--json", dest="style", action="store_const", const="json", help="print the JSON document"
    )
    style.add_argument(
        "--plugin",
        dest="style",
        action="store_const",
        const="plugin",
        help="print one monitoring line with performance data; exit codes 0 to 3",
    )
    parsing.add_judging_options(parser)
    parser.add_argument(
        "--warn-age", type=parsing.seconds_of, metavar="TIME", help="warn of an older resume point"
    )
    parser.add_argument(
        "--crit-age",
        type=parsing.seconds_of,
        metavar="TIME",
        help="an older resume point is critical",
    )
    parser.add_argument(
        "--min-good",
        type=parsing.whole_number_from(1),
        metavar="N",
        help="warn where a run has fewer resumable checkpoints",
    )
    parser.add_argument(
        "--expect-checkpoint",
        action="store_true",
        help="no checkpoint at all is critical (for mounts that may be missing)",
    )
    parsing.add_looking_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Looks, prints, and returns the exit code."""
    how = Look(asked_by(arguments), arguments.settle, arguments.timeout)
    thresholds = Thresholds(
        arguments.warn_age, arguments.crit_age, arguments.min_good, arguments.expect_checkpoint
    )
    return check(arguments.directories, how, thresholds, arguments.style or "text")


def check(paths: Sequence[str], how: Look, thresholds: Thresholds, style: str) -> int:
    """Looks at the paths, prints the answer and returns the exit code.

    Args:
        paths: Directories or checkpoints.
        how: How often and for how long to look.
        thresholds: The operator's limits.
        style: "text", "json" or "plugin".
    """
    try:
        snapshots = look_at(paths, how)
    except TimedOutError as error:
        snapshots = tuple(Snapshot(root, error=str(error)) for root in paths)
    now = time.time()
    snapshots = tuple(under(snapshot, thresholds, now) for snapshot in snapshots)
    level = worst_level(
        level for snapshot in snapshots for level in levels_of(snapshot, thresholds)
    )
    text, code = _answer(snapshots, level, thresholds, style, now)
    if text:
        print(text)
    for line in complaints(snapshots):
        complain(line)
    return code


def _answer(
    snapshots: Sequence[Snapshot], level: Level, thresholds: Thresholds, style: str, now: float
) -> tuple[str, ExitCode]:
    code = exit_code_of(level)
    if style == "json":
        from ckpt_tui.cli.json_text import check_json

        return check_json(snapshots, level, code, now), code
    if style == "plugin":
        from ckpt_tui.cli.plugin_line import plugin_line

        return plugin_line(snapshots, level, thresholds, now)
    from ckpt_tui.cli.report import report

    return report(snapshots, now), code


def check_plainly(path: str, asked: Asked) -> int:
    """What a dashboard prints where there is no terminal to draw on."""
    return check((path,), Look(asked), Thresholds(), "text")

"""`ckpt-tui check`: every checkpoint's verdict and the resume point, one shot."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode, exit_code_of, worst_level
from ckpt_tui.cli.judging import Judging
from ckpt_tui.cli.looking import Look, complaints, hint_where_lost, look_and_judge, look_of
from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.patience import TimedOutError
from ckpt_tui.config.settings import CHECK
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.thresholds import Thresholds, levels_of, under
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ckpt_tui.cli.judging import Asked
    from ckpt_tui.config.settings import Settings
    from ckpt_tui.core.vocabulary import Level

_EXIT_CODES = later(
    """\
exit codes: 0 the newest attempt of every run is resumable, or in flight above a resumable one;
1 warning; 2 critical: checkpoints are there and none is resumable; 3 not there, not readable, or
the time is up; 4 no checkpoint yet; of several runs the worst
"""
)
_SUMMARY = later(
    """\
Judge every checkpoint below DIR and name the resume point: what a restart should load, and why not
the newer ones. One shot; nothing is written. Verdicts and findings: ckpt-tui explain
"""
)
_EXAMPLES = """\
ckpt-tui check /runs/gpt
ckpt-tui check --json --world-size 64 /runs/gpt
ckpt-tui check --plugin --warn-age 2h --crit-age 6h --timeout 30 /runs/gpt
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("check", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path(
        "directories",
        nargs="*",
        default=["."],
        metavar="DIR",
        help=say("a run, a directory above runs, or one checkpoint (default: this directory)"),
    )
    style = parser.add_mutually_exclusive_group()
    style.add_argument(
        "--json",
        dest="style",
        action="store_const",
        const="json",
        help=say("print the JSON document"),
    )
    style.add_argument(
        "--plugin",
        dest="style",
        action="store_const",
        const="plugin",
        help=say("print one monitoring line with performance data; exit codes 0 to 3"),
    )
    parsing.add_judging_options(parser)
    parser.add_argument(
        "--warn-age",
        type=parsing.seconds_of,
        metavar="TIME",
        help=say("warn of an older resume point"),
    )
    parser.add_argument(
        "--crit-age",
        type=parsing.seconds_of,
        metavar="TIME",
        help=say("an older resume point is critical"),
    )
    parser.add_argument(
        "--min-good",
        type=parsing.whole_number_from(1),
        metavar="N",
        help=say("warn where a run has fewer resumable checkpoints"),
    )
    parser.add_argument(
        "--expect-checkpoint",
        action="store_true",
        help=say("no checkpoint at all is critical (for mounts that may be missing)"),
    )
    parsing.add_looking_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Looks, prints, and returns the exit code."""
    given = Thresholds(
        arguments.warn_age, arguments.crit_age, arguments.min_good, arguments.expect_checkpoint
    )
    return check(arguments.directories, look_of(arguments), given, arguments.style or "text")


def check(paths: Sequence[str], how: Look, given: Thresholds, style: str) -> int:
    """Looks at the paths, prints the answer and returns the exit code.

    Args:
        paths: Directories or checkpoints.
        how: How often and for how long to look.
        given: The limits of the command line; the configuration of each path has the others.
        style: "text", "json" or "plugin".
    """
    try:
        looks = look_and_judge(paths, how)
        in_time = True
    except TimedOutError as error:
        looks = tuple((Snapshot(root, error=str(error)), Judging()) for root in paths)
        in_time = False
    now = time.time()
    told = [
        _Told(snapshot, _limits(given, judging.settings)).under(now) for snapshot, judging in looks
    ]
    level = worst_level(level for each in told for level in levels_of(*each))
    text, code = _answer(told, level, style, now)
    if text:
        print(text)
    for line in complaints([each.snapshot for each in told]):
        complain(say_sentence(line))
    if in_time and style == "text":
        hint_where_lost([each.snapshot for each in told], "check")
    return code


class _Told(NamedTuple):
    """What is seen at a path, and the limits that hold there."""

    snapshot: Snapshot
    thresholds: Thresholds

    def under(self, now: float) -> _Told:
        """The same with these limits applied."""
        return self._replace(snapshot=under(self.snapshot, self.thresholds, now))


def _limits(given: Thresholds, settings: Settings) -> Thresholds:
    """Limits of the command line, else those that are configured."""
    set_there = settings.table(CHECK)

    def limit(typed: float | None, key: str) -> float | None:
        value = set_there.get(key)
        return float(value) if typed is None and isinstance(value, int | float) else typed

    least = limit(given.min_good, "min_good")
    return Thresholds(
        limit(given.warn_age_seconds, "warn_age"),
        limit(given.crit_age_seconds, "crit_age"),
        None if least is None else int(least),
        given.expect_checkpoint or bool(set_there.get("expect_checkpoint")),
    )


def _answer(told: Sequence[_Told], level: Level, style: str, now: float) -> tuple[str, ExitCode]:
    code = exit_code_of(level)
    snapshots = [each.snapshot for each in told]
    if style == "json":
        from ckpt_tui.cli.json_text import check_json

        return check_json(snapshots, level, code, now), code
    if style == "plugin":
        from ckpt_tui.cli.plugin_line import plugin_line

        return plugin_line(told, level, now)
    from ckpt_tui.cli.report import report

    return report(snapshots, now), code


def check_plainly(path: str, asked: Asked) -> int:
    """What a dashboard prints where there is no terminal to draw on."""
    return check((path,), Look(asked), Thresholds(), "text")

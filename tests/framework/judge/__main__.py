"""`python -m tests.framework.judge --states 1000 --journal FILE`: kills writers, asks loaders."""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
from pathlib import Path

from tests.framework.jobs import FAMILIES, JOBS, job_named
from tests.framework.judge.again import judge_again
from tests.framework.judge.agreement import document, totals
from tests.framework.judge.journal import Journal
from tests.framework.judge.long_run import LongRun, Plan
from tests.framework.judge.rounds import Habits


def main() -> int:
    """Plays rounds until enough killed states are in the journal; then the table."""
    options = _options()
    journal = Journal(options.journal)
    if options.again:
        judge_again(journal, options.keep)
    elif not options.table_only:
        LongRun(journal, _plan(options)).play()
    print(totals(journal.states))
    for state in journal.states:
        if not state.agreed:
            print(state)
    if options.table:
        options.table.write_text(document(journal, options.family))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.framework.judge", description=__doc__)
    add = parser.add_argument
    add("--journal", type=Path, required=True, help="JSON lines; a run goes on where it stopped")
    add("--states", type=int, default=1000, help="how many killed states there shall be in all")
    add("--minutes", type=float, default=600.0, help="stop after so long")
    add("--family", choices=FAMILIES, default="torch", help="whose jobs, if --jobs names none")
    add("--jobs", default="", help="which frameworks, by comma")
    add("--configurations", default="", help="only these of them, by comma")
    add(
        "--python-of",
        metavar="JOBS=PYTHON",
        type=_python_of,
        action="append",
        default=[],
        help="the interpreter that has the frameworks of these jobs (* for any text), if not this"
        " one; may be given again: the last that fits counts",
    )
    add("--rounds", type=int, default=0, help="at most so many of each configuration")
    add("--saves", type=int, default=8, help="how many checkpoints an undisturbed run writes")
    add("--losses", type=int, default=0, help="finished checkpoints of each that lose a file")
    add("--parallel", type=int, default=1, help="frameworks at work at the same time")
    add("--keep", type=Path, help="where states that we disagree on are kept")
    add("--keep-all", action="store_true", help="all states are kept there")
    add("--again", action="store_true", help="only judge those that are kept once more ourselves")
    add("--table", type=Path, help="write the table here")
    add("--table-only", action="store_true", help="play nothing")
    options = parser.parse_args()
    if options.again and not options.keep:
        parser.error("--again needs --keep DIR: where the states were kept")
    return options


def _python_of(text: str) -> tuple[str, str]:
    pattern, _, python = text.partition("=")
    if not fnmatch.filter(JOBS, pattern) or not Path(python).is_file():
        raise argparse.ArgumentTypeError(f"{text!r} is not JOBS=PYTHON; jobs: {', '.join(JOBS)}")
    return pattern, os.path.abspath(python)


def _plan(options: argparse.Namespace) -> Plan:
    only = set(filter(None, options.configurations.split(",")))
    jobs = options.jobs.split(",") if options.jobs else FAMILIES[options.family]
    configurations = {
        job: [each.name for each in job_named(job).configurations if not only or each.name in only]
        for job in jobs
    }
    keep = options.keep.absolute() if options.keep else None
    habits = Habits(options.saves, options.losses, keep, options.keep_all)
    limits = (options.states, options.minutes, options.rounds, options.parallel)
    pythons = {
        job: python
        for pattern, python in options.python_of
        for job in fnmatch.filter(configurations, pattern)
    }
    return Plan(configurations, habits, *limits, pythons)


if __name__ == "__main__":
    sys.exit(main())

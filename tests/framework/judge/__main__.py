"""`python -m tests.framework.judge --states 1000 --journal FILE`: kills writers, asks loaders."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.framework.jobs import MODULES, job_named
from tests.framework.judge.agreement import document, totals
from tests.framework.judge.journal import Journal
from tests.framework.judge.long_run import LongRun, Plan


def main() -> int:
    """Plays rounds until enough killed states are in the journal; then the table."""
    options = _options()
    journal = Journal(options.journal)
    if not options.table_only:
        LongRun(journal, _plan(options)).play()
    print(totals(journal.states))
    for state in journal.states:
        if not state.agreed:
            print(state)
    if options.table:
        options.table.write_text(document(journal))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.framework.judge", description=__doc__)
    add = parser.add_argument
    add("--journal", type=Path, required=True, help="JSON lines; a run goes on where it stopped")
    add("--states", type=int, default=1000, help="how many killed states there shall be in all")
    add("--minutes", type=float, default=600.0, help="stop after so long")
    add("--jobs", default=",".join(MODULES), help="which frameworks, by comma")
    add("--configurations", default="", help="only these of them, by comma")
    add("--rounds", type=int, default=0, help="at most so many of each configuration")
    add("--saves", type=int, default=8, help="how many checkpoints an undisturbed run writes")
    add("--parallel", type=int, default=1, help="frameworks at work at the same time")
    add("--keep", type=Path, help="where states that we disagree on are kept")
    add("--table", type=Path, help="write the table here")
    add("--table-only", action="store_true", help="play nothing")
    return parser.parse_args()


def _plan(options: argparse.Namespace) -> Plan:
    only = set(filter(None, options.configurations.split(",")))
    configurations = {
        job: [each.name for each in job_named(job).configurations if not only or each.name in only]
        for job in options.jobs.split(",")
    }
    limits = (options.states, options.minutes, options.rounds)
    return Plan(configurations, *limits, options.parallel, options.saves, options.keep)


if __name__ == "__main__":
    sys.exit(main())

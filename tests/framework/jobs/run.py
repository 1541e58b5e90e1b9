"""`python -m tests.framework.jobs.run NAME CONFIGURATION DIRECTORY`: one run of a job, by hand."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tests.framework.jobs import JOBS, configuration_of, job_named
from tests.framework.jobs.ranks import fork_ranks
from tests.framework.judge.loader import load


def main() -> int:
    """Starts the ranks in one process group and waits for them; or loads one checkpoint."""
    parser = argparse.ArgumentParser(prog="python -m tests.framework.jobs.run", description=__doc__)
    parser.add_argument("name", choices=JOBS)
    parser.add_argument("configuration")
    parser.add_argument("directory", type=Path, help="the run's, or with --load a checkpoint")
    parser.add_argument("--saves", type=int, default=8)
    parser.add_argument("--load", action="store_true", help="ask the framework for the checkpoint")
    options = parser.parse_args()
    job = job_named(options.name)
    configuration = configuration_of(job, options.configuration)
    directory, log = options.directory.absolute(), Path("/dev/stderr")
    if options.load:
        print(load(job, directory, configuration, log))
        return 0
    ranks = fork_ranks(
        configuration.ranks,
        lambda _: job.train(directory, configuration, options.saves),
        own_group=True,
        log=log,
    )
    return max(os.waitstatus_to_exitcode(os.waitpid(rank, 0)[1]) for rank in ranks)


if __name__ == "__main__":
    sys.exit(main())

"""Start-up of `check` on a small run, as a ratio to `python -c pass` in the same run.

Usage: python -m benchmarks.start_up [RUN_DIRECTORY]

The two are started in turn, A B A B …, so that a drifting machine is fair to both; CPU time
of the finished child counts, and the medians are printed. Run it twice: a checkout without compiled
bytecode pays for compiling.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from statistics import median

from benchmarks.figures import tell

ROUNDS = 21


def cpu_seconds(command: list[str]) -> float:
    """User and system time of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def main() -> None:
    """Prints medians and the ratio."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    run = sys.argv[1] if len(sys.argv) > 1 else f"{here}/sample_runs/lesson/question-1/own_complete"
    check = [sys.executable, "-m", "ckpt_tui", "check", run]
    nothing = [sys.executable, "-c", "pass"]
    pairs = [(cpu_seconds(check), cpu_seconds(nothing)) for _ in range(ROUNDS)]
    print(f"check        {median(a for a, _ in pairs) * 1000:7.1f} ms of CPU")
    print(f"python pass  {median(b for _, b in pairs) * 1000:7.1f} ms of CPU")
    ratio = median(a / b for a, b in pairs)
    tell("start-up of check on a small run", f"{ratio:.1f} × `python -c pass` (CPU)")
    print(f"ratio        {ratio:7.2f}  (median of {ROUNDS} pairs)")


if __name__ == "__main__":
    main()

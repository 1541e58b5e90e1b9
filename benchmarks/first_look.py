"""The first look at thousands of checkpoints, as a ratio to `find -printf` on the same tree.

Usage: python -m benchmarks.first_look [--checkpoints N] [--files N] [--rounds N]
                                       [--formats manifest,hf-trainer,torch-dcp] [--keep DIR]

Writes a tree of each format into a temporary directory (or below DIR, where a tree that is there
already is used again), then runs `find DIR -printf '%p %s %T@\\n'`, a bare `os.scandir` with one
stat per entry in Python, and the store's first look in turn, so that all have the same warm cache
and a drifting machine is fair to them. A look is a process of its own that has looked at one
checkpoint before: imports are paid, and its peak memory is its own. Medians are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.figures import tell
from benchmarks.first_look_trees import WRITERS

_LOOK = "--look"
MOST_RATIOS = {"manifest": 2, "hf-trainer": 2, "torch-dcp": 20}
MOST_MIB = 250
"""What a first look should not exceed: times to `find`, and memory."""


class Measured(NamedTuple):
    """Wall times of one round, in seconds, and the look's peak memory.

    Attributes:
        find: `find -printf`.
        scan: A bare scan in Python: names and one stat each.
        look: The first look, verdicts included.
        find_cpu: CPU time of find, for machines that others use at the same time.
        look_cpu: CPU time of the look.
        cat: `cat` of all files.
        peak_mib: Largest resident size of the process that looked.
        verdicts: Verdict → how many checkpoints have it.
    """

    find: float
    scan: float
    look: float
    find_cpu: float
    look_cpu: float
    cat: float
    peak_mib: float
    verdicts: dict[str, int]


def main() -> None:
    """Writes the trees, measures, prints a table."""
    if _LOOK in sys.argv:
        look_as_child(*sys.argv[2:4])
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoints", type=int, default=2000)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--formats", default=",".join(WRITERS))
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    print("format        find    scan    look   look/find  of CPU  scan/find  peak MiB  verdicts")
    with tempfile.TemporaryDirectory() as temporary:
        for name in options.formats.split(","):
            base = (options.keep or Path(temporary)) / name
            if not base.exists():
                WRITERS[name](base / "run", options.checkpoints, options.files)
                WRITERS[name](base / "one", 1, options.files)
            rounds = [measure(base) for _ in range(options.rounds)]
            print_row(name, rounds)


def measure(base: Path) -> Measured:
    """One round on one tree."""
    run = base / "run"
    find, find_cpu = timed(["find", os.fspath(run), "-printf", r"%p %s %T@\n"])
    scan = scan_seconds(os.fspath(run))
    command = [sys.executable, "-m", "benchmarks.first_look", _LOOK, f"{base}/one", f"{run}"]
    answer = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    look = json.loads(answer)
    wall, cpu = look["seconds"], look["cpu_seconds"]
    cat, _ = timed(["find", os.fspath(run), "-type", "f", "-exec", "cat", "{}", "+"])
    return Measured(find, scan, wall, find_cpu, cpu, cat, look["peak_mib"], look["verdicts"])


def timed(command: list[str]) -> tuple[float, float]:
    """Wall time and CPU time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def scan_seconds(top: str) -> float:
    """What Python alone takes for the same names and stats, nothing kept."""
    start = time.perf_counter()
    pending = [top]
    while pending:
        with os.scandir(pending.pop()) as scan:
            for entry in scan:
                entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    return time.perf_counter() - start


def look_as_child(one: str, run: str) -> None:
    """Looks at a run for the first time and prints what it took, as JSON."""
    from ckpt_tui.store.index import Store  # not needed by the process that measures

    Store(one).look()
    store = Store(run)
    start, cpu_start = time.perf_counter(), time.process_time()
    snapshot = store.look()
    seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    verdicts: dict[str, int] = {}
    for found in snapshot.runs:
        for checkpoint in found.checkpoints:
            verdicts[checkpoint.verdict] = verdicts.get(checkpoint.verdict, 0) + 1
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    answer = {"seconds": seconds, "cpu_seconds": cpu_seconds}
    print(json.dumps(answer | {"peak_mib": peak_mib, "verdicts": verdicts}))


def print_row(name: str, rounds: list[Measured]) -> None:
    """Medians, and medians of the ratios within a round."""
    find, scan, look = (median(r[place] for r in rounds) for place in range(3))
    look_ratio = median(r.look / r.find for r in rounds)
    cpu_ratio = median(r.look_cpu / r.find_cpu for r in rounds)
    scan_ratio = median(r.scan / r.find for r in rounds)
    cat_ratio = median(r.look / r.cat for r in rounds)
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in rounds[0].verdicts.items())
    peak = max(r.peak_mib for r in rounds)
    print(
        f"{name:<11} {find:6.2f}  {scan:6.2f}  {look:6.2f}  {look_ratio:10.1f}"
        f"  {cpu_ratio:6.1f} {scan_ratio:10.2f}"
        f"  {peak:8.0f}  {verdicts}",
        flush=True,
    )
    most = MOST_RATIOS[name]
    measured = f"{look_ratio:.1f} × find, {cat_ratio:.1f} × cat of all files"
    tell(f"first look, {name}", measured, f"{most} × find", look_ratio <= most)
    tell(f"peak memory of it, {name}", f"{peak:.0f} MiB", "250 MiB", peak <= MOST_MIB)


if __name__ == "__main__":
    main()

"""All benchmarks, one after the other, and a table of what they found.

Usage: python -m benchmarks [--quick] [--only NAME,…] [--markdown FILE]

Each is a process of its own and prints ratios to something that it measures in the same run;
lines that begin with `=` go into the table. `--quick` measures less of everything.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import cells_of


class Benchmark(NamedTuple):
    """A module in this directory, with its arguments for a whole and a quick measurement."""

    module: str
    whole: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()


BENCHMARKS = (
    Benchmark("start_up"),
    Benchmark("first_paint", (), ("--checkpoints", "500", "--rounds", "3")),
    Benchmark("first_look", (), ("--checkpoints", "200", "--rounds", "2")),
    Benchmark("second_look", (), ("--checkpoints", "200", "--rounds", "1")),
    Benchmark("slow_server"),
    Benchmark("commit_to_snapshot"),
    Benchmark("burst", (), ("--bursts", "6")),
    Benchmark("idle", (), ("--minutes", "0.5", "--checkpoints", "2000")),
    Benchmark(
        "idle", ("--dashboard",), ("--dashboard", "--minutes", "0.5", "--checkpoints", "2000")
    ),
    Benchmark("soak", (), ("--saves", "240")),
    Benchmark("alarms"),
    Benchmark("rank_grid", (), ("--rounds", "10")),
    Benchmark("tensors", (), ("--tensors", "20000", "--keys", "28")),
    Benchmark("recording", (), ("--frames", "40")),
    Benchmark("dashboard_keys", (), ("--checkpoints", "1000", "--keys", "40")),
    Benchmark("key_to_paint", (), ("--keys", "20")),
    Benchmark("simulation_speed"),
    Benchmark("verify_speed", (), ("--megabytes", "256", "--rounds", "3")),
    Benchmark("bit_rot", (), ("--flips", "300")),
)
_HEAD = ("what", "measured", "target", "")


def main() -> int:
    """Runs them and prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--markdown", type=Path, help="also write the table there")
    options = parser.parse_args()
    chosen = [b for b in BENCHMARKS if options.only is None or b.module in options.only]
    rows: list[list[str]] = []
    failed = []
    for benchmark in chosen:
        print(f"--- {benchmark.module}", flush=True)
        arguments = benchmark.quick if options.quick else benchmark.whole
        code, found = run([sys.executable, "-m", f"benchmarks.{benchmark.module}", *arguments])
        rows += found
        if code:
            failed.append(benchmark.module)
    table = "\n".join(map(markdown_row, [list(_HEAD), ["---"] * len(_HEAD), *rows]))
    print(f"\n{machine()}\n\n{table}")
    if options.markdown:
        options.markdown.write_text(f"{machine()}\n\n{table}\n")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


def run(command: list[str]) -> tuple[int, list[list[str]]]:
    """Runs a benchmark, shows what it prints and keeps its figures."""
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout or ():
            print(line, end="", flush=True)
            cells = cells_of(line)
            if cells is not None:
                found.append(cells)
    return child.returncode, found


def machine() -> str:
    """Where and when this was measured."""
    today = datetime.datetime.now(datetime.UTC).date()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{today}, {cores} cores, {platform.machine()}, {platform.system()} {platform.release()},"
        f" Python {platform.python_version()}, Textual {version('textual')}"
    )


def markdown_row(cells: list[str]) -> str:
    """One line of the table."""
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    raise SystemExit(main())

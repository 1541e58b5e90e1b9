"""The second start with the cache of facts, as a ratio to the first and to `find` on the same tree.

Usage: python -m benchmarks.second_look [--checkpoints N] [--files N] [--rounds N]
                                        [--formats manifest,hf-trainer,torch-dcp]

Writes a tree of each format into a temporary directory, an hour old. A round is `find -printf`, a
first look that fills an empty cache (writing it is not part of its time, and is told apart), and a
second look; each look is a process of its own. Medians are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.figures import tell
from benchmarks.first_look import timed
from benchmarks.first_look_trees import WRITERS, make_old

_CHILD = "--child"


def main() -> None:
    """Writes the trees, measures, prints a table."""
    if _CHILD in sys.argv:
        look_as_child(*sys.argv[2:5])
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoints", type=int, default=2000)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--formats", default=",".join(WRITERS))
    options = parser.parse_args()
    print("format       find s  first s  second s  second/first  second/find  write s  cache MB")
    for name in options.formats.split(","):
        with tempfile.TemporaryDirectory() as top:
            for part, count in (("run", options.checkpoints), ("one", 1)):
                WRITERS[name](Path(top) / part, count, options.files)
            make_old(top)
            print_row(name, [measure(top) for _ in range(options.rounds)])


def measure(top: str) -> tuple[float, float, float, float, float]:
    """Seconds of `find`, of the first look, of the second, of the write; size of the cache."""
    run, cache = f"{top}/run", f"{top}/facts.sqlite"
    find, _ = timed(["find", run, "-printf", r"%p %s %T@\n"])
    if os.path.exists(cache):
        os.unlink(cache)
    command = [sys.executable, "-m", "benchmarks.second_look", _CHILD, f"{top}/one", run, cache]
    answers = [subprocess.check_output(command, text=True) for _ in range(2)]
    (first, write), (second, _) = map(json.loads, answers)
    return find, first, second, write, os.path.getsize(cache) / 1e6


def look_as_child(one: str, run: str, cache_path: str) -> None:
    """Looks with a cache, prints the seconds of the look and of the write that follows."""
    from ckpt_tui.cache.database import CacheDatabase  # not needed by the process that measures
    from ckpt_tui.cache.kept_facts import KeptFacts
    from ckpt_tui.store.index import DEFAULT_LIMITS, Store

    Store(one).look()
    cache = KeptFacts(CacheDatabase(cache_path), DEFAULT_LIMITS)
    store = Store(run, cache=cache)
    start = time.perf_counter()
    store.look()
    looked = time.perf_counter()
    cache.finish(600)
    print(json.dumps([looked - start, time.perf_counter() - looked]))


def print_row(name: str, rounds: list[tuple[float, float, float, float, float]]) -> None:
    """Medians, and medians of the ratios within a round."""
    find, first, second, write, size_mb = (median(column) for column in zip(*rounds, strict=True))
    to_first = median(r[2] / r[1] for r in rounds)
    to_find = median(r[2] / r[0] for r in rounds)
    print(
        f"{name:<11} {find:7.2f} {first:8.2f} {second:9.2f} {to_first:13.2f} {to_find:12.1f}"
        f" {write:8.2f} {size_mb:9.1f}",
        flush=True,
    )
    measured = f"{to_first:.2f} × the first, {to_find:.1f} × find"
    tell(f"second look with the cache, {name}", measured, "0.1 × the first", to_first <= 0.1)


if __name__ == "__main__":
    main()

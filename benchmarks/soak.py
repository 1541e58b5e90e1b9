"""A day of saves and deletions in fast motion: does the memory of the watcher grow?

Usage: python -m benchmarks.soak [--saves N] [--keep N] [--pause S]

A process of its own writes a save each minute of the day (1,440), keeps the last 10, dies in the
middle of every 50th save, and starts again 20 saves earlier at every 200th. The real store and
service watch it, with sweeps every second. Resident size and Python's own memory are printed in the
course of it, and the growth from the first tenth to the end, as a ratio to what was there.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import shutil
import tempfile
import time
import tracemalloc
from pathlib import Path

from benchmarks.figures import tell
from ckpt_tui.store.index import Store
from ckpt_tui.watch.service import WatchService
from tests.store.runs import write_checkpoint

_STEPS_PRINTED = 10
_DIES_EVERY = 50
_RESTARTS_EVERY = 200
_STEPS_LOST = 20


def write_a_day(run: Path, saves: int, keep: int, pause: float) -> None:
    """The job, in a process of its own."""
    step = 0
    for count in range(saves):
        step += 1
        if count and count % _RESTARTS_EVERY == 0:
            step -= _STEPS_LOST
        dies = count % _DIES_EVERY == _DIES_EVERY - 1
        shutil.rmtree(run / f"step-{step}", ignore_errors=True)
        write_checkpoint(run, step, world_size=16, commit=not dies)
        kept = sorted(run.glob("step-*"), key=lambda path: path.stat().st_mtime_ns)
        for old in kept[:-keep]:
            shutil.rmtree(old)
        time.sleep(pause)


def resident_mib() -> float:
    """This process's resident size."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Watches a day and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--saves", type=int, default=1440)
    parser.add_argument("--keep", type=int, default=10)
    parser.add_argument("--pause", type=float, default=0.05)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        run = Path(directory) / "run"
        run.mkdir()
        job = multiprocessing.get_context("fork").Process(
            target=write_a_day, args=(run, options.saves, options.keep, options.pause)
        )
        job.start()
        watch(run, job, options)


def watch(run: Path, job: multiprocessing.process.BaseProcess, options: argparse.Namespace) -> None:
    """Watches the job until it ends; prints a line for each tenth of its time."""
    tracemalloc.start()
    snapshots = 0

    def count(snapshot: object) -> None:
        nonlocal snapshots
        snapshots += 1

    store = Store(os.fspath(run))
    service = WatchService(store, count, sweep_seconds=1.0)
    service.start()
    expected = options.saves * (options.pause + 0.02)
    print("     s   looks  snapshots  checkpoints  resident MiB  Python MiB")
    began, lines = time.monotonic(), []
    while job.is_alive():
        job.join(expected / _STEPS_PRINTED)
        gc.collect()
        python_mib = tracemalloc.get_traced_memory()[0] / 2**20
        lines.append((resident_mib(), python_mib))
        print(
            f"{time.monotonic() - began:6.0f}  {service.status().looks:6}  {snapshots:9}  "
            f"{len(store.snapshot().checkpoints):11}  {lines[-1][0]:12.2f}  {python_mib:10.3f}"
        )
    time.sleep(2.0)
    there = {path.name for path in run.iterdir()}
    shown = {checkpoint.facts.name for checkpoint in store.snapshot().checkpoints}
    print(f"at the end {len(there)} directories, shown rightly: {there == shown}")
    (resident, python), (resident_end, python_end) = lines[0], lines[-1]
    print(f"resident: {resident_end - resident:+.2f} MiB, ratio {resident_end / resident:.3f}")
    print(f"Python's: {python_end - python:+.3f} MiB, ratio {python_end / python:.3f}")
    grown = f"{resident_end - resident:+.1f} MiB resident, {python_end - python:+.1f} MiB Python's"
    tell(f"memory after {options.saves} saves and deletions", grown)
    service.stop()


if __name__ == "__main__":
    main()

"""Saves of 4,096 shards by 16 processes in about a second: is the commit seen, and how soon?

Usage: python -m benchmarks.burst [--bursts N] [--shards N] [--seconds S] [--pause S]
                                  [--keep N] [--formats manifest,torch-dcp] [--poll]

Watches a run with the real store and service while saves come one after another. For each save it
takes the time from the rename that commits it to the snapshot that says so, and all verdicts that
any snapshot gave it: before the commit only `saving` and `uncommitted`, afterwards only `exact`.
In the same run it measures what any observer would need: a loop of bare stats on the marker, and
one bare scan of the checkpoint (names and one stat each) with one read of its marker.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.burst_writers import PLANS, Burst
from benchmarks.figures import tell
from benchmarks.percentiles import percentile
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.store.index import Store
from ckpt_tui.watch.service import WatchService

PATIENCE_SECONDS = 60.0
MOST_MEDIAN_SECONDS, MOST_LAST_SECONDS = 0.25, 1.0
_STAT_PAUSE_SECONDS = 0.001
_UNFINISHED = frozenset({Verdict.SAVING, Verdict.UNCOMMITTED})


class Verdicts:
    """What the snapshots said of each checkpoint, in order, and when it first was exact."""

    def __init__(self) -> None:
        self.said: dict[str, list[Verdict]] = {}
        self._exact_at: dict[str, float] = {}
        self._news = threading.Condition()

    def show(self, snapshot: object) -> None:
        """Takes a snapshot in; called on the watcher's thread."""
        now = time.perf_counter()
        assert isinstance(snapshot, Snapshot)
        with self._news:
            for checkpoint in snapshot.checkpoints:
                said = self.said.setdefault(checkpoint.path, [])
                if said[-1:] != [checkpoint.verdict]:
                    said.append(checkpoint.verdict)
                if checkpoint.verdict is Verdict.EXACT:
                    self._exact_at.setdefault(checkpoint.path, now)
            self._news.notify_all()

    def await_exact(self, path: str) -> float:
        """When the checkpoint was first said to be exact."""
        with self._news:
            if not self._news.wait_for(lambda: path in self._exact_at, PATIENCE_SECONDS):
                raise TimeoutError(f"{path} was missed; verdicts: {self.said.get(path)}")
            return self._exact_at[path]

    def wrong(self) -> dict[str, list[Verdict]]:
        """Checkpoint → its verdicts, of those that were called anything wrong at any moment."""
        return {
            path: said
            for path, said in self.said.items()
            if said[-1] is not Verdict.EXACT or not _UNFINISHED.issuperset(said[:-1])
        }


def measure(name: str, options: argparse.Namespace, run: Path) -> None:
    """One format: all bursts, then a row of the table."""
    plan = PLANS[name](options.shards)
    burst = Burst(plan, options.seconds)
    verdicts = Verdicts()
    service = WatchService(Store(os.fspath(run)), verdicts.show, force_poll=options.poll)
    service.start()
    delays, durations, stats, scans = [], [], [], []
    cpu_before, began = _cpu_seconds(), time.perf_counter()
    for index in range(options.bursts):
        started = time.perf_counter()
        marker = run / f"step-{10 + index}" / plan.commit_name
        found: list[float] = []
        with_stat = index % 5 == 4  # rarely, as the loop itself takes from the watcher's time
        loop = threading.Thread(target=_stat_until_there, args=(marker, found))
        if with_stat:
            loop.start()
        directory, committed_at = burst.save(run, 10 + index)
        durations.append(committed_at - started)
        delay = verdicts.await_exact(os.fspath(directory)) - committed_at
        if with_stat:
            loop.join()
            stats.append(found[0] - committed_at)
        else:
            delays.append(delay)
        scans.append(_bare_scan_seconds(directory, plan.commit_name))
        time.sleep(options.pause)
        if index >= options.keep:
            shutil.rmtree(run / f"step-{10 + index - options.keep}")
    busy = (_cpu_seconds() - cpu_before) / (time.perf_counter() - began)
    status = service.status()
    service.stop()
    burst.close()
    middle, scan = statistics.median(delays), statistics.median(scans)
    print(f"{name}: {len(plan.shards)} shards, {options.bursts} bursts, mode {status.mode}")
    print(f"  a burst takes {statistics.median(durations):.2f} s (median)")
    print(
        f"  commit -> snapshot: median {middle * 1e3:.0f} ms, "
        f"p99 {percentile(delays, 99) * 1e3:.0f} ms, worst {max(delays) * 1e3:.0f} ms"
    )
    print(
        f"  bare scan + read of the marker: median {scan * 1e3:.1f} ms, ratio {middle / scan:.1f};"
        f" bare stat loop: {statistics.median(stats) * 1e3 if stats else float('nan'):.1f} ms"
    )
    print(f"  {status.looks} looks; this process used {busy:.0%} of a core, writers not counted")
    wrong = verdicts.wrong()
    print(f"  missed 0; wrongly judged at any moment: {len(wrong)} {wrong or ''}")
    last = percentile(delays, 99)
    tell(
        f"commit of {len(plan.shards)} shards in a burst to a new picture, {name}",
        f"median {middle * 1e3:.0f} ms, p99 {last * 1e3:.0f} ms, {middle / scan:.0f} × a bare scan",
        "250 ms, 1 s",
        middle <= MOST_MEDIAN_SECONDS and last <= MOST_LAST_SECONDS,
    )
    tell(f"wrong verdicts at any moment of it, {name}", str(len(wrong)), "0", not wrong)


def _stat_until_there(path: Path, found: list[float]) -> None:
    while not path.exists():
        time.sleep(_STAT_PAUSE_SECONDS)
    found.append(time.perf_counter())


def _bare_scan_seconds(directory: Path, marker: str) -> float:
    began = time.perf_counter()
    with os.scandir(directory) as entries:
        for entry in entries:
            entry.stat()
    (directory / marker).read_bytes()
    return time.perf_counter() - began


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measures each format and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bursts", type=int, default=40)
    parser.add_argument("--shards", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between two saves")
    parser.add_argument("--keep", type=int, default=3)
    parser.add_argument("--formats", default=",".join(PLANS))
    parser.add_argument("--poll", action="store_true")
    options = parser.parse_args()
    for name in options.formats.split(","):
        with tempfile.TemporaryDirectory() as directory:
            measure(name, options, Path(directory))


if __name__ == "__main__":
    main()

"""What watching costs where nothing happens, with thousands of checkpoints known.

Usage: python -m benchmarks.idle [--checkpoints N] [--files N] [--minutes M] [--poll] [--keep DIR]
                                 [--dashboard]

Writes a tree of our own format, an hour old, lets the real store and service take it in, and
measures the CPU time of this process over some minutes, as a share of one core and as a ratio to a
process that does nothing but wait for as long (the same interpreter, with a thread that wakes every
2 s). It also counts the files that were opened and the calls of the file system. The paces are the
real ones, so that a few minutes hold several sweeps; the full look, at most once in an hour for so
large a tree, is measured apart, and its share is added.

With `--dashboard` it is the whole program in a pseudo-terminal of 120 x 40, screen included, as a
ratio to a bare Textual app that shows one word. In a run that is still written to it costs more:
ages below a minute change each second.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.figures import tell
from benchmarks.first_look_trees import make_old, write_manifest_run
from benchmarks.idle_dashboard import dashboard_idle
from ckpt_tui.fs import calls
from ckpt_tui.fs.asking import call_count
from ckpt_tui.fs.system import System
from ckpt_tui.store.index import Store
from ckpt_tui.watch.service import WatchService

_WAKE_SECONDS = 2.0
_FULL_EVERY_SECONDS = 3600.0
_SETTLE_SECONDS = 30.0
"""The first look and what follows it are no idling."""
MOST_SHARE = 0.01


class CountingSystem(System):
    """The real system, which counts the files that are opened."""

    opened = 0

    def open(self, path: str, flags: int) -> int:
        self.opened += 1
        return super().open(path, flags)


def main() -> None:
    """Writes, waits, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoints", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--poll", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--dashboard", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        run = (options.keep or Path(temporary)) / "run"
        if not run.exists():
            write_manifest_run(run, options.checkpoints, options.files)
            make_old(os.fspath(run))
        if options.dashboard:
            measure_dashboard(run, options)
            return
        bare = cpu_share(options.minutes * 60 / 4, wake_now_and_then)
        system = CountingSystem()
        with calls.replaced(system):
            measure(run, options, system, bare)


def measure(run: Path, options: argparse.Namespace, system: CountingSystem, bare: float) -> None:
    """Watches the run and prints what that costs."""
    store = Store(os.fspath(run))
    snapshots: list[object] = []
    service = WatchService(store, snapshots.append, force_poll=options.poll)
    service.start()
    began = time.perf_counter()
    while service.status().looks < 1:
        time.sleep(0.1)
    print(f"first look: {time.perf_counter() - began:.1f} s; {len(store.snapshot().checkpoints)}")
    time.sleep(5.0)
    opened, asked, looks = system.opened, call_count(), service.status().looks
    seconds = options.minutes * 60
    share = cpu_share(seconds, None)
    status = service.status()
    print(f"mode {status.mode}; {status.looks - looks} looks, {len(snapshots)} snapshots")
    print(f"files opened: {system.opened - opened}")
    print(f"calls of the file system: {(call_count() - asked) / seconds:.1f} per second")
    service.stop()
    cpu = time.process_time()
    store.look()
    full = time.process_time() - cpu
    print(f"idle CPU: {share:.3%} of a core; a bare process that waits: {bare:.3%}")
    print(f"full look: {full:.2f} s of CPU, in an hour {full / _FULL_EVERY_SECONDS:.3%}")


def measure_dashboard(run: Path, options: argparse.Namespace) -> None:
    """Leaves the dashboard and a bare app alone for as long, and prints what each costs."""
    dashboard, bare = dashboard_idle(run, _SETTLE_SECONDS, options.minutes * 60)
    ratio = dashboard.cpu_share / bare.cpu_share if bare.cpu_share else float("inf")
    tell(
        f"idle dashboard, {options.checkpoints} checkpoints",
        f"{dashboard.cpu_share:.2%} of a core, {ratio:.1f} x a bare app ({bare.cpu_share:.2%});"
        f" {dashboard.bytes_per_second:.0f} bytes/s to the terminal",
        f"< {MOST_SHARE:.0%}",
        dashboard.cpu_share < MOST_SHARE,
    )


def wake_now_and_then(stop: threading.Event) -> None:
    """What any program does at the least that checks something every 2 s."""
    while not stop.wait(_WAKE_SECONDS):
        pass


def cpu_share(seconds: float, work: object) -> float:
    """CPU time of this process over some time, as a share of one core."""
    stop = threading.Event()
    if callable(work):
        threading.Thread(target=work, args=(stop,), daemon=True).start()
    cpu, began = time.process_time(), time.perf_counter()
    stop.wait(seconds)
    share = (time.process_time() - cpu) / (time.perf_counter() - began)
    stop.set()
    return share


if __name__ == "__main__":
    main()

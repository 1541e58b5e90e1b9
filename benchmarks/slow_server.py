"""Looking at a slow file server, as ratios to `find -printf` on the same slow tree.

Usage: python -m benchmarks.slow_server [--delay-ms MS] [--checkpoints N] [--files N]
                                        [--poll-seconds S]

A FUSE file system (see `tests/network/fuse_server.py`; it needs root and /dev/fuse) answers each
request MS milliseconds late, many at the same time, as a file server does. Measured are `find`, the
time to the first rows and to the end of a first look, a second full look, and what polling then
asks: calls per second, next to what `find` every two seconds would ask. The server takes a share
of the processor too, so its own speed bounds what reading side by side can gain.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.figures import tell
from benchmarks.first_look_trees import WRITERS
from ckpt_tui.fs.asking import call_count
from ckpt_tui.store.index import Store
from ckpt_tui.watch.service import WatchService
from tests.network.fuse_mount import FuseMount


def main() -> None:
    """Writes a tree, mounts it slowly, measures, prints a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay-ms", type=float, default=0.4)
    parser.add_argument("--checkpoints", type=int, default=300)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--poll-seconds", type=float, default=30.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        source, mount_point = Path(temporary, "exported"), Path(temporary, "mounted")
        WRITERS["manifest"](source / "run", options.checkpoints, options.files)
        mount_point.mkdir()
        mount = FuseMount(source, mount_point)
        if mount.refusal:
            raise SystemExit(mount.refusal)
        try:
            measure(mount, options.delay_ms / 1000, options.poll_seconds)
        finally:
            mount.close()


def measure(mount: FuseMount, delay_seconds: float, poll_seconds: float) -> None:
    """One round of everything."""
    root = os.fspath(mount.path / "run")
    mount.behave(delay_seconds=delay_seconds)
    find = timed_find(root)
    row("find -printf", find, find)
    store = Store(root)
    first_rows: list[float] = []
    began, calls = time.perf_counter(), call_count()
    store.look(show=lambda picture: first_rows.append(time.perf_counter() - began))
    look = time.perf_counter() - began
    row("first rows", first_rows[0] if first_rows else look, find)
    row("first look, verdicts included", look, find)
    print(f"{'':<32}{call_count() - calls:>8} calls of this process")
    began, calls = time.perf_counter(), call_count()
    store.look()
    row("second full look", time.perf_counter() - began, find)
    print(f"{'':<32}{call_count() - calls:>8} calls of this process")
    poll(root, poll_seconds, len(store.snapshot().checkpoints))


def timed_find(root: str) -> float:
    """Wall time of `find` with sizes and times."""
    began = time.perf_counter()
    subprocess.run(["find", root, "-printf", r"%p %s %T@\n"], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def poll(root: str, seconds: float, checkpoints: int) -> None:
    """Watches by polling for a while; prints the calls of the quiet time after the first look."""
    shown = threading.Event()
    service = WatchService(Store(root), lambda picture: shown.set(), force_poll=True)
    service.start()
    while service.status().looks == 0:
        time.sleep(0.05)
    calls, looks, began = call_count(), service.status().looks, time.perf_counter()
    time.sleep(seconds)
    rate = (call_count() - calls) / (time.perf_counter() - began)
    status = service.status()
    print(
        f"polling {checkpoints} checkpoints: {rate:.1f} calls/s, {status.looks - looks} looks"
        f" in {seconds:g} s, rest {status.rest_seconds or 'as usual'}"
    )
    service.stop()
    tell(f"slow file server, polling {checkpoints} checkpoints", f"{rate:.0f} calls/s")


def row(name: str, seconds: float, find: float) -> None:
    """One line of the table."""
    print(f"{name:<32}{seconds:8.2f} s {seconds / find:8.2f} x find", flush=True)
    tell(f"slow file server, {name}", f"{seconds / find:.2f} × find")


if __name__ == "__main__":
    main()

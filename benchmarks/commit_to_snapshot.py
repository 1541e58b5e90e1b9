"""How long after a commit (a rename) the watcher hands out the new snapshot.

Measures the service against the quickest that is possible at all without events: a loop that does
nothing but stat the final name, in the same process and the same run. Prints both medians and
their ratio. Run: ``python -m benchmarks.commit_to_snapshot [COMMITS]``.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.figures import tell
from ckpt_tui.watch.debounce import QUIET_SECONDS
from ckpt_tui.watch.service import WatchService

PATIENCE_SECONDS = 10.0
STAT_PAUSE_SECONDS = 0.001


class NamesStore:
    """The names in one directory, so that looking itself costs nothing worth measuring."""

    def __init__(self, root: str) -> None:
        self._root = root

    def look(self, dirty: frozenset[str] | None = None, show: object = None) -> object:
        return frozenset(os.listdir(self._root))

    def hot_paths(self) -> tuple[str, ...]:
        return (self._root,)

    def growing_paths(self) -> tuple[str, ...]:
        return ()

    def run_paths(self) -> tuple[str, ...]:
        return ()

    def awaited_markers(self) -> tuple[str, ...]:
        return ()

    def checkpoint_paths(self) -> tuple[str, ...]:
        return ()

    def directories(self) -> tuple[str, ...]:
        return ()

    def expect_stale(self, seconds: float) -> None:
        pass

    def roots(self) -> tuple[str, ...]:
        return (self._root,)

    def saving(self) -> bool:
        return False


class Arrivals:
    """When each name was first in a snapshot."""

    def __init__(self) -> None:
        self._seen_at: dict[str, float] = {}
        self._news = threading.Condition()

    def show(self, snapshot: object) -> None:
        now = time.perf_counter()
        with self._news:
            if isinstance(snapshot, frozenset):
                for name in snapshot:
                    self._seen_at.setdefault(name, now)
            self._news.notify_all()

    def await_name(self, name: str) -> float:
        with self._news:
            if not self._news.wait_for(lambda: name in self._seen_at, PATIENCE_SECONDS):
                raise TimeoutError(f"{name} was not seen within {PATIENCE_SECONDS} s")
            return self._seen_at[name]


def stat_until_there(path: Path, found: list[float]) -> None:
    while not path.exists():
        time.sleep(STAT_PAUSE_SECONDS)
    found.append(time.perf_counter())


def measure_stat_loop(root: Path, commits: int) -> list[float]:
    delays = []
    for index in range(commits):
        staging, final = root / f"raw-{index}.tmp", root / f"raw-{index}"
        staging.touch()
        found: list[float] = []
        loop = threading.Thread(target=stat_until_there, args=(final, found))
        loop.start()
        time.sleep(0.01)
        committed = time.perf_counter()
        staging.rename(final)
        loop.join()
        delays.append(found[0] - committed)
    return delays


def measure_service(root: Path, commits: int) -> list[float]:
    arrivals = Arrivals()
    service = WatchService(NamesStore(str(root)), arrivals.show)
    service.start()
    delays = []
    for index in range(commits):
        staging, final = root / f"step-{index}.tmp", root / f"step-{index}"
        staging.touch()
        arrivals.await_name(staging.name)
        committed = time.perf_counter()
        staging.rename(final)
        delays.append(arrivals.await_name(final.name) - committed)
    status = service.status()
    service.stop()
    print(f"mode {status.mode}: {status.reason}; {status.looks} looks")
    return delays


def main() -> None:
    commits = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    with tempfile.TemporaryDirectory() as directory:
        raw = statistics.median(measure_stat_loop(Path(directory), commits))
        service = measure_service(Path(directory), commits)
    middle = statistics.median(service)
    print(f"stat loop:     median {raw * 1e3:8.2f} ms")
    print(f"watch service: median {middle * 1e3:8.2f} ms, worst {max(service) * 1e3:.2f} ms")
    tell(
        "rename to a new picture, local disk",
        f"{middle * 1e3:.0f} ms, {middle / raw:.0f} × a bare stat loop",
        "250 ms",
        middle <= 0.25,
    )
    print(f"ratio {middle / raw:.1f}; of the median, {QUIET_SECONDS * 1e3:.0f} ms are the debounce")


if __name__ == "__main__":
    main()

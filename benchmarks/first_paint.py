"""From starting the dashboard to the first row on the screen, as a ratio to a bare Textual app.

Usage: python -m benchmarks.first_paint [--checkpoints N] [--rounds N]

Each is started in a pseudo-terminal of 120 x 40, in turn; the clock stops when the text that is
waited for is on the screen: the bare app's one word, the newest checkpoint's title in the header of
the dashboard. Measured on a directory of a few checkpoints and on one of thousands.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.figures import tell
from benchmarks.first_look_trees import write_manifest_run
from benchmarks.terminal import BARE, Terminal

FILES = 12


def seconds_until(command: list[str], seen: bytes) -> float:
    """Wall time from the start of a command until these bytes are on its terminal."""
    start = time.perf_counter()
    with Terminal(command) as terminal:
        terminal.wait_for(seen)
        return time.perf_counter() - start


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoints", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    python = sys.executable
    with tempfile.TemporaryDirectory() as temporary:
        commands = {"bare Textual app": ([python, "-c", BARE], b"ready-to-go")}
        for count in (10, options.checkpoints):
            run = Path(temporary) / f"run-{count}"
            write_manifest_run(run, count, FILES)
            title = f"step {count * 10}".encode()
            commands[f"{count} checkpoints"] = ([python, "-m", "ckpt_tui", str(run)], title)
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, (command, seen) in commands.items():
                taken[name].append(seconds_until(command, seen))
    bare = taken["bare Textual app"]
    print("                     first row   ratio to a bare Textual app's first paint")
    for name, seconds in taken.items():
        ratio = median(a / b for a, b in zip(seconds, bare, strict=True))
        print(f"{name:<20} {median(seconds) * 1000:6.0f} ms   {ratio:5.2f}")
        if seconds is not bare:
            tell(f"start to the first row, {name}", f"{ratio:.1f} × a bare Textual app's paint")


if __name__ == "__main__":
    main()

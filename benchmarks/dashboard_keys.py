"""From a key in the dashboard to the last byte of the repaint, with thousands of checkpoints.

Usage: python -m benchmarks.dashboard_keys [--checkpoints N] [--keys N]

The whole program in a pseudo-terminal of 120 x 40, on a run of our own format that is an hour old.
The keys that hands press most are pressed one after the other; the clock stops at the last byte
before a silence. Each key is pressed where it changes something: else the clock would wait for the
line that tells the time, once a second. The ratio is to a bare Textual application that shows the
key.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.figures import tell
from benchmarks.first_look_trees import make_old, write_manifest_run
from benchmarks.percentiles import percentile
from benchmarks.terminal import BARE, Key, Terminal, times_of_keys

FILES = 12
SILENCE_SECONDS = 0.1
SETTLING_SECONDS = 15.0
MOST_MEDIAN_MS, MOST_P99_MS = 50.0, 150.0
KEYS = {
    "down": Key(b"j", before=b"g"),
    "up": Key(b"k", before=b"j"),
    "half a page": Key(b"\x04", before=b"g"),
    "to the bottom": Key(b"G", before=b"g"),
    "to the top": Key(b"g", before=b"G"),
    "next column sorts": Key(b"s"),
    "order turned": Key(b"S"),
    "another tab": Key(b"2"),
    "tab by state": Key(b"0"),
    "filter, a letter": Key(b"3", before=b"/", after=b"\x1b"),
}


def pressed(terminal: Terminal, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each key; keys are pressed in turn."""
    found = [times_of_keys(terminal, KEYS, SILENCE_SECONDS) for _ in range(rounds)]
    return {name: [each[name] for each in found] for name in KEYS}


def main() -> None:
    """Writes, presses, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoints", type=int, default=10_000)
    parser.add_argument("--keys", type=int, default=200, help="how many in all")
    options = parser.parse_args()
    rounds = max(2, options.keys // len(KEYS))
    with Terminal([sys.executable, "-c", BARE]) as bare:
        bare.wait_for(b"ready-to-go")
        bare.drain(1.0)
        plain = [ms for times in pressed(bare, rounds).values() for ms in times]
    with tempfile.TemporaryDirectory() as temporary:
        run = Path(temporary) / "run"
        write_manifest_run(run, options.checkpoints, FILES)
        make_old(run)
        with Terminal([sys.executable, "-m", "ckpt_tui", str(run)]) as terminal:
            terminal.wait_for(f"step {options.checkpoints * 10}".encode())
            terminal.swallow(SETTLING_SECONDS)
            times = pressed(terminal, rounds)
    print(f"{'key':<20} {'median':>8} {'99 %':>8}   ms, {rounds} presses each")
    for name, each in times.items():
        print(f"{name:<20} {median(each):8.1f} {percentile(each, 99):8.1f}")
    every = [ms for each in times.values() for ms in each]
    middle, most, bare_ms = median(every), percentile(every, 99), median(plain)
    print(f"{'all':<20} {middle:8.1f} {most:8.1f}   bare Textual app: {bare_ms:.1f} ms")
    tell(
        f"key to paint, {options.checkpoints:,} checkpoints",
        f"median {middle:.1f} ms, 99 % {most:.1f} ms, {middle / bare_ms:.1f} × a bare Textual app",
        f"{MOST_MEDIAN_MS:.0f} ms, {MOST_P99_MS:.0f} ms",
        middle <= MOST_MEDIAN_MS and most <= MOST_P99_MS,
    )


if __name__ == "__main__":
    main()

"""The Tensors tab and `show` with a hundred thousand tensors.

    python -m benchmarks.tensors [--tensors N] [--keys N]

Listing the tensors of one safetensors file is compared with `json.loads` of its header, that of a
DCP checkpoint over eight ranks with `cat` of its `.metadata`. Then the whole program runs in a
pseudo-terminal of 120 x 40, and the keys of the list are pressed; the clock stops at the last byte
before a silence.
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
from typing import TYPE_CHECKING

from benchmarks.figures import tell
from benchmarks.percentiles import percentile
from benchmarks.terminal import Key, Terminal, presses, times_of_keys
from ckpt_tui.cli.looking import Look, look_at
from ckpt_tui.core.tensors_totals import totals_of
from ckpt_tui.formats.tensors import tensors_of
from tests.formats.sharded_builder import Sharded, write_sharded

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.checkpoint import Checkpoint

RANKS = 8
MOST_TIMES_JSON = 3.0
MOST_MEDIAN_MS, MOST_P99_MS = 50.0, 150.0
SILENCE_SECONDS = 0.2
KEYS = {
    "down": Key(b"j"),
    "half a page": Key(b"\x04"),
    "to the bottom": Key(b"G"),
    "to the top": Key(b"g"),
    "next column sorts": Key(b"s"),
    "order turned": Key(b"S"),
    "search, a letter": Key(b"q", before=b"/", after=b"\x1b"),
}


def write_safetensors(directory: Path, tensors: int) -> Path:
    """An export of so many tensors; the file is a hole behind its header."""
    directory.mkdir()
    header, end = {}, 0
    for number in range(tensors):
        rows = number % 7 + 1
        name = (
            f"model.layers.{number // 12}.self_attn.{'qkvo'[number % 4]}_proj{number % 12}.weight"
        )
        begin, end = end, end + rows * 64 * 2
        header[name] = {"dtype": "BF16", "shape": [rows, 64], "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with (directory / "model.safetensors").open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + end)
    (directory / "config.json").write_text("{}")
    return directory


def write_dcp(directory: Path, tensors: int) -> Path:
    """A model and its optimizer; every eighth tensor is split over all ranks."""
    parts = ("", ".exp_avg", ".exp_avg_sq")
    everyone = tuple(range(RANKS))

    def key(number: int) -> str:
        prefix = "optimizer.state" if number % 3 else "model"
        return f"{prefix}.layers.{number // 36}.w{number // 3 % 12}{parts[number % 3]}"

    split = {
        key(n): Sharded(64, 16, everyone if n % 8 == 0 else (n % RANKS,)) for n in range(tensors)
    }
    return write_sharded(directory, split)


def seconds_of(work: Callable[[], object], rounds: int = 3) -> float:
    """The best of several."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def checkpoint_at(path: Path) -> Checkpoint:
    """What a look makes of it."""
    return look_at((str(path),), Look(settle_seconds=0))[0].checkpoints[0]


def measure_listing(directory: Path, tensors: int) -> None:
    """Times of the listings, by ratio."""
    plain = checkpoint_at(write_safetensors(directory / "export", tensors))
    data = (directory / "export" / "model.safetensors").read_bytes()
    text = data[8 : 8 + int.from_bytes(data[:8], "little")]
    listed, parsed = seconds_of(lambda: tensors_of(plain)), seconds_of(lambda: json.loads(text))
    tell(
        f"tensors of a safetensors file, {tensors:,}",
        f"{listed:.2f} s, {listed / parsed:.1f} × json.loads of its header",
        f"{MOST_TIMES_JSON:.0f} ×",
        listed <= MOST_TIMES_JSON * parsed,
    )
    sharded = checkpoint_at(write_dcp(directory / "dcp" / "step-10", tensors))
    index = directory / "dcp" / "step-10" / ".metadata"
    listed = seconds_of(lambda: tensors_of(sharded), 1)
    cat = seconds_of(lambda: subprocess.run(["cat", index], stdout=subprocess.DEVNULL, check=True))
    listing = tensors_of(sharded)
    tell(
        f"tensors of a DCP checkpoint, {tensors:,}",
        f"{listed:.2f} s, {listed / cat:,.0f} × cat of .metadata"
        f" ({index.stat().st_size / 2**20:.0f} MiB)",
    )
    summed = seconds_of(lambda: totals_of(listing.tensors))
    tell(f"totals of {len(listing.tensors):,} tensors", f"{summed * 1e3:.0f} ms")


def cpu_seconds(pid: int) -> float:
    """What a process has used of the processors."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_keys(directory: Path, tensors: int, rounds: int) -> None:
    """Key to paint in the list."""
    times: dict[str, list[float]] = {name: [] for name in KEYS}
    with Terminal([sys.executable, "-m", "ckpt_tui", str(directory / "export")]) as terminal:
        terminal.wait_for(b"weights-only")
        terminal.swallow(2.0)
        terminal.type(b"5")
        first = terminal.wait_for(b"elements")
        terminal.swallow(6.0)
        terminal.press(b"\t", SILENCE_SECONDS)
        before = cpu_seconds(terminal.pid)
        for _ in range(rounds):
            terminal.type(b"g")  # every key below then changes something
            terminal.swallow(SILENCE_SECONDS)
            for name, ms in times_of_keys(terminal, KEYS, SILENCE_SECONDS).items():
                times[name].append(ms)
        spent = cpu_seconds(terminal.pid) - before
    for name, each in times.items():
        print(f"{name:<20} {median(each):8.1f} {percentile(each, 99):8.1f}   ms")
    every = [ms for each in times.values() for ms in each]
    tell(f"tab of {tensors:,} tensors", f"first lines after {first * 1e3:.0f} ms")
    pressed = rounds * (1 + presses(KEYS))
    tell(f"a key among {tensors:,} tensors", f"{spent / pressed * 1e3:.0f} ms of CPU")
    tell(
        f"key to paint, {tensors:,} tensors",
        f"median {median(every):.1f} ms, 99 % {percentile(every, 99):.1f} ms",
        f"{MOST_MEDIAN_MS:.0f} ms, {MOST_P99_MS:.0f} ms",
        median(every) <= MOST_MEDIAN_MS and percentile(every, 99) <= MOST_P99_MS,
    )


def main() -> None:
    """Writes, lists, presses, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tensors", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=70, help="how many in all")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = Path(temporary)
        measure_listing(directory, options.tensors)
        measure_keys(directory, options.tensors, max(2, options.keys // len(KEYS)))


if __name__ == "__main__":
    main()

"""Kills a writer with SIGKILL when a checkpoint has reached a share of its bytes.

    python kill.py VICTIM WHOLE --at 0.4 -- COMMAND...

VICTIM is the checkpoint in whose save the writer dies, WHOLE an earlier one of the same run: the
kill comes when VICTIM holds `--at` times the bytes of WHOLE. Everything that COMMAND started dies
with it. Exit code 1 if the command ended before.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

POLL_SECONDS = 0.0005


def size_bytes(path: Path) -> int:
    """Bytes of a file, or of all files below a directory; 0 while it is not there."""
    try:
        if path.is_file():
            return path.stat().st_size
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    except FileNotFoundError:
        return 0


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                found.extend(map(int, task.read_text().split()))
            except OSError:  # ended meanwhile
                continue
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("victim", type=Path)
    parser.add_argument("whole", type=Path)
    parser.add_argument("--at", type=float, default=0.5, help="share of the whole one's bytes")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    writer = subprocess.Popen(options.command)
    while writer.poll() is None:
        written = size_bytes(options.victim)
        if written and written >= options.at * size_bytes(options.whole):
            for pid in family(writer.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            writer.wait()
            print(f"killed at {size_bytes(options.victim)} bytes", file=sys.stderr)
            return 0
        time.sleep(POLL_SECONDS)
    return 1


if __name__ == "__main__":
    sys.exit(main())

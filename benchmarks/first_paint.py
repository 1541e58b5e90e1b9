"""From starting the dashboard to the first row on the screen, as a ratio to a bare Textual app.

Usage: python -m benchmarks.first_paint [--checkpoints N] [--rounds N]

Each is started in a pseudo-terminal of 120 x 40, in turn; the clock stops when the text that is
waited for is on the screen: the bare app's one word, the newest checkpoint's title in the header of
the dashboard. Measured on a directory of a few checkpoints and on one of thousands.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from statistics import median

from benchmarks.figures import tell
from benchmarks.first_look_trees import write_manifest_run

COLUMNS, ROWS = 120, 40
LONGEST_WAIT_SECONDS = 60.0
FILES = 12
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("ready-to-go")
Bare().run()
"""


def seconds_until(command: list[str], seen: bytes) -> float:
    """Wall time from the start of a command until these bytes are on its terminal."""
    start = time.perf_counter()
    pid, fd = pty.fork()
    if pid == 0:
        extra = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "CKPT_TUI_HISTORY": "0"}
        os.execve(command[0], command, {**os.environ, **extra, "CKPT_TUI_CACHE": "0"})
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    screen = b""
    while seen not in screen:
        if time.perf_counter() - start > LONGEST_WAIT_SECONDS:
            raise TimeoutError(f"{seen!r} did not come: {screen[-200:]!r}")
        if select.select([fd], [], [], 1.0)[0]:
            screen += os.read(fd, 1 << 16)
    took = time.perf_counter() - start
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(fd)
    return took


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

"""From a key in the planner's interval field to the last byte of the repaint.

Two copies of one small application run in pseudo-terminals of 120 x 40; the one has the planner as
it is, from the other the curve was taken out. A digit is typed into each in turn, which changes the
table, the answer and the curve's range; the clock stops at the last byte before a silence.

    python -m benchmarks.key_to_paint [--keys 60]

Prints both medians and their ratio; exit code 1 if the ratio is above 1.3.
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
import termios
import time
from pathlib import Path
from statistics import median, quantiles

from textual.app import App, ComposeResult

from ckpt_tui import tui
from ckpt_tui.tui.planner.curve_view import CurveView
from ckpt_tui.tui.planner.panel import PlannerPanel

COLUMNS, ROWS = 120, 40
MOST_RATIO = 1.3
SILENCE_SECONDS = 0.12
SETTLING_SECONDS = 1.0
START_SILENCE_SECONDS = 2.5
LONGEST_WAIT_SECONDS = 20.0
WARM_UP_KEYS = 5
DIGIT, BACKSPACE, END = b"7", b"\x7f", b"\x1b[F"


class PlannerApp(App[None]):
    """Nothing but the planner, its interval field ready to be typed in."""

    CSS_PATH = Path(tui.__path__[0]) / "app.tcss"
    CSS = "#planner { display: block; }"

    def __init__(self, with_curve: bool) -> None:
        super().__init__()
        self._with_curve = with_curve

    def compose(self) -> ComposeResult:
        yield PlannerPanel()

    def on_ready(self) -> None:
        self.set_timer(SETTLING_SECONDS, self._prepare)

    async def _prepare(self) -> None:
        if not self._with_curve:
            await self.query(CurveView).remove()
        self.query_one("#intervals_minutes").focus()


class Terminal:
    """A child with the application behind a pseudo-terminal."""

    def __init__(self, variant: str) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
            code = [sys.executable, "-m", "benchmarks.key_to_paint", "--child", variant]
            os.execv(sys.executable, code)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def drain(self, silence: float) -> tuple[float, int]:
        """Reads until nothing has come for so long; when the last byte came, and how many came."""
        last, count = time.perf_counter(), 0
        deadline = last + LONGEST_WAIT_SECONDS
        while time.perf_counter() < deadline:
            readable, _, _ = select.select([self.fd], [], [], silence)
            if not readable:
                break
            count += len(os.read(self.fd, 1 << 16))
            last = time.perf_counter()
        return last, count

    def press(self, key: bytes) -> tuple[float, int]:
        """Seconds from the key to the last byte of what it changed, and the bytes."""
        start = time.perf_counter()
        os.write(self.fd, key)
        select.select([self.fd], [], [], LONGEST_WAIT_SECONDS)
        last, count = self.drain(SILENCE_SECONDS)
        return last - start, count

    def close(self) -> None:
        """Ends the child."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def measure(keys: int) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Times of the digit key and bytes of the last repaint, by variant; presses alternate."""
    terminals = {variant: Terminal(variant) for variant in ("curve", "plain")}
    times: dict[str, list[float]] = {variant: [] for variant in terminals}
    sizes: dict[str, int] = {}
    try:
        for terminal in terminals.values():
            terminal.drain(START_SILENCE_SECONDS)
            terminal.press(END)
        for number in range(WARM_UP_KEYS + keys):
            order = list(terminals) if number % 2 else list(reversed(terminals))
            for variant in order:
                seconds, sizes[variant] = terminals[variant].press(DIGIT)
                terminals[variant].press(BACKSPACE)
                if number >= WARM_UP_KEYS:
                    times[variant].append(seconds)
    finally:
        for terminal in terminals.values():
            terminal.close()
    return times, sizes


def main() -> int:
    """Measures and prints; the child mode runs the application instead."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=60, help="digits typed into each copy")
    parser.add_argument("--child", choices=("curve", "plain"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        PlannerApp(options.child == "curve").run()
        return 0
    times, sizes = measure(options.keys)
    for variant, seconds in times.items():
        p95 = quantiles(seconds, n=20)[-1]
        print(
            f"{variant}: median {median(seconds) * 1e3:.1f} ms, 95 % {p95 * 1e3:.1f} ms, "
            f"{len(seconds)} keys, {sizes[variant]} bytes a repaint"
        )
    ratio = median(times["curve"]) / median(times["plain"])
    print(f"ratio of the medians: {ratio:.2f} (at most {MOST_RATIO})")
    return int(ratio > MOST_RATIO)


if __name__ == "__main__":
    sys.exit(main())

"""From a key in the planner's interval field to the last byte of the repaint.

Two copies of one small application run in pseudo-terminals of 120 x 40; the one has the planner as
it is, from the other the curve was taken out. A digit is typed into each in turn, which changes the
table, the answer and the curve's range; the clock stops at the last byte before a silence.

    python -m benchmarks.key_to_paint [--keys 60] [--simulating]

Prints both medians and their ratio; exit code 1 if the ratio is above 1.3. With `--simulating` both
have the curve, and the one simulates runs all the time. Its progress line never falls silent, so
that the clock of both stops when the digit is seen in its field.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median, quantiles

from textual.app import App, ComposeResult

from benchmarks.figures import tell
from benchmarks.terminal import Terminal
from ckpt_tui import tui
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.tui.planner.curve_view import CurveView
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.planner.simulating import SimulationView

MOST_RATIO = 1.3
SILENCE_SECONDS = 0.12
SETTLING_SECONDS = 1.0
START_SILENCE_SECONDS = 2.5
WARM_UP_KEYS = 5
CURVE, PLAIN, SIMULATING = "curve", "plain", "simulating"
LONG_RUN = PlanInputs(run_minutes=54 * 1440, fault_rate_per_hour=0.32, intervals_minutes=(30,))
AFTER_DIGIT = b"1207"
DIGIT, BACKSPACE, END = b"7", b"\x7f", b"\x1b[F"


class PlannerApp(App[None]):
    """Nothing but the planner, its interval field ready to be typed in."""

    CSS_PATH = Path(tui.__path__[0]) / "app.tcss"
    CSS = "#planner { display: block; }"

    def __init__(self, variant: str) -> None:
        super().__init__()
        self._variant = variant

    def compose(self) -> ComposeResult:
        yield PlannerPanel()

    def on_ready(self) -> None:
        self.set_timer(SETTLING_SECONDS, self._prepare)

    async def _prepare(self) -> None:
        if self._variant == PLAIN:
            await self.query(CurveView).remove()
        self.query_one("#intervals_minutes").focus()
        if self._variant == SIMULATING:
            self.set_interval(0.1, self._keep_simulating)

    def _keep_simulating(self) -> None:
        view = self.query_one(SimulationView)
        if not view.is_running:
            view.start(make_plan(LONG_RUN), LONG_RUN.intervals_minutes[0])


def started(variant: str) -> Terminal:
    """A copy of the application."""
    return Terminal([sys.executable, "-m", "benchmarks.key_to_paint", "--child", variant])


def measure(keys: int) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Times of the digit key and bytes of the last repaint, by variant; presses alternate."""
    terminals = {variant: started(variant) for variant in ("curve", "plain")}
    times: dict[str, list[float]] = {variant: [] for variant in terminals}
    sizes: dict[str, int] = {}
    try:
        for terminal in terminals.values():
            terminal.drain(START_SILENCE_SECONDS)
            terminal.press(END, SILENCE_SECONDS)
        for number in range(WARM_UP_KEYS + keys):
            order = list(terminals) if number % 2 else list(reversed(terminals))
            for variant in order:
                seconds, sizes[variant] = terminals[variant].press(DIGIT, SILENCE_SECONDS)
                terminals[variant].press(BACKSPACE, SILENCE_SECONDS)
                if number >= WARM_UP_KEYS:
                    times[variant].append(seconds)
    finally:
        for terminal in terminals.values():
            terminal.close()
    return times, sizes


def measure_simulating(keys: int) -> dict[str, list[float]]:
    """Times until the digit is seen, by variant; presses alternate."""
    terminals = {variant: started(variant) for variant in (SIMULATING, CURVE)}
    times: dict[str, list[float]] = {variant: [] for variant in terminals}
    try:
        for terminal in terminals.values():
            terminal.swallow(START_SILENCE_SECONDS)
            terminal.type(END)
        for _ in range(keys):
            for variant, terminal in terminals.items():
                terminal.swallow(SILENCE_SECONDS)
                terminal.type(DIGIT)
                times[variant].append(terminal.wait_for(AFTER_DIGIT))
                terminal.type(BACKSPACE)
                terminal.swallow(SILENCE_SECONDS)
    finally:
        for terminal in terminals.values():
            terminal.close()
    return times


def spread(seconds: list[float]) -> str:
    """Median and the time that 95 % of the keys do not exceed."""
    p95 = quantiles(seconds, n=20)[-1]
    return f"median {median(seconds) * 1e3:.1f} ms, 95 % {p95 * 1e3:.1f} ms, {len(seconds)} keys"


def main() -> int:
    """Measures and prints; the child mode runs the application instead."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keys", type=int, default=60, help="digits typed into each copy")
    parser.add_argument("--simulating", action="store_true", help="a simulation against none")
    parser.add_argument("--child", choices=(CURVE, PLAIN, SIMULATING), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        PlannerApp(options.child).run()
        return 0
    if options.simulating:
        for variant, seconds in measure_simulating(options.keys).items():
            print(f"{variant}: {spread(seconds)} until the digit is seen")
        return 0
    times, sizes = measure(options.keys)
    for variant, seconds in times.items():
        print(f"{variant}: {spread(seconds)}, {sizes[variant]} bytes a repaint")
    ratio = median(times["curve"]) / median(times["plain"])
    print(f"ratio of the medians: {ratio:.2f} (at most {MOST_RATIO})")
    tell(
        "key in the planner to the last byte of the repaint",
        f"{ratio:.2f} × the same without the curve",
        f"{MOST_RATIO} ×",
        ratio <= MOST_RATIO,
    )
    return int(ratio > MOST_RATIO)


if __name__ == "__main__":
    sys.exit(main())

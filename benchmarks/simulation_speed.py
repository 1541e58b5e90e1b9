"""How fast whole runs are simulated.

A 30-day plan of a large job (one failure about every three hours) in each save mode, 20,000 runs,
beside two figures of the same machine in the same minute: what numpy needs to draw and sum as many
exponential numbers as there are failures, and what `python -c "import numpy"` takes.

    python -m benchmarks.simulation_speed [--runs 20000]

Exit code 1 if a mode takes longer than 10 s.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.figures import tell
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.simulation.simulate import RUNS, simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.planner.simulation.result import Simulated

MOST_SECONDS = 10.0
JOB = PlanInputs(
    run_minutes=30 * 1440,
    fault_rate_per_hour=0.32,
    save_minutes=0.5,
    reload_minutes=5,
    down_minutes=5,
)
PLANS = (
    ("sync, every 15 min", JOB, 15.0),
    ("async, every 15 min", JOB._replace(mode=PlanMode.ASYNC), 15.0),
    ("two levels, every 4 min", JOB._replace(mode=PlanMode.TWO_LEVEL), 4.0),
    ("sync, Weibull 0.7", JOB._replace(weibull_shape=0.7), 15.0),
)


def seconds_of(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def simulated(inputs: PlanInputs, interval: float, runs: int) -> Simulated:
    steps = simulate(inputs, interval, runs)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Simulated = end.value
            return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    runs = parser.parse_args().runs
    importing = min(
        seconds_of(lambda: subprocess.run([sys.executable, "-c", "import numpy"], check=True))
        for _ in range(3)
    )
    print(f'python -c "import numpy": {importing:.2f} s')
    slowest = 0.0
    for name, inputs, interval in PLANS:
        began = time.perf_counter()
        result = simulated(inputs, interval, runs)
        took = time.perf_counter() - began
        failures = round(result.failures.value * runs)
        generator = np.random.Generator(np.random.PCG64(1))
        plain = min(
            seconds_of(lambda g=generator, n=failures: g.exponential(1.0, n).sum())
            for _ in range(3)
        )
        slowest = max(slowest, took)
        tell(f"{runs} simulated runs, {name}", f"{took / importing:.1f} × importing numpy")
        print(
            f"{name}: {took:.2f} s, {runs / took:,.0f} runs/s, {failures / took:,.0f} failures/s,"
            f" {took / plain:.0f} × drawing and summing as many numbers,"
            f" {took / importing:.1f} × the import"
        )
    return int(slowest > MOST_SECONDS)


if __name__ == "__main__":
    raise SystemExit(main())

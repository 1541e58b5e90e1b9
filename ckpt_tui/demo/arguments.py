"""The headless demo's command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple, NoReturn

from ckpt_tui.demo.faults import FaultPlan, default_faults
from ckpt_tui.demo.plan import FORMATS, DemoPlan

_DEFAULT = DemoPlan()
_NUMBERS = {
    "world_size": (int, "ranks of the sharded job"),
    "interval_steps": (int, "steps from one save to the next"),
    "shard_bytes": (int, "bytes of model state per rank, a multiple of 1024"),
    "seed": (int, "where all content comes from"),
    "speed": (float, "how much faster than the clock on the wall"),
    "train_seconds": (float, "seconds of training between two saves"),
    "save_seconds": (float, "seconds that a save takes"),
    "stall_seconds": (float, "seconds that a stalled rank writes nothing"),
    "restart_seconds": (float, "seconds from a rank's death to the restart"),
    "keep": (int, "checkpoints that a run keeps"),
}
_FLAGS = {"interval_steps": "--interval"}


class Request(NamedTuple):
    """What the command line asks for."""

    directory: Path
    plan: DemoPlan
    faults: FaultPlan


def parse_arguments(arguments: list[str]) -> Request:
    """The request on a command line; ends the process with 64 or, for `--help`, with 0."""
    values = vars(_parser().parse_args(arguments))
    plan = DemoPlan(
        **{name: values[name] for name in (*_NUMBERS, "steps", "once", "single_process")},
        formats=tuple(values["formats"] or FORMATS),
        in_place=not values["atomic"],
    )
    faults = default_faults() if values["faults"] else FaultPlan()
    rate = values["fault_rate"] if values["faults"] else 0.0
    return Request(
        values["directory"],
        plan,
        faults._replace(random_rate=rate, seed=plan.seed),
    )


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: {message}\n")


def _flag(name: str) -> str:
    return _FLAGS.get(name, "--" + name.replace("_", "-"))


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m ckpt_tui.demo",
        description="Simulate a training job that writes checkpoints below DIR, faults included.",
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="made if it is not there")
    parser.add_argument("--steps", type=int, help="the last step (default: go on until stopped)")
    for name, (kind, text) in _NUMBERS.items():
        default = getattr(_DEFAULT, name)
        parser.add_argument(
            _flag(name), dest=name, type=kind, default=default, help=f"{text} ({default})"
        )
    parser.add_argument(
        "--format",
        dest="formats",
        action="append",
        choices=FORMATS,
        help="write this format only; may be given again (default: each, side by side)",
    )
    parser.add_argument("--atomic", action="store_true", help="rename plain checkpoints into place")
    parser.add_argument("--no-faults", dest="faults", action="store_false", help="nothing fails")
    parser.add_argument(
        "--fault-rate", type=float, default=0.0, help="share of other saves that fail at random (0)"
    )
    parser.add_argument(
        "--single-process", action="store_true", help="ranks are threads: cheaper, not killable"
    )
    parser.add_argument(
        "--once", action="store_true", help="without --steps: end when each fault was shown"
    )
    return parser

"""The demo as a child of the dashboard: its request is a line on stdin, whose end is its own."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from ckpt_tui.demo.arguments import Request
from ckpt_tui.demo.faults import FaultKind, FaultPlan
from ckpt_tui.demo.headless import run_headless
from ckpt_tui.demo.plan import DemoPlan

_STDIN = 0


def encode_request(request: Request) -> bytes:
    """The request as the line that `main` reads."""
    fields = {
        "directory": str(request.directory),
        "plan": request.plan._asdict(),
        "faults": request.faults._asdict(),
    }
    return json.dumps(fields).encode() + b"\n"


def decode_request(line: bytes) -> Request:
    """The request on a line."""
    fields = json.loads(line)
    plan = DemoPlan(**fields["plan"])
    faults = FaultPlan(**fields["faults"])
    return Request(
        Path(fields["directory"]),
        plan._replace(formats=tuple(plan.formats)),
        faults._replace(
            scheduled=tuple((attempt, FaultKind(kind)) for attempt, kind in faults.scheduled)
        ),
    )


def main() -> int:
    """Runs the requested demo until it is done, or until stdin ends with the process behind it."""
    request = decode_request(sys.stdin.buffer.readline())
    stop = threading.Event()
    threading.Thread(target=_stop_at_eof, args=(stop,), daemon=True).start()
    return run_headless(request, stop)


def _stop_at_eof(stop: threading.Event) -> None:
    # Not through sys.stdin: its lock would be held when the interpreter ends.
    while os.read(_STDIN, 1):
        continue
    stop.set()


if __name__ == "__main__":
    raise SystemExit(main())

"""Run the demo without a screen: signals stop it, and its end is an exit code."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING

from ckpt_tui.demo.runner import run_demo
from ckpt_tui.demo.workers import DemoError
from ckpt_tui.words import say_sentence

if TYPE_CHECKING:
    from ckpt_tui.demo.arguments import Request

_USAGE_ERROR = 64
_FAILED = 70
_SIGNAL_BASE = 128
_SPEAKING = threading.Lock()


def run_headless(request: Request, stop: threading.Event) -> int:
    """Runs the demo until it is done, stopped by an event or a signal, or fails.

    Returns:
        0; 64 for a plan that cannot run; 70 where nothing can be written; 128 and the number of
        the signal that stopped it.
    """
    received: list[int] = []

    def stop_on_signal(number: int, _frame: object) -> None:
        received.append(number)
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop_on_signal)
    try:
        run_demo(request.directory, request.plan, request.faults, stop, _say)
    except ValueError as error:
        print(say_sentence(str(error)), file=sys.stderr)
        return _USAGE_ERROR
    except (DemoError, OSError) as error:
        print(say_sentence(str(error)), file=sys.stderr)
        return _FAILED
    return _SIGNAL_BASE + received[0] if received else 0


def _say(line: str) -> None:
    """One line in one piece: the jobs speak from threads of their own."""
    with _SPEAKING:
        sys.stdout.write(f"{say_sentence(line)}\n")
        sys.stdout.flush()

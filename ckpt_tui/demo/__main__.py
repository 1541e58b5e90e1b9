"""The headless demo: `python -m ckpt_tui.demo DIR`."""

from __future__ import annotations

import sys
import threading

from ckpt_tui.demo.arguments import parse_arguments
from ckpt_tui.demo.headless import run_headless

if __name__ == "__main__":
    raise SystemExit(run_headless(parse_arguments(sys.argv[1:]), threading.Event()))

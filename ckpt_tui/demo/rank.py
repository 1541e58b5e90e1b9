"""One rank of the simulated job as a process of its own: orders on stdin, replies on stdout."""

from __future__ import annotations

import os
import signal
import sys
import time

from ckpt_tui.demo.orders import decode_order, encode
from ckpt_tui.demo.saves import RankSaver


def main() -> int:
    """Carries out orders until stdin ends, which it does when the job is gone."""
    # Ctrl-C reaches the whole group; the job decides what becomes of its ranks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    saver = RankSaver(time.sleep, _die)
    for line in sys.stdin:
        reply = encode(saver.carry_out(decode_order(line)))
        try:
            print(reply, flush=True)
        except BrokenPipeError:
            # Nobody listens; the interpreter must not try to flush again at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
    return 0


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    raise SystemExit(main())

"""Whether the terminal is still there: one that goes away does not always send a signal."""

from __future__ import annotations

import select
import sys

LOOK_SECONDS = 2.0


def terminal_descriptor() -> int | None:
    """That of stdin, where it is a terminal that can be asked whether it is still there."""
    stdin = sys.__stdin__
    if stdin is None or stdin.closed or not stdin.isatty() or not hasattr(select, "poll"):
        return None
    return stdin.fileno()


def has_hung_up(descriptor: int) -> bool:
    """True once nobody holds the other end of the terminal."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(state & select.POLLHUP for _, state in poll.poll(0))

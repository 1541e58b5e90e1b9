"""One demo per directory: a lock that is held until the last of its writers is gone."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK_NAME = ".ckpt-tui-demo.lock"
_LOOK_SECONDS = 0.02


@contextlib.contextmanager
def demo_lock(directory: Path, timeout_seconds: float = 10.0) -> Iterator[int]:
    """Holds the directory's lock; child processes that inherit the descriptor hold it too.

    Args:
        directory: Where the demo writes.
        timeout_seconds: How long to wait for the writers of an earlier demo to end.

    Yields:
        The descriptor to pass on.

    Raises:
        BlockingIOError: Another demo writes there; the message says so.
    """
    descriptor = os.open(directory / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        _acquire(descriptor, directory, time.monotonic() + timeout_seconds)
        yield descriptor
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, directory: Path, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise BlockingIOError(
                    f"{directory}: another demo writes there; stop it or choose another directory"
                ) from None
            time.sleep(_LOOK_SECONDS)
        else:
            return

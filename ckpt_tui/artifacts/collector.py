"""Pauses the garbage collector while millions of objects are made."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keeps the cyclic collector from running again and again over new, living objects.

    Threads may overlap: the one that found the collector on puts it on again, which costs the
    others time, not correctness.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()

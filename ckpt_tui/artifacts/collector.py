"""Keeps the garbage collector out of the way while millions of objects are made."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_RARE: Final = (50_000, 20, 100)


@contextmanager
def collector_rare() -> Iterator[None]:
    """Lets the cyclic collector run seldom: what takes long may hang, so it is not put off.

    Threads may overlap: that costs the others time, not correctness.
    """
    usual = gc.get_threshold()
    gc.set_threshold(*_RARE)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def let_stay() -> None:
    """Takes all that is there by now out of collections, for as long as it is used.

    For what lives long and holds no cycles, such as the facts of thousands of checkpoints: a full
    collection goes through all of it, and holds up the screen for a third of a second.
    """
    gc.freeze()


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

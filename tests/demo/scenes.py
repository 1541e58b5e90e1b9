"""Prepared situations as the store sees them, at a time and a place that never change."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.demo.scenarios.catalog import SCENARIOS
from ckpt_tui.demo.scenarios.disk import SimulatedDisk
from ckpt_tui.fs import calls
from ckpt_tui.store.index import Store
from ckpt_tui.store.members import Options
from tests.tui.builders import NOW, FrozenClock

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.demo.scenarios.stage import Stage

PLACE = "/mnt/checkpoints"
WATCHED_SECONDS = 3.0


@lru_cache(maxsize=32)
def scene(name: str) -> Snapshot:
    """The picture of a situation after some seconds of watching, as if it lay below `PLACE`."""
    with tempfile.TemporaryDirectory() as temporary:
        directory = os.path.realpath(temporary)
        stage = SCENARIOS[name].build(Path(directory), NOW - WATCHED_SECONDS)
        with calls.replaced(SimulatedDisk(directory, stage.free_bytes)):
            return moved(watched(stage), directory, PLACE)


def watched(stage: Stage) -> Snapshot:
    """What a store shows that looks twice, while a save goes on."""
    clock = FrozenClock(NOW - WATCHED_SECONDS)
    options = Options(
        Requirements(world_size=stage.world_size), stall_after_seconds=stage.stall_after_seconds
    )
    store = Store(str(stage.root), options, wall=clock.wall, monotonic=clock.monotonic)
    store.look()
    clock.advance(WATCHED_SECONDS)
    if stage.live is not None:
        stage.live.write_until(clock.wall())
    return store.look()


def moved(value: Any, before: str, after: str) -> Any:
    """The same value with another directory in all its texts."""
    if isinstance(value, str):
        return type(value)(value.replace(before, after)) if before in value else value
    if isinstance(value, tuple):
        parts = [moved(part, before, after) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, frozenset):
        return frozenset(moved(part, before, after) for part in value)
    if isinstance(value, dict):
        return {moved(k, before, after): moved(v, before, after) for k, v in value.items()}
    return value

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.demo.plan import DemoPlan
from ckpt_tui.demo.runner import run_demo

if TYPE_CHECKING:
    from pathlib import Path

FAST = DemoPlan(
    world_size=3,
    steps=60,
    shard_bytes=4096,
    speed=1000.0,
    single_process=True,
    seed=11,
)


@pytest.fixture
def fast_plan() -> DemoPlan:
    """Three saves of three ranks, in threads, as fast as they can."""
    return FAST


@pytest.fixture(scope="session")
def finished_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory where the fast plan ran to its end without a fault; read only."""
    directory = tmp_path_factory.mktemp("finished")
    run_demo(directory, FAST, None, threading.Event())
    return directory

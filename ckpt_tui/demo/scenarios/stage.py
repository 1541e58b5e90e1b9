"""What a prepared situation is: its question, the right decision, and how to build it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.demo.scenarios.live import LiveSave

TIB = 2**40
PLENTY_BYTES = 900 * TIB


class Stage(NamedTuple):
    """A situation that was built.

    Attributes:
        root: The directory to open.
        live: A save that is to go on, if there is one.
        following: Gives the save after a committed one.
        world_size: Of the job that is to be restarted; None for that of the writers.
        stall_after_seconds: As `--stall-after`.
        free_bytes: Room on the simulated disk.
    """

    root: Path
    live: LiveSave | None = None
    following: Callable[[LiveSave], LiveSave] | None = None
    world_size: int | None = None
    stall_after_seconds: float = 120.0
    free_bytes: int = PLENTY_BYTES


class Scenario(NamedTuple):
    """A prepared situation.

    Attributes:
        name: Of `demo --scenario NAME`.
        question: What a person has to decide.
        decision: The right decision, which the screen must make plain.
        build: Builds it in an empty directory, at a time in seconds since the epoch.
    """

    name: str
    question: str
    decision: str
    build: Callable[[Path, float], Stage]


def build(scenario: Scenario, directory: Path) -> Stage:
    """Builds a situation in an empty directory, so that all ages are as if it happened just now."""
    directory.mkdir(parents=True, exist_ok=True)
    return scenario.build(directory, time.time())

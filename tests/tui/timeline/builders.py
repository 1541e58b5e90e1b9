"""Runs whose saves tell a story."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tui.builders import GIB, NOW, facts, run_of, snapshot_of

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot

MINUTE, HOUR = 60.0, 3600.0


def night_facts() -> list[CheckpointFacts]:
    """A save every ten minutes: one dies, the job goes back, two hours are lost, saves slow."""
    made, age, step = [], 8 * HOUR, 0
    for number in range(36):
        step += 100
        took = 120.0 + (number % 5) + max(0, number - 24) * 12.0
        if number == 20:
            made.append(_dead(step, age))
            step -= 150
        else:
            size = 1280 * GIB + (number % 3) * 20 * GIB
            made.append(facts(step, age=age, took=took, size=size))
        age -= 2 * HOUR if number == 11 else 10 * MINUTE
    return made


def _dead(step: int, age: float) -> CheckpointFacts:
    return facts(step, age=age, met=False, absent=(2, 3), took=None, size=600 * GIB)


def night_run() -> Run:
    return run_of(night_facts())


def night() -> Snapshot:
    return snapshot_of(night_run())


def minutes_ago(at: float) -> int:
    return round((NOW - at) / MINUTE)

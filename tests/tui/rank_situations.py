"""Checkpoints of sixteen thousand ranks, told where each is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.checkpoint import SaveProgress
from ckpt_tui.core.coordinates import nested_axes
from tests.tui.builders import GIB, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.snapshot import Snapshot

MANY = 16384
AXES = nested_axes([("TP", 8), ("DP", 128), ("PP", 16)])
LATE, SHORT, MISSING, CUT = 1187, 640, 9000, 9001


def settled(step: int, ranks: int = MANY, age: float = 600.0) -> CheckpointFacts:
    """A whole checkpoint."""
    made = facts(step, ranks=ranks, size=ranks * GIB, age=age)
    return made._replace(axes=AXES if ranks == MANY else ())


def odd(step: int, age: float = 600.0) -> CheckpointFacts:
    """One with a late and a short shard, one that is missing, one that is cut."""
    made = facts(step, ranks=MANY, size=MANY * GIB, age=age, absent={MISSING}, broken={CUT})
    shards = list(made.shards)
    shards[LATE] = shards[LATE]._replace(mtime_ns=shards[LATE].mtime_ns + 94 * 10**9)
    shards[SHORT] = shards[SHORT]._replace(size_bytes=GIB * 88 // 100)
    return made._replace(shards=tuple(shards), axes=AXES)


def flying(step: int, done: int) -> CheckpointFacts:
    """A save in flight of which the first ranks are done."""
    behind = set(range(done, done + 300))
    absent = set(range(done + 300, MANY))
    made = facts(
        step,
        ranks=MANY,
        size=done * GIB,
        age=1.0,
        met=False,
        absent=absent,
        shard_bytes=GIB,
        broken=behind,
        roles=("model", "optimizer"),
        took=None,
    )
    return made._replace(axes=AXES)


def large() -> Snapshot:
    """A whole checkpoint above one that has everything wrong that a grid can show."""
    return snapshot_of(run_of([settled(200), odd(100, age=1200.0)]))


def large_in_flight(done: int = 9000) -> Snapshot:
    """A save of sixteen thousand ranks above a whole checkpoint."""
    progress = SaveProgress(done * GIB, MANY * GIB, 9.8 * GIB, 38.0, 94.0, (done + 7,))
    flight = saving(flying(300, done), progress)
    return snapshot_of(run_of([settled(200)], in_flight=[flight]))

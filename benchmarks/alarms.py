"""What alarms cost: ranks of a save in flight at each look, and a tick of a large dashboard.

Usage: python -m benchmarks.alarms [--ranks 4096] [--checkpoints 10000]

A look at the ranks is compared with the stat calls that the same look makes anyway; a tick and a
new picture with one second of a core.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from typing import TYPE_CHECKING

from benchmarks.figures import tell
from ckpt_tui.core.alarms.look_out import NOTHING_REMEMBERED, look_out
from ckpt_tui.core.alarms.sight import Sight
from ckpt_tui.core.checkpoint import SaveProgress
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, RoleFacts, ShardFacts
from ckpt_tui.core.runs import Run
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Verdict
from ckpt_tui.store.rank_pace import RankPace

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 20
NOW = 1_800_000_000.0
SHARD_BYTES = 2**30
LOOK_SECONDS = 0.1


def cpu_seconds(work: Callable[[], object]) -> float:
    """The least time of several rounds, on this thread."""
    times = []
    for _ in range(ROUNDS):
        began = time.thread_time()
        work()
        times.append(time.thread_time() - began)
    return min(times)


def shards(ranks: int, share: float) -> tuple[ShardFacts, ...]:
    """What ranks have written, the later ones less."""
    return tuple(
        ShardFacts(rank, None, int(SHARD_BYTES * share * (1 - rank / ranks / 2)), (f"__{rank}_0",))
        for rank in range(ranks)
    )


def look_at_ranks(ranks: int) -> float:
    """Seconds for taking a look at all ranks in, every one of which has grown."""
    whole = shards(ranks, 1.0)
    pace = RankPace(shards(ranks, 0.0), NOW, 0.0)
    looks = [shards(ranks, (place + 1) / 400) for place in range(2 * ROUNDS)]
    now = [0.0]

    def work() -> None:
        now[0] += LOOK_SECONDS
        pace.take(looks.pop(), now[0])
        pace.told(whole, 30.0)

    work()
    return cpu_seconds(work)


def stat_files(count: int) -> float:
    """Seconds for asking for as many files in one directory."""
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            with open(os.path.join(place, str(number)), "wb"):
                pass

        def work() -> None:
            with os.scandir(place) as entries:
                for entry in entries:
                    entry.stat(follow_symlinks=False)

        return cpu_seconds(work)


def facts(step: int) -> CheckpointFacts:
    """A whole checkpoint, saved every ten minutes."""
    at = NOW - 600.0 * (100_000 - step)
    return CheckpointFacts(
        path=f"/run/step-{step}",
        name=f"step-{step}",
        format="torch-dcp",
        commit=CommitFacts("the marker", True, committed_at=at),
        step=step,
        roles=tuple(RoleFacts(role, 10, 1, "key") for role in REQUIRED_ROLES),
        save_seconds=100.0 + step % 7,
        save_seconds_is_lower_bound=False,
        size_bytes=SHARD_BYTES,
    )


def run_of(count: int) -> Run:
    """A run of that many checkpoints, with a save in flight."""
    made = tuple(judge(facts(100_000 - place)) for place in range(count))
    progress = SaveProgress(1, 2, 1.0, 1.0, 0.0)
    flying = judge(facts(100_001))._replace(verdict=Verdict.SAVING, progress=progress)
    return Run("/run", "run", "torch-dcp", (flying, *made), made[0])


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", type=int, default=4096)
    parser.add_argument("--checkpoints", type=int, default=10_000)
    arguments = parser.parse_args()
    for ranks in (arguments.ranks, 4 * arguments.ranks):
        took, stats = look_at_ranks(ranks), stat_files(ranks)
        print(
            f"look at {ranks} ranks: {1000 * took:.2f} ms,"
            f" {took / stats:.2f} × the stat calls for them ({1000 * stats:.2f} ms)"
        )
        tell(f"rate and silence of {ranks} ranks, a look", f"{took / stats:.2f} × their stat calls")
    picture = Snapshot("/run", (run_of(arguments.checkpoints),), NOW, 1, free_bytes=2**50)
    memory = look_out(NOTHING_REMEMBERED, Sight(picture, NOW, 0.0)).memory
    tick = cpu_seconds(lambda: look_out(memory, Sight(picture, NOW, 1.0)))
    other = picture._replace(runs=(picture.runs[0]._replace(),), version=2)
    change = cpu_seconds(lambda: look_out(memory, Sight(other, NOW, 1.0)))
    print(
        f"{arguments.checkpoints} checkpoints: a tick {1000 * tick:.3f} ms"
        f" ({100 * tick:.3f} % of a core at one a second), a new picture {1000 * change:.2f} ms"
    )
    tell(f"alarms over {arguments.checkpoints} checkpoints, a tick", f"{1000 * tick:.3f} ms of CPU")


if __name__ == "__main__":
    main()

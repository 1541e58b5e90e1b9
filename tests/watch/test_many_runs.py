"""What polling many small runs asks of the file system, and how soon it still sees what happens."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.fs.asking import call_count
from ckpt_tui.store.index import Store
from ckpt_tui.watch.agenda import Work
from ckpt_tui.watch.looks import CALLS_PER_TURN, SIGNS_PER_SECOND, TURN_SECONDS, Looks
from ckpt_tui.watch.pace import Scope
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot

RUNS = 60
POLL_SECONDS = 2.0


class Polled:
    """Looks at what is hot at each poll, on a clock of its own, and counts what that asks."""

    def __init__(self, root: Path, runs: int = RUNS) -> None:
        yesterday = time.time() - 86_400
        for number in range(runs):
            write_checkpoint(root / f"run-{number:02}", 10)
        for parent, directories, files in os.walk(root):
            for name in directories + files:
                os.utime(os.path.join(parent, name), (yesterday, yesterday))
        self.root = root
        self.seconds = 0.0
        self.store = Store(str(root), monotonic=lambda: self.seconds)
        self.looks = Looks(self.store, lambda: self.seconds)
        self.take(Scope.FULL)
        self.poll()  # the first signs are no change

    def take(self, scope: Scope) -> None:
        self.looks.take(Work(scope), lambda snapshot: None)

    def poll(self, polls: int = 1) -> float:
        """Polls so often; returns the calls per second."""
        before = call_count()
        for _ in range(polls):
            self.seconds += POLL_SECONDS
            self.take(Scope.HOT)
        return (call_count() - before) / (polls * POLL_SECONDS)

    def verdict_of(self, checkpoint: Path) -> Verdict | None:
        snapshot: Snapshot = self.store.snapshot()
        return next((c.verdict for c in snapshot.checkpoints if c.path == str(checkpoint)), None)


def test_the_calls_of_polling_are_bounded_however_many_runs_there_are(tmp_path: Path) -> None:
    polled = Polled(tmp_path)
    polled.poll(10)
    assert polled.poll(30) < 1.2 * (CALLS_PER_TURN / TURN_SECONDS + SIGNS_PER_SECOND)


@pytest.mark.parametrize("number", [0, 31, 59])
def test_a_save_in_any_of_them_is_seen_at_the_next_poll(tmp_path: Path, number: int) -> None:
    polled = Polled(tmp_path)
    polled.poll(3)
    save = write_checkpoint(tmp_path / f"run-{number:02}", 20, commit=False)
    polled.poll()
    assert polled.verdict_of(save) is Verdict.SAVING
    assert str(save) in polled.store.growing_paths()


def test_what_no_stat_tells_is_found_within_one_round(tmp_path: Path) -> None:
    polled = Polled(tmp_path)
    cut = [tmp_path / f"run-{number:02}" / "step-10" for number in (0, 31, 59)]
    for checkpoint in cut:
        os.truncate(checkpoint / "model-rank1.bin", 3)
    polled.poll(20)
    assert [polled.verdict_of(checkpoint) for checkpoint in cut] == [Verdict.CORRUPT] * len(cut)


def test_a_save_in_flight_is_looked_at_without_the_other_runs(tmp_path: Path) -> None:
    """Between two polls; the other runs have their turn at the pace of polls."""
    polled = Polled(tmp_path)
    save = write_checkpoint(tmp_path / "run-07", 20, commit=False)
    polled.poll(2)
    before = call_count()
    for _ in range(6):
        polled.seconds += 0.25
        with (save / "model-rank0.bin").open("ab") as shard:
            shard.write(bytes(10))
        polled.take(Scope.HOT)
    calls_per_look = (call_count() - before) / 6
    grown = next(c for c in polled.store.snapshot().checkpoints if c.path == str(save))
    assert grown.facts.size_bytes >= 60
    alone = Polled(tmp_path / "run-07", runs=0)
    before = call_count()
    alone.store.look(frozenset(alone.store.hot_paths()))
    assert calls_per_look <= 3 * (call_count() - before)


def test_a_pointer_overwritten_in_place_is_found_by_the_sweep(tmp_path: Path) -> None:
    """No event, no time of the directory, and no checkpoint tells of it."""
    write_checkpoint(tmp_path, 10)
    write_checkpoint(tmp_path, 20)
    (tmp_path / "latest").write_text("step-10")
    yesterday = time.time() - 86_400
    os.utime(tmp_path, (yesterday, yesterday))
    store = Store(str(tmp_path))
    looks = Looks(store, lambda: 0.0)
    for scope in (Scope.FULL, Scope.SWEEP):
        looks.take(Work(scope), lambda snapshot: None)
    before = [pointer.raw for pointer in store.snapshot().runs[0].pointers]
    (tmp_path / "latest").write_text("step-20")
    looks.take(Work(Scope.SWEEP), lambda snapshot: None)
    assert [pointer.raw for pointer in store.snapshot().runs[0].pointers] != before

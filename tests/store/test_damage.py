"""A committed checkpoint that changes while it is watched: damaged, or saved over."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.store.growth import DAMAGE_SECONDS
from ckpt_tui.store.index import Store
from tests.store.runs import write_checkpoint
from tests.store.test_growth import Clock
from tests.store.test_index import cold, summary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WHOLE = Verdict.INEXACT
"""What a cold look says of the checkpoint that is watched."""
EVENTS_SECONDS = 0.25
"""Pace of looks at what counts as being saved."""


class Watched:
    """A run of old DCP checkpoints, of which the newest one is watched."""

    def __init__(self, run: Path, whole: Path) -> None:
        self.run, self.whole = run, whole
        shutil.copytree(whole.parent, run)
        self.newest = run / whole.name
        cold(run)
        self.clock = Clock()
        self.store = Store(str(run), wall=self.clock, monotonic=self.clock)
        self.looked()

    def looked(self, seconds: float = 0.0) -> Verdict:
        self.clock.now += seconds
        snapshot = self.store.look(frozenset({str(self.newest)}))
        return snapshot.runs[0].checkpoints[0].verdict

    def cold(self) -> list[object]:
        return summary(Store(str(self.run), wall=self.clock, monotonic=self.clock).look())

    def shards(self) -> list[str]:
        return sorted(path.name for path in self.whole.iterdir() if path.suffix == ".distcp")

    def write(self, name: str, size: int | None = None) -> None:
        """Over what is there, by the same name and inode, as DCP does."""
        (self.newest / name).write_bytes((self.whole / name).read_bytes()[:size])


@pytest.fixture
def watched(tmp_path: Path, corpus: Path) -> Watched:
    return Watched(tmp_path / "run", corpus / "torch/dcp_titan_ws4/checkpoint/step-30")


def cut(shard: Path) -> None:
    os.truncate(shard, 100)


def empty(shard: Path) -> None:
    os.truncate(shard, 0)


def overwrite(shard: Path) -> None:
    shard.write_bytes(bytes(shard.stat().st_size))


def overwrite_and_lengthen(shard: Path) -> None:
    shard.write_bytes(bytes(shard.stat().st_size + 100))


def cut_beside_a_new_file(shard: Path) -> None:
    os.truncate(shard, 100)
    (shard.parent / "notes.txt").write_text("what is this?")


def cut_two(shard: Path) -> None:
    for path in sorted(shard.parent.glob("*.distcp"))[:2]:
        os.truncate(path, 100)


@pytest.mark.parametrize(
    "damage",
    [cut, empty, overwrite, overwrite_and_lengthen, cut_beside_a_new_file, cut_two, os.unlink],
)
def test_damage_is_told_as_a_cold_look_tells_it_once_it_rests(
    watched: Watched, damage: Callable[[Path], None]
) -> None:
    damage(watched.newest / watched.shards()[0])
    assert watched.looked(EVENTS_SECONDS) is not WHOLE
    told = watched.looked(DAMAGE_SECONDS)
    assert told in (Verdict.CORRUPT, Verdict.INCOMPLETE)
    assert summary(watched.store.snapshot()) == watched.cold()


def test_it_takes_a_look_at_the_checkpoint_not_only_time(watched: Watched) -> None:
    cut(watched.newest / watched.shards()[0])
    assert watched.looked(EVENTS_SECONDS) is Verdict.SAVING
    watched.clock.now += 60
    elsewhere = watched.store.look(frozenset({str(watched.run / "step-10")}))
    assert elsewhere.runs[0].checkpoints[0].verdict is Verdict.SAVING
    assert watched.looked() is Verdict.CORRUPT


def test_a_save_over_an_old_one_is_never_called_damaged_while_it_grows(watched: Watched) -> None:
    """Each rank opens its file over the old one; `.metadata` stays until the end."""
    assert watched.looked() is WHOLE
    for name in watched.shards():
        watched.write(name, 50)
    assert watched.looked(EVENTS_SECONDS) is Verdict.SAVING
    for size in range(100, 800, 100):
        watched.write(watched.shards()[0], size)
        assert watched.looked(EVENTS_SECONDS) is Verdict.SAVING
    assert watched.looked(60) is Verdict.SAVING, "a rank that waits for its disk has begun a save"
    for name in watched.shards():
        watched.write(name)
    watched.write(".metadata")
    assert watched.looked(5) is WHOLE


def test_ranks_that_save_one_after_the_other_with_long_pauses_are_a_save(watched: Watched) -> None:
    first, second, *_ = watched.shards()
    watched.write(first, 50)
    assert watched.looked(EVENTS_SECONDS) is Verdict.SAVING
    assert watched.looked(DAMAGE_SECONDS) is Verdict.CORRUPT, "until it grows"
    for size in (200, 400):
        watched.write(first, size)
        assert watched.looked(EVENTS_SECONDS) is Verdict.SAVING
        assert watched.looked(30) is Verdict.SAVING
    watched.write(first)
    watched.write(second, 50)
    assert watched.looked(EVENTS_SECONDS) is Verdict.SAVING
    assert watched.looked(30) is Verdict.SAVING
    assert watched.looked(120) is not Verdict.SAVING


def test_files_that_are_renamed_over_the_old_ones_are_a_save(tmp_path: Path) -> None:
    checkpoint = write_checkpoint(tmp_path, 10)
    cold(tmp_path)
    clock = Clock()
    store = Store(str(tmp_path), wall=clock, monotonic=clock)
    store.look()
    for rank in range(2):
        staged = checkpoint / "staged"
        staged.write_bytes(bytes(40))
        staged.rename(checkpoint / f"model-rank{rank}.bin")
    os.truncate(checkpoint / "rng-rank0.bin", 3)
    for seconds in (EVENTS_SECONDS, DAMAGE_SECONDS, 60):
        clock.now += seconds
        store.look()
        assert store.saving()


def test_after_damage_was_repaired_the_next_damage_is_told_as_quickly(watched: Watched) -> None:
    shard = watched.shards()[0]
    for _ in range(3):
        cut(watched.newest / shard)
        assert watched.looked(EVENTS_SECONDS) is Verdict.SAVING
        assert watched.looked(DAMAGE_SECONDS) is Verdict.CORRUPT
        watched.write(shard)
        assert watched.looked(EVENTS_SECONDS) is WHOLE

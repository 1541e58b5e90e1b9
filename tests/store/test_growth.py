"""How long a save took that was watched from its beginning."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.store.index import Store

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Watched:
    """A DCP checkpoint as a store sees it grow: the format has no times but the files'."""

    def __init__(self, root: Path, whole: Path) -> None:
        self.clock = Clock()
        self.root, self.whole = root, whole
        self.store = Store(str(root), wall=self.clock, monotonic=self.clock)

    def look(self, seconds: float = 0.0) -> Checkpoint | None:
        self.clock.now += seconds
        runs = self.store.look().runs
        return runs[0].checkpoints[0] if runs else None

    def write(self, name: str, size: int | None = None) -> None:
        target = self.root / "step-20" / name
        target.parent.mkdir(exist_ok=True)
        data = (self.whole / name).read_bytes()
        target.write_bytes(data if size is None else data[:size])


@pytest.fixture
def files(corpus: Path) -> Path:
    """A directory of `.distcp` files and their `.metadata`."""
    return next(path.parent for path in sorted(corpus.rglob(".metadata")) if _is_flat(path.parent))


def _is_flat(path: Path) -> bool:
    return all(child.is_file() for child in path.iterdir())


@pytest.fixture
def watched(tmp_path: Path, files: Path) -> Watched:
    (tmp_path / "run").mkdir()
    return Watched(tmp_path / "run", files)


def shards(watched: Watched) -> list[str]:
    return sorted(path.name for path in watched.whole.iterdir() if path.name != ".metadata")


def test_a_save_that_was_seen_from_its_beginning_is_exact(watched: Watched) -> None:
    watched.look()
    for name in shards(watched):
        watched.write(name, 10)
        watched.look(5)
    for name in shards(watched):
        watched.write(name)
    watched.look(20)
    watched.write(".metadata")
    saved = watched.look(5)
    assert saved is not None
    assert saved.verdict is not Verdict.SAVING
    expected = 5.0 * (len(shards(watched)) - 1) + 20 + 5
    assert (saved.watched, saved.facts.save_seconds) == (True, pytest.approx(expected))
    assert not saved.facts.save_seconds_is_lower_bound
    later = watched.look(1000)
    assert later is not None
    assert later.facts.save_seconds == pytest.approx(expected)


def test_a_save_that_had_begun_before_is_a_lower_bound(watched: Watched) -> None:
    for name in shards(watched):
        watched.write(name, 10)
    watched.look()
    for name in shards(watched):
        watched.write(name)
    watched.look(20)
    watched.write(".metadata")
    saved = watched.look(5)
    assert saved is not None
    assert not saved.watched
    assert saved.facts.save_seconds_is_lower_bound


def test_a_save_that_was_over_at_its_first_look_is_a_lower_bound(watched: Watched) -> None:
    watched.look()
    shutil.copytree(watched.whole, watched.root / "step-20")
    saved = watched.look(20)
    assert saved is not None
    assert not saved.watched


def test_a_save_that_was_recognised_late_is_a_lower_bound(watched: Watched) -> None:
    watched.look()
    first, *others = shards(watched)
    watched.write(first)
    os.utime(watched.root / "step-20" / first, (1_000, 1_000))
    for name in others:
        watched.write(name, 10)
    watched.look(5)
    for name in others:
        watched.write(name)
    watched.look(20)
    watched.write(".metadata")
    saved = watched.look(5)
    assert saved is not None
    assert not saved.watched

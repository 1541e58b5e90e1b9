"""Which paths a look is taken at, with a store that says what there is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.watch.agenda import Work
from ckpt_tui.watch.looks import SIGNS_PER_SECOND, Looks
from ckpt_tui.watch.pace import Scope
from tests.watch.fakes import FolderStore

if TYPE_CHECKING:
    from pathlib import Path


class Shelf(FolderStore):
    """Knows each directory below the root as a checkpoint."""

    def checkpoint_paths(self) -> tuple[str, ...]:
        with os.scandir(self.root) as entries:
            return tuple(entry.path for entry in entries)

    def directories(self) -> tuple[str, ...]:
        return (self.root, *self.checkpoint_paths())


def looks_at(store: FolderStore) -> Looks:
    ticks = iter(range(1000))
    return Looks(store, lambda: float(next(ticks)))


def ignore(snapshot: object) -> None:
    pass


def test_a_peek_tells_of_the_marker_and_of_a_new_name(tmp_path: Path) -> None:
    save = tmp_path / "step-1"
    save.mkdir()
    looks = looks_at(FolderStore(str(tmp_path)))
    looks.await_markers([str(save / ".metadata")])
    assert looks.peek() == frozenset()
    (save / "shard").touch()
    assert looks.peek() == frozenset()
    (save / ".metadata").touch()
    assert looks.peek() == {str(save)}
    assert looks.peek() == frozenset()
    save.rename(tmp_path / "step-2")
    assert looks.peek() == {str(save), str(tmp_path)}


def test_a_marker_that_came_before_the_first_peek_is_told(tmp_path: Path) -> None:
    (tmp_path / ".metadata").touch()
    looks = looks_at(FolderStore(str(tmp_path)))
    looks.await_markers([str(tmp_path / ".metadata")])
    assert looks.peek() == {str(tmp_path)}


def test_without_a_save_a_peek_tells_which_hot_path_changed(tmp_path: Path) -> None:
    store = FolderStore(str(tmp_path))
    store.hot = (str(tmp_path),)
    looks = looks_at(store)
    assert looks.peek() == {str(tmp_path)}, "it may have changed after the look before"
    assert looks.peek() == frozenset()
    (tmp_path / "step-1").mkdir()
    assert looks.peek() == {str(tmp_path)}


def test_a_stat_of_many_hot_paths_is_not_taken_at_each_peek(tmp_path: Path) -> None:
    store = FolderStore(str(tmp_path))
    paths = [tmp_path / f"run-{number}" for number in range(3 * SIGNS_PER_SECOND)]
    for path in paths:
        path.mkdir()
    store.hot = tuple(map(str, paths))
    looks = looks_at(store)
    looks.peek()
    (paths[7] / "step-1").mkdir()
    peeks = [looks.peek() for _ in range(4)]  # a second apart
    assert peeks[:2] == [frozenset(), frozenset()]
    assert frozenset().union(*peeks) == {str(paths[7])}


def test_a_sweep_looks_at_what_changed_and_at_the_next_few(tmp_path: Path) -> None:
    for step in range(40):
        (tmp_path / f"step-{step:02}").mkdir()
    store = Shelf(str(tmp_path))
    looks = looks_at(store)
    looks.take(Work(Scope.SWEEP), ignore)
    everything, first = store.looks  # what changed while nobody looked is not known
    assert everything == frozenset(store.directories())
    assert first is not None
    assert len(first) == 32
    (tmp_path / "step-00" / "shard").touch()
    looks.take(Work(Scope.SWEEP), ignore)
    assert store.looks[2:] == [{str(tmp_path / "step-00")}, {str(tmp_path / "step-32")}]

"""What a watcher of many finished checkpoints asks of the file system."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.fs import calls
from ckpt_tui.fs.system import System
from ckpt_tui.store.index import Store
from ckpt_tui.watch.agenda import Work
from ckpt_tui.watch.looks import Looks
from ckpt_tui.watch.pace import Scope
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ckpt_tui.fs.system import Scan

_CHECKPOINTS = 60


class CountingSystem(System):
    """The real system, which counts what is opened and what is listed."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.listed: list[str] = []

    def open(self, path: str, flags: int) -> int:
        self.opened.append(path)
        return super().open(path, flags)

    def scandir(self, path: str) -> Scan:
        self.listed.append(path)
        return super().scandir(path)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run whose checkpoints were finished a day ago."""
    yesterday = time.time() - 86_400
    for step in range(_CHECKPOINTS):
        write_checkpoint(tmp_path, step)
    for parent, directories, files in os.walk(tmp_path):
        for name in directories + files:
            os.utime(os.path.join(parent, name), (yesterday, yesterday))
    return tmp_path


@pytest.fixture
def system() -> Iterator[CountingSystem]:
    counting = CountingSystem()
    with calls.replaced(counting):
        yield counting


def take(looks: Looks, *scopes: Scope) -> None:
    for scope in scopes:
        looks.take(Work(scope), lambda snapshot: None)


def test_what_is_committed_is_not_read_again(run: Path, system: CountingSystem) -> None:
    store = Store(str(run))
    looks = Looks(store, time.monotonic)
    take(looks, Scope.FULL)
    assert len(system.opened) >= _CHECKPOINTS
    system.opened.clear()
    take(looks, Scope.SWEEP, Scope.SWEEP, Scope.HOT, Scope.HOT)
    assert system.opened == []


def test_a_sweep_lists_a_few_and_what_changed(run: Path, system: CountingSystem) -> None:
    store = Store(str(run))
    looks = Looks(store, lambda: 0.0)
    take(looks, Scope.FULL, Scope.SWEEP, Scope.SWEEP)
    system.listed.clear()
    take(looks, Scope.SWEEP)
    assert len(system.listed) == 32
    (run / "step-7" / "rng-rank0.bin").unlink()
    system.opened.clear()
    take(looks, Scope.SWEEP)
    assert {os.path.dirname(path) for path in system.opened} == {str(run / "step-7")}
    verdicts = {c.facts.name: c.verdict for c in store.snapshot().checkpoints}
    assert {name for name, said in verdicts.items() if said is not Verdict.EXACT} == {"step-7"}


def test_what_no_directory_tells_is_found_within_one_round(
    run: Path, system: CountingSystem
) -> None:
    store = Store(str(run))
    looks = Looks(store, lambda: 0.0)
    take(looks, Scope.FULL, Scope.SWEEP)
    for step in (0, 31, 59):
        os.truncate(run / f"step-{step}" / "model-rank1.bin", 3)
    take(looks, Scope.SWEEP, Scope.SWEEP)
    checkpoints = store.snapshot().checkpoints
    assert {c.step for c in checkpoints if c.verdict is not Verdict.EXACT} == {0, 31, 59}

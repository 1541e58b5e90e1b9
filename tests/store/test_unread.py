"""What is told of formats that are known and not read stands as long as they are there."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.store.index import Store
from tests.store.runs import write_checkpoint
from tests.store.test_index import TIMELESS, cold

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two steps of a format that is not read, beside a run that is."""
    write_checkpoint(tmp_path / "ours", 10)
    for step in (5, 6):
        mark(tmp_path / "theirs" / f"step-{step}")
    cold(tmp_path)
    return tmp_path / "theirs"


def mark(step: Path) -> None:
    step.mkdir(parents=True)
    (step / "net_iter_5.solverstate").touch()


def told_after(store: Store, *changed: Path) -> tuple[tuple[str, str], ...]:
    """The problems after an incremental look; those of a cold one must be the same."""
    told = store.look(frozenset(map(str, changed))).problems
    assert told == Store(store.root, TIMELESS).look().problems
    return told


def test_a_line_stands_while_one_of_its_steps_is_there(run: Path) -> None:
    store = Store(str(run.parent), TIMELESS)
    told = store.look().problems
    assert [(path, "Caffe" in why) for path, why in told] == [(str(run), True)]
    (run / "step-5" / "notes.txt").touch()
    assert told_after(store, run / "step-5" / "notes.txt") == told
    mark(run / "step-7")
    assert told_after(store, run / "step-7") == told
    shutil.rmtree(run / "step-5")
    assert told_after(store, run / "step-5") == told
    write_checkpoint(run.parent / "ours", 20)
    assert told_after(store, run.parent / "ours" / "step-20") == told


def test_a_line_goes_with_the_last_file_that_made_it(run: Path) -> None:
    """The event names a file in a step; the line names the run above it."""
    store = Store(str(run.parent), TIMELESS)
    told = store.look().problems
    for step in (5, 6):
        mark_of_step = run / f"step-{step}" / "net_iter_5.solverstate"
        mark_of_step.unlink()
        assert told_after(store, mark_of_step) == (told if step == 5 else ())
    mark_of_step.touch()
    assert told_after(store, mark_of_step) == told


def test_a_step_that_its_siblings_make_an_attempt_has_a_row_and_no_line(tmp_path: Path) -> None:
    """Whatever is in it later: a record is looked at, and not searched for."""
    write_checkpoint(tmp_path, 10)
    mark(tmp_path / "step-20")
    cold(tmp_path)
    store = Store(str(tmp_path), TIMELESS)
    assert len(store.look().checkpoints) == 2
    assert not store.snapshot().problems
    write_checkpoint(tmp_path, 20)
    assert told_after(store, tmp_path / "step-20" / "manifest.json") == ()

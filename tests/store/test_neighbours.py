"""Facts that depend on something beside the checkpoint: asked again while it is watched."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.facts import NeighbourFacts
from ckpt_tui.fs import calls
from ckpt_tui.fs.system import System
from ckpt_tui.store.index import Store
from ckpt_tui.store.neighbours import Neighbours
from tests.store.test_index import TIMELESS, cold, summary

if TYPE_CHECKING:
    import os
    from pathlib import Path

FINDING = "best-model-dangling"


@pytest.fixture
def run(tmp_path: Path, corpus: Path) -> Path:
    """A Trainer's run whose newest checkpoint names an older one as the best."""
    run = tmp_path / "run"
    shutil.copytree(corpus / "torch/hf_trainer_single", run)
    for state in run.glob("checkpoint-*/trainer_state.json"):
        told = json.loads(state.read_text())
        told["best_model_checkpoint"] = str(run / "checkpoint-best")
        state.write_text(json.dumps(told))
    (run / "checkpoint-best").mkdir()
    (run / "checkpoint-best" / "notes.txt").touch()
    cold(run)
    return run


def codes(store: Store) -> set[str]:
    return {f.code for c in store.snapshot().checkpoints for f in c.findings}


@pytest.mark.parametrize("named", ["checkpoint-best", "checkpoint-best/notes.txt", "."])
def test_the_best_checkpoint_that_goes_and_comes_is_seen(run: Path, named: str) -> None:
    """Whether the event names it, something in it, or the run's directory."""
    store = Store(str(run), TIMELESS)
    store.look()
    dirty = frozenset({str(run / named)})
    shutil.move(run / "checkpoint-best", run.parent / "aside")
    assert FINDING not in codes(store)
    store.look(dirty)
    assert FINDING in codes(store)
    assert summary(store.snapshot()) == summary(Store(str(run), TIMELESS).look())
    shutil.move(run.parent / "aside", run / "checkpoint-best")
    store.look(dirty)
    assert FINDING not in codes(store)
    assert summary(store.snapshot()) == summary(Store(str(run), TIMELESS).look())


def test_a_full_look_asks_again_too(run: Path) -> None:
    store = Store(str(run), TIMELESS)
    store.look()
    shutil.rmtree(run / "checkpoint-best")
    store.look()
    assert FINDING in codes(store)


class Asked(System):
    """The real system, which notes what is asked by name and what is opened."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.opened: list[str] = []

    def lstat(self, path: str) -> os.stat_result:
        self.asked.append(path)
        return super().lstat(path)

    def open(self, path: str, flags: int) -> int:
        self.opened.append(path)
        return super().open(path, flags)


def test_nothing_is_read_and_nobody_is_asked_where_nothing_changed(run: Path) -> None:
    store = Store(str(run), TIMELESS)
    store.look()
    system = Asked()
    with calls.replaced(system):
        store.look(frozenset({str(run / "checkpoint-10")}))
        store.look(frozenset({str(run)}))
    assert str(run / "checkpoint-best") not in system.asked
    assert not system.opened


@given(
    asked=st.dictionaries(
        st.sampled_from("abcd"), st.lists(st.sampled_from(["/r/x", "/r/y", "/s/z"]), unique=True)
    ),
    gone=st.sets(st.sampled_from("abcd")),
)
def test_what_is_forgotten_is_not_asked_for(asked: dict[str, list[str]], gone: set[str]) -> None:
    """Of paths that are not there, those are outdated that were there once."""
    neighbours = Neighbours()
    for checkpoint, paths in asked.items():
        neighbours.note(checkpoint, ())
        neighbours.note(checkpoint, tuple(NeighbourFacts(path, True) for path in paths))
    for checkpoint in gone:
        neighbours.forget(checkpoint)
    kept = {checkpoint: paths for checkpoint, paths in asked.items() if checkpoint not in gone}
    assert neighbours.outdated(None, {}) == {name for name, paths in kept.items() if paths}
    under = {name for name, paths in kept.items() if {"/r/x", "/r/y"} & set(paths)}
    assert neighbours.outdated(frozenset({"/r"}), {}) == under
    only = {name for name, paths in kept.items() if "/s/z" in paths}
    assert neighbours.outdated(frozenset({"/s/z", "/r/other"}), {}) == only


def test_the_source_of_a_conversion_that_was_cut_is_asked_for_again(
    tmp_path: Path, corpus: Path
) -> None:
    """While the source is there, what was made of it halfway is no attempt."""
    run = tmp_path / "run"
    shutil.copytree(corpus / "torch/deepspeed_universal", run, symlinks=True)
    universal = next(path for path in sorted(run.rglob("*_universal")) if path.is_dir())
    source = universal.with_name(universal.name.removesuffix("_universal"))
    (universal / "zero" / "optimizer_state.pt").unlink()
    cold(run)
    store = Store(str(run), TIMELESS)
    before = summary(store.look())
    shutil.rmtree(source)
    store.look(frozenset({str(source)}))
    assert [row for row in summary(store.snapshot()) if row in before] == []
    assert summary(store.snapshot()) == summary(Store(str(run), TIMELESS).look())

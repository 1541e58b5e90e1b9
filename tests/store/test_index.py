"""The store: what it finds, when it reads again, and that incremental looks equal full ones."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ckpt_tui.core.vocabulary import Level, Verdict
from ckpt_tui.store.index import Store
from ckpt_tui.store.members import Options
from tests.store.runs import ROLES, write_checkpoint

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Snapshot


def summary(snapshot: Snapshot) -> list[object]:
    """All that a front end shows, without what depends on the moment of the look."""
    return [
        (
            run.path,
            run.format,
            run.level,
            run.resume.path if run.resume else None,
            [(p.path, p.target, p.state) for p in run.pointers],
            [
                (c.path, c.verdict, c.step, sorted(f.code for f in c.findings))
                for c in run.checkpoints
            ],
        )
        for run in snapshot.runs
    ]


def cold(path: Path) -> None:
    """Makes everything below look as if it had been written long ago."""
    for directory, _, names in os.walk(path, topdown=False):
        for name in (*names, "."):
            os.utime(os.path.join(directory, name), (1_700_000_000, 1_700_000_000))


def test_finds_runs_and_their_resume_points(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "a", 10)
    write_checkpoint(tmp_path / "a", 20, commit=False)
    write_checkpoint(tmp_path / "b" / "nested", 5)
    cold(tmp_path)
    snapshot = Store(str(tmp_path)).look()
    assert [run.name for run in snapshot.runs] == ["a", "b/nested"]
    first, second = snapshot.runs
    assert first.resume is not None
    assert first.resume.step == 10
    assert [c.verdict for c in first.checkpoints] == [Verdict.UNCOMMITTED, Verdict.EXACT]
    assert first.level is Level.WARNING
    assert second.level is Level.OK


def test_a_checkpoint_given_as_root_is_judged_alone(tmp_path: Path) -> None:
    one = write_checkpoint(tmp_path, 10)
    write_checkpoint(tmp_path, 20)
    snapshot = Store(str(one)).look()
    assert [c.path for c in snapshot.checkpoints] == [str(one)]
    assert snapshot.single


def test_an_empty_directory_named_like_its_siblings_is_an_attempt(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    (tmp_path / "step-20").mkdir()
    cold(tmp_path)
    run = Store(str(tmp_path)).look().runs[0]
    assert [(c.step, c.verdict) for c in run.checkpoints] == [
        (20, Verdict.UNCOMMITTED),
        (10, Verdict.EXACT),
    ]


def test_the_search_ends_six_levels_down_and_never_follows_a_link_out(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write_checkpoint(root / "1/2/3/4/5", 10)
    write_checkpoint(root / "1/2/3/4/5/6", 20)
    outside = tmp_path / "outside"
    write_checkpoint(outside, 30)
    (root / "link").symlink_to(outside)
    assert [c.step for c in Store(str(root)).look().checkpoints] == [10]


def test_a_missing_root_is_told_and_comes_back(tmp_path: Path) -> None:
    root = tmp_path / "root"
    store = Store(str(root))
    assert store.look().error
    write_checkpoint(root, 10)
    snapshot = store.look()
    assert not snapshot.error
    assert snapshot.runs[0].resume is not None
    shutil.rmtree(root)
    assert store.look().error


def test_an_unchanged_look_hands_out_the_same_picture(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    cold(tmp_path)
    store = Store(str(tmp_path))
    first = store.look()
    assert store.look() is first
    assert store.look(frozenset({str(tmp_path / "step-10")})) is first


def test_only_what_changed_is_judged_anew(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    cold(tmp_path)
    store = Store(str(tmp_path))
    old = store.look().runs[0].checkpoints[0]
    write_checkpoint(tmp_path, 20)
    new = store.look(frozenset({str(tmp_path / "step-20")})).runs[0]
    assert new.checkpoints[1].facts is old.facts
    assert new.checkpoints[0].step == 20


class Clock:
    """Both clocks, moved by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_save_is_in_flight_while_it_grows_and_dead_when_it_stalls(
    tmp_path: Path, clock: Clock
) -> None:
    write_checkpoint(tmp_path, 10)
    saving = write_checkpoint(tmp_path, 20, commit=False)
    cold(tmp_path)
    store = Store(str(tmp_path), wall=clock, monotonic=clock)
    assert store.look().runs[0].checkpoints[0].verdict is Verdict.UNCOMMITTED
    clock.now += 5
    (saving / "model-rank0.bin").write_bytes(bytes(128))
    run = store.look(frozenset({str(saving)})).runs[0]
    assert run.checkpoints[0].verdict is Verdict.SAVING
    assert run.checkpoints[0].progress is not None
    assert store.saving()
    clock.now += 121
    assert store.look().runs[0].checkpoints[0].verdict is Verdict.UNCOMMITTED
    assert not store.saving()


def test_progress_is_measured_against_the_last_whole_checkpoint(
    tmp_path: Path, clock: Clock
) -> None:
    write_checkpoint(tmp_path, 10, shard_bytes=1000)
    cold(tmp_path)
    store = Store(str(tmp_path), wall=clock, monotonic=clock)
    whole = store.look().runs[0].checkpoints[0].facts.size_bytes
    saving = tmp_path / "step-20"
    saving.mkdir()
    for seconds in range(4):
        clock.now += 1
        (saving / "model-rank0.bin").write_bytes(bytes(500 * (seconds + 1)))
        run = store.look(frozenset({str(saving)})).runs[0]
    progress = run.checkpoints[0].progress
    assert progress is not None
    assert progress.expected_bytes == whole
    assert progress.bytes_per_second == pytest.approx(500, rel=0.01)
    assert progress.eta_seconds == pytest.approx((whole - 2000) / 500, rel=0.01)


def test_a_silent_rank_is_named(tmp_path: Path, clock: Clock) -> None:
    write_checkpoint(tmp_path, 10, shard_bytes=1000)
    cold(tmp_path)
    store = Store(str(tmp_path), wall=clock, monotonic=clock)
    store.look()
    saving = tmp_path / "step-20"
    saving.mkdir()
    (saving / "model-rank1.bin").write_bytes(bytes(10))
    for step in range(40):
        clock.now += 1
        (saving / "model-rank0.bin").write_bytes(bytes(100 + step))
        run = store.look(frozenset({str(saving)})).runs[0]
    progress = run.checkpoints[0].progress
    assert progress is not None
    assert 1 in progress.silent_ranks
    assert 0 not in progress.silent_ranks


def test_one_shot_looks_want_a_second_one_only_for_a_young_unfinished_save(
    tmp_path: Path,
) -> None:
    write_checkpoint(tmp_path, 10)
    store = Store(str(tmp_path))
    store.look()
    assert not store.unsettled()
    unfinished = write_checkpoint(tmp_path, 20, commit=False)
    store.look()
    assert store.unsettled()
    cold(unfinished)
    fresh = Store(str(tmp_path))
    fresh.look()
    assert not fresh.unsettled()


# A store that watched a file shrink knows that something moves; a new one sees cold times only.
TIMELESS = Options(stall_after_seconds=0)


def test_a_split_save_that_lacks_a_part_is_looked_at_twice(tmp_path: Path, corpus: Path) -> None:
    whole = corpus / "torch/verl_like_ws2/global_step_20"
    young = tmp_path / "global_step_20"
    (young / "actor").mkdir(parents=True)
    for rank in range(2):
        name = f"model_world_size_2_rank_{rank}.pt"
        shutil.copyfile(whole / "actor" / name, young / "actor" / name)
    store = Store(str(tmp_path))
    assert [c.verdict for c in store.look().checkpoints] == [Verdict.SAVING]
    assert store.unsettled()


class IncrementalEqualsFull(RuleBasedStateMachine):
    """Random operations; a store that looks only at dirty paths must see what a new one sees."""

    steps = st.integers(1, 6)
    places = st.sampled_from(["", "x", "x/y"])

    @initialize()
    def begin(self) -> None:
        self.home = TemporaryDirectory()
        self.root = Path(self.home.name)
        self.store = Store(str(self.root), TIMELESS)
        self.store.look()
        self.dirty: set[str] = set()

    def teardown(self) -> None:
        self.home.cleanup()

    @rule(place=places, step=steps, commit=st.booleans(), roles=st.integers(1, 5))
    def save(self, place: str, step: int, commit: bool, roles: int) -> None:
        made = write_checkpoint(self.root / place, step, commit=commit, roles=ROLES[:roles])
        cold(made)
        self.dirty |= {str(made), str(made.parent)}

    @rule(place=places, step=steps)
    def remove(self, place: str, step: int) -> None:
        target = self.root / place / f"step-{step}"
        shutil.rmtree(target, ignore_errors=True)
        self.dirty.add(str(target))

    @rule(place=places, step=steps, size=st.integers(0, 80))
    def cut(self, place: str, step: int, size: int) -> None:
        target = self.root / place / f"step-{step}" / "model-rank1.bin"
        if target.exists():
            os.truncate(target, size)
            cold(target.parent)
            self.dirty.add(str(target))

    @rule(place=places, step=steps, to=steps)
    def rename(self, place: str, step: int, to: int) -> None:
        source, target = (self.root / place / f"step-{n}" for n in (step, to))
        if source.exists() and not target.exists():
            source.rename(target)
            self.dirty |= {str(source), str(target)}

    @rule(place=places, text=st.sampled_from(["step-1", "step-9", "", "../step-2"]))
    def point(self, place: str, text: str) -> None:
        if (self.root / place).is_dir():
            (self.root / place / "latest").write_text(text)
            self.dirty.add(str(self.root / place / "latest"))

    @rule()
    def remove_all(self) -> None:
        shutil.rmtree(self.root / "x", ignore_errors=True)
        self.dirty.add(str(self.root / "x"))

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "store"):
            return
        incremental = self.store.look(frozenset(self.dirty))
        self.dirty.clear()
        assert summary(incremental) == summary(Store(str(self.root), TIMELESS).look())


TestIncrementalEqualsFull = IncrementalEqualsFull.TestCase
TestIncrementalEqualsFull.settings = settings(
    max_examples=25,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)

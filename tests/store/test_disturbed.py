"""Checkpoints that move, vanish or change their kind during a look, or lie behind a link."""

from __future__ import annotations

import errno
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.base import Claim
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import list_directory, list_tree
from ckpt_tui.fs.system import System
from ckpt_tui.store import refresh
from ckpt_tui.store.index import Store
from ckpt_tui.store.record import Records
from tests.store.runs import write_checkpoint
from tests.store.test_index import TIMELESS, cold, summary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.core.snapshot import Snapshot


def rows(snapshot: Snapshot) -> list[tuple[str, Verdict]]:
    return [(c.facts.name, c.verdict) for c in snapshot.checkpoints]


# -- links -----------------------------------------------------------------------------------------


def test_the_newest_checkpoint_moved_away_behind_a_link_is_told(tmp_path: Path) -> None:
    run = tmp_path / "run"
    write_checkpoint(run, 10)
    write_checkpoint(run, 20)
    shutil.move(run / "step-20", tmp_path / "far")
    (run / "step-20").symlink_to(tmp_path / "far")
    seen = Store(str(run)).look()
    assert rows(seen) == [("step-20", Verdict.UNKNOWN), ("step-10", Verdict.EXACT)]
    assert [f.code for f in seen.runs[0].rejected_newer[0].findings] == ["outside-path"]
    assert not seen.runs[0].pointers


def test_a_link_to_another_place_below_the_root_is_counted_once(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10)
    far = write_checkpoint(tmp_path / "archive", 20)
    cold(tmp_path)
    store = Store(str(tmp_path), TIMELESS)
    assert [run.name for run in store.look().runs] == ["archive", "run"]
    (tmp_path / "run/step-20").symlink_to(far)
    seen = store.look(frozenset({str(tmp_path / "run/step-20")}))
    assert [run.name for run in seen.runs] == ["run"]
    assert rows(seen) == [("step-20", Verdict.EXACT), ("step-10", Verdict.EXACT)]
    os.truncate(far / "model-rank0.bin", 3)
    seen = store.look(frozenset({str(far / "model-rank0.bin")}))
    assert rows(seen)[0] == ("step-20", Verdict.CORRUPT)
    (tmp_path / "run/step-20").unlink()
    seen = store.look(frozenset({str(tmp_path / "run/step-20")}))
    assert [run.name for run in seen.runs] == ["archive", "run"]


def test_a_link_to_a_file_given_as_root_is_judged_as_the_file(tmp_path: Path, corpus: Path) -> None:
    source = corpus / "torch/plain_numbered/ckpt_000300.pt"
    (tmp_path / "latest.pt").symlink_to(source)
    seen = Store(str(tmp_path / "latest.pt")).look()
    assert [c.path for c in seen.checkpoints] == [str(source)]
    assert seen.single
    assert seen.runs[0].resume is not None


# -- young and empty -------------------------------------------------------------------------------


def test_a_directory_made_this_moment_is_in_flight_not_dead(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    cold(tmp_path)
    (tmp_path / "step-20").mkdir()
    store = Store(str(tmp_path))
    assert rows(store.look())[0] == ("step-20", Verdict.SAVING)
    assert store.unsettled()
    cold(tmp_path / "step-20")
    assert rows(Store(str(tmp_path)).look())[0] == ("step-20", Verdict.UNCOMMITTED)


# -- moving ----------------------------------------------------------------------------------------


class Disturbance:
    """Does something to a checkpoint right when it is read or listed, once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, source: Path, target: Path | None) -> None:
        self.source, self.target = source, target
        self.done = False
        self._patch = monkeypatch

    def act(self, path: str) -> None:
        if path == str(self.source) and not self.done:
            self.done = True
            if self.target is None:
                shutil.rmtree(self.source)
            else:
                self.source.rename(self.target)

    def before_listing(self) -> None:
        def disturbed(
            path: str, members: tuple[str, ...] = (), *, deep: bool = True, boundary: str = ""
        ) -> Tree:
            self.act(path)
            return list_tree(path, members, deep=deep, boundary=boundary)

        self._patch.setattr(refresh, "list_tree", disturbed)

    def before_reading(self) -> None:
        def disturbed(claim: Claim, tree: Tree, limits: Limits) -> CheckpointFacts:
            self.act(claim.path)
            return read_checkpoint(claim, tree, limits)

        self._patch.setattr(refresh, "read_checkpoint", disturbed)


@pytest.mark.parametrize("when", ["before_listing", "before_reading"])
@pytest.mark.parametrize("new_name", [None, "step-21"])
@pytest.mark.parametrize("watched", [False, True])
def test_what_is_renamed_or_removed_during_a_look_leaves_no_row(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    when: str,
    new_name: str | None,
    watched: bool,
) -> None:
    write_checkpoint(tmp_path, 10)
    cold(tmp_path)
    store = Store(str(tmp_path))
    if watched:
        store.look()
    moved = write_checkpoint(tmp_path, 20)
    disturbance = Disturbance(monkeypatch, moved, tmp_path / new_name if new_name else None)
    getattr(disturbance, when)()
    seen = store.look(frozenset({str(moved)}) if watched else None)
    assert disturbance.done
    assert [name for name, _ in rows(seen)] == ([new_name] if new_name else []) + ["step-10"]
    assert all(verdict is not Verdict.UNKNOWN for _, verdict in rows(seen))
    assert not seen.problems


def test_a_directory_that_is_no_checkpoint_any_more_is_searched_anew(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    export = tmp_path / "final"
    shutil.copytree(tmp_path / "step-10", export)
    cold(tmp_path)
    store = Store(str(tmp_path))
    assert len(store.look().checkpoints) == 2
    for path in export.iterdir():
        path.rename(path.with_suffix(".old"))
    seen = store.look(frozenset({str(export / "manifest.json")}))
    assert rows(seen) == [("step-10", Verdict.EXACT)]
    assert summary(seen) == summary(Store(str(tmp_path)).look())


def test_an_attempt_stays_one_by_its_name(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    broken = write_checkpoint(tmp_path, 20)
    store = Store(str(tmp_path))
    store.look()
    for path in broken.iterdir():
        path.rename(path.with_suffix(".old"))
    cold(tmp_path)
    dirty = frozenset({str(broken / "manifest.json")})
    assert [name for name, _ in rows(store.look(dirty))] == ["step-20", "step-10"]
    for path in sorted(broken.iterdir()):
        path.unlink()
    seen = store.look(frozenset({str(broken)}))
    assert [name for name, _ in rows(seen)] == ["step-20", "step-10"]


def test_a_run_that_looked_like_one_checkpoint_is_told_apart_once_steps_come(
    tmp_path: Path, corpus: Path
) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / ".metadata").write_bytes(b"")
    cold(tmp_path)
    store = Store(str(tmp_path))
    assert [c.path for c in store.look().checkpoints] == [str(run)]
    source = corpus / "torch/dcp_titan_ws4/checkpoint/step-10"
    shutil.copytree(source, run / "step-10")
    seen = store.look(frozenset({str(run / "step-10")}))
    assert seen.runs[0].resume is not None
    assert seen.runs[0].resume.step == 10
    assert summary(seen) == summary(Store(str(tmp_path)).look())


def test_an_attempt_goes_with_the_siblings_that_made_it_one(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    (tmp_path / "step-20").mkdir()
    store = Store(str(tmp_path))
    assert len(store.look().checkpoints) == 2
    shutil.rmtree(tmp_path / "step-10")
    assert not store.look(frozenset({str(tmp_path / "step-10")})).checkpoints


def test_what_becomes_a_checkpoint_makes_its_siblings_attempts(tmp_path: Path) -> None:
    (tmp_path / "step-10").mkdir()
    (tmp_path / "step-20").mkdir()
    store = Store(str(tmp_path))
    assert not store.look().checkpoints
    made = write_checkpoint(tmp_path, 10)
    assert len(store.look(frozenset({str(made / "manifest.json")})).checkpoints) == 2


# -- what cannot be listed -------------------------------------------------------------------------


class _Refused:
    """An entry of a directory that may be listed, but not entered."""

    def __init__(self, entry: os.DirEntry[str], number: int) -> None:
        self.name, self.path, self.is_dir = entry.name, entry.path, entry.is_dir
        self._number = number

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        raise OSError(self._number, os.strerror(self._number))


class _Scan:
    def __init__(self, path: str, number: int) -> None:
        with os.scandir(path) as scan:
            self._entries = [_Refused(entry, number) for entry in scan]

    def __enter__(self) -> Iterator[_Refused]:
        return iter(self._entries)

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def refuse() -> Iterator[dict[str, int]]:
    """Directory → error number that every stat of an entry of it gives."""
    numbers: dict[str, int] = {}

    class _Refusing(System):
        def scandir(self, path: str) -> object:
            return _Scan(path, numbers[path]) if path in numbers else super().scandir(path)

    with calls.replaced(_Refusing()):
        yield numbers


def test_entries_that_may_not_be_looked_at_are_told_once(
    tmp_path: Path, refuse: dict[str, int]
) -> None:
    locked = write_checkpoint(tmp_path, 20)
    write_checkpoint(tmp_path, 10)
    refuse[str(locked)] = errno.EACCES
    assert list_tree(str(locked)).problems == (("", "Permission denied"),)
    assert list_directory(str(locked)).problem == "Permission denied"
    newest = Store(str(tmp_path)).look().checkpoints[0]
    assert (newest.facts.name, newest.verdict) == ("step-20", Verdict.UNKNOWN)
    assert "permission-denied" in [f.code for f in newest.findings]


def test_entries_that_are_gone_are_left_out(tmp_path: Path, refuse: dict[str, int]) -> None:
    gone = write_checkpoint(tmp_path, 20)
    refuse[str(gone)] = errno.ENOENT
    tree = list_tree(str(gone))
    assert not tree.entries
    assert not tree.problems


def test_a_missing_root_is_told_once(tmp_path: Path) -> None:
    seen = Store(str(tmp_path / "nowhere")).look()
    assert seen.error == "No such file or directory"
    assert not seen.problems


# -- size ------------------------------------------------------------------------------------------


def test_records_know_what_lies_below_without_a_scan() -> None:
    records = Records("/runs")
    export = Claim("hf-trainer", "/a/b", export=True)
    records.admit(export)
    assert not records.holds_run(export)
    records.admit(Claim("hf-trainer", "/a/b/c/checkpoint-10"))
    records.admit(Claim("hf-trainer", "/a/b/c/checkpoint-10"))
    assert records.holds_run(export)
    assert not records.holds_run(Claim("hf-trainer", "/a/b"))
    records.forget("/a/b/c/checkpoint-10")
    assert not records.holds_run(export)

"""Stale attribute caches raise no false alarm, and hide no real loss for long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import list_tree
from ckpt_tui.fs.mounts import Mount
from ckpt_tui.fs.staleness import stale_seconds
from ckpt_tui.store.growth import DAMAGE_SECONDS
from ckpt_tui.store.index import Store
from tests.network.injected import Injected
from tests.store.runs import ROLES, commit_checkpoint, write_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.network.fuse_mount import FuseMount

CACHE_SECONDS = 60.0


class Watched:
    """A store on a clock of its own, which notes every verdict that its pictures show."""

    def __init__(self, root: Path, cache_seconds: float = CACHE_SECONDS) -> None:
        self.passed_seconds = 0.0
        began = time.time()
        self.store = Store(
            str(root),
            wall=lambda: began + self.passed_seconds,
            monotonic=lambda: self.passed_seconds,
        )
        self.store.expect_stale(cache_seconds)
        self.seen: list[Verdict] = []

    def look(self, after_seconds: float = 0.0, hot: bool = False) -> Verdict:
        self.passed_seconds += after_seconds
        dirty = frozenset(self.store.hot_paths()) if hot else None
        self.seen.append(self.store.look(dirty).checkpoints[0].verdict)
        return self.seen[-1]

    def why(self) -> str:
        return self.store.snapshot().checkpoints[0].why


def half_written(run: Path) -> Callable[[], None]:
    """Writes the first half of a save; returns what writes the rest and commits."""
    whole = write_checkpoint(run / "elsewhere", 10)
    document = (whole / "manifest.json").read_text()
    directory = run / "run" / "step-10"
    directory.mkdir(parents=True)
    for shard in whole.glob("*.bin"):
        (directory / shard.name).write_bytes(bytes(20))

    def finish() -> None:
        for shard in whole.glob("*.bin"):
            with open(directory / shard.name, "r+b") as file:
                file.write(shard.read_bytes())
        (directory / "manifest.json.tmp").write_text(document)
        (directory / "manifest.json.tmp").rename(directory / "manifest.json")

    return finish


def remember_attributes(directory: Path) -> None:
    """What anybody on this host does who lists a directory: the answers are kept for a while."""
    list_tree(str(directory))


@pytest.mark.parametrize("watching", [False, True])
def test_sizes_of_before_the_commit_make_no_false_alarm(tmp_path: Path, watching: bool) -> None:
    finish = half_written(tmp_path)
    watched, system = Watched(tmp_path / "run"), Injected()
    with calls.replaced(system):
        system.frozen = True
        remember_attributes(tmp_path / "run" / "step-10")
        if watching:
            assert watched.look() is Verdict.SAVING
        finish()
        assert watched.look(after_seconds=2.0) is Verdict.SAVING
        for _ in range(10):
            assert watched.look(after_seconds=2.0, hot=True) is Verdict.SAVING
        system.frozen = False  # the cache has expired
        assert watched.look(after_seconds=2.0, hot=True) is Verdict.EXACT


def test_without_the_second_look_there_would_be_one(tmp_path: Path) -> None:
    finish = half_written(tmp_path)
    watched, system = Watched(tmp_path / "run", cache_seconds=0.0), Injected()
    with calls.replaced(system):
        system.frozen = True
        remember_attributes(tmp_path / "run" / "step-10")
        finish()
        assert watched.look() is Verdict.CORRUPT


@pytest.mark.parametrize("cache_seconds", [DAMAGE_SECONDS, CACHE_SECONDS])
def test_a_real_loss_is_told_once_no_cache_can_be_the_cause(
    tmp_path: Path, cache_seconds: float
) -> None:
    """Until then it may be a save over what is there, or its old listing."""
    directory = write_checkpoint(tmp_path, 10)
    watched = Watched(tmp_path, cache_seconds)
    assert watched.look() is Verdict.EXACT
    (directory / "model-rank1.bin").unlink()
    found_seconds = 1.0
    while watched.passed_seconds < found_seconds + cache_seconds - 1.0:
        assert watched.look(after_seconds=1.0, hot=True) is Verdict.SAVING
    assert watched.look(after_seconds=1.0, hot=True) is Verdict.INCOMPLETE
    assert watched.store.snapshot().runs[0].resume is None


def test_a_server_that_goes_on_failing_is_told_after_the_caches_time(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    watched, system = Watched(tmp_path), Injected()
    with calls.replaced(system):
        assert watched.look() is Verdict.EXACT
        system.fail = {"step-10": 5}
        while watched.passed_seconds < CACHE_SECONDS:
            assert watched.look(after_seconds=2.0, hot=True) is Verdict.EXACT
            assert "being checked: it looks unknown" in watched.why()
        assert watched.look(after_seconds=4.0, hot=True) is Verdict.UNKNOWN


def test_a_wreck_that_was_there_before_is_told_at_once(tmp_path: Path) -> None:
    directory = write_checkpoint(tmp_path, 10)
    (directory / "model-rank1.bin").write_bytes(b"")
    watched = Watched(tmp_path)
    watched.passed_seconds = 3600.0
    assert watched.look() is Verdict.CORRUPT


@pytest.mark.parametrize("error_number", [5, 13, 110, 116])
def test_an_answer_that_failed_is_asked_for_again(tmp_path: Path, error_number: int) -> None:
    directory = write_checkpoint(tmp_path, 10)
    watched, system = Watched(tmp_path, cache_seconds=0.0), Injected()
    with calls.replaced(system):
        system.fail = {"manifest.json": error_number}
        assert watched.look() is Verdict.UNKNOWN
        system.fail = {}
        assert watched.look() is Verdict.EXACT
        system.fail = {str(directory): error_number}
        assert watched.look(hot=True) is Verdict.UNKNOWN
        system.fail = {}
        assert watched.look(hot=True) is Verdict.EXACT


def test_errors_of_a_moment_are_not_shown_on_a_network(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, 10)
    watched, system = Watched(tmp_path), Injected()
    with calls.replaced(system):
        assert watched.look() is Verdict.EXACT
        system.fail = {"step-10": 116}
        assert watched.look(after_seconds=2.0, hot=True) is Verdict.EXACT
        system.fail = {}
        assert watched.look(after_seconds=2.0, hot=True) is Verdict.EXACT
    assert set(watched.seen) == {Verdict.EXACT}


def test_the_kernels_own_attribute_cache_makes_no_false_alarm(mounted: FuseMount) -> None:
    finish = half_written(mounted.source)
    mounted.behave(cache_seconds=1.5)
    watched = Watched(mounted.path / "run", cache_seconds=3.0)
    began = time.monotonic()
    assert watched.look() is Verdict.SAVING
    finish()
    raw: set[int] = set()
    while watched.look(after_seconds=time.monotonic() - began - watched.passed_seconds) != "exact":
        raw.add((mounted.path / "run/step-10/model-rank0.bin").stat().st_size)
        assert time.monotonic() - began < 5.0
        time.sleep(0.05)
    assert 20 in raw, "the kernel served no stale size: the test shows nothing"
    assert set(watched.seen) == {Verdict.SAVING, Verdict.EXACT}


@pytest.mark.parametrize(
    ("fs_type", "options", "seconds"),
    [
        ("nfs4", "rw,vers=4.2", 60.0),
        ("nfs4", "rw,acregmin=1,acregmax=5,acdirmin=1,acdirmax=10", 10.0),
        ("nfs", "rw,acregmax=5", 60.0),
        ("nfs4", "rw,actimeo=1", 3.0),
        ("nfs", "rw,actimeo=100000", 60.0),
        ("nfs", "noac", 3.0),
        ("cifs", "rw,actimeo=30", 30.0),
        ("cifs", "rw", 3.0),
        ("nfs", "acregmax=,acdirmax=x", 60.0),
        ("lustre", "", 3.0),
        ("fuse.sshfs", "", 20.0),
        ("unheard-of", "", 60.0),
    ],
)
def test_how_long_a_mount_may_be_behind(fs_type: str, options: str, seconds: float) -> None:
    mount = Mount("/mnt", fs_type, "server:/export", tuple(options.split(",")))
    assert stale_seconds(mount) == seconds


def test_a_manifest_ahead_of_the_listing_waits(tmp_path: Path) -> None:
    """The marker's name is looked up anew, while the directory's old listing lacks a shard."""
    directory = write_checkpoint(tmp_path, 10, commit=False)
    watched = Watched(tmp_path)
    assert watched.look() is Verdict.SAVING
    entries = [
        {
            "role": role,
            "path": f"{role}-rank{rank}.bin",
            "rank": rank,
            "checkpoint_id": "step-10",
            "size_bytes": 64,
        }
        for role in ROLES
        for rank in (range(2) if role in ("model", "optimizer", "rng") else [0])
    ]
    late = directory / "model-rank1.bin"
    content = late.read_bytes()
    late.unlink()
    commit_checkpoint(directory, 10, 2, entries)
    assert watched.look(after_seconds=2.0, hot=True) is Verdict.SAVING
    late.write_bytes(content)
    assert watched.look(after_seconds=2.0, hot=True) is Verdict.EXACT


@pytest.mark.parametrize("checkpoints", [10, 60])
def test_a_poll_asks_as_much_for_few_checkpoints_as_for_many(
    tmp_path: Path, checkpoints: int
) -> None:
    for step in range(1, checkpoints + 1):
        write_checkpoint(tmp_path, step)
    watched, system = Watched(tmp_path), Injected()
    with calls.replaced(system):
        watched.passed_seconds = 100.0
        watched.look()
        before = system.calls
        watched.look(after_seconds=2.0, hot=True)
        assert system.calls - before < 60
        write_checkpoint(tmp_path, 1000)
        watched.look(after_seconds=2.0, hot=True)
        assert watched.store.snapshot().checkpoints[0].step == 1000
        (tmp_path / "step-1000" / "model-rank0.bin").unlink()
        before = system.calls
        assert watched.look(after_seconds=2.0, hot=True) is Verdict.SAVING
        assert system.calls - before < 60

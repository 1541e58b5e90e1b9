"""The service on a real directory with the system's own events.

The paces are set to many minutes, so that what arrives was brought by an event and not by a sweep.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.fs.mounts import Mount
from ckpt_tui.watch import choose
from ckpt_tui.watch.service import WatchService
from tests.watch.fakes import NEVER_SECONDS, FolderStore, Screen, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Watch = Callable[..., tuple[FolderStore, Screen]]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Starts a service on a directory and waits for its first snapshot."""
    # The tests' own writes raise events wherever they are, on a container's FUSE overlay, too.
    monkeypatch.setattr(choose, "read_mounts", lambda: (Mount("/", "ext4", "", ()),))
    services: list[WatchService] = []

    def start(root: str, *, poll_seconds: float = NEVER_SECONDS) -> tuple[FolderStore, Screen]:
        store, screen = FolderStore(root), Screen()
        service = WatchService(
            store, screen.show, sweep_seconds=NEVER_SECONDS, poll_seconds=poll_seconds
        )
        services.append(service)
        service.start()
        screen.await_snapshot(lambda snapshot: True)
        assert service.status().mode == "inotify", service.status().reason
        return store, screen

    yield start
    for service in services:
        assert service.stop(5.0)


def test_create_rename_and_delete_are_seen(tmp_path: Path, watch: Watch) -> None:
    _, screen = watch(str(tmp_path))
    staging, final = tmp_path / "step-1.tmp", tmp_path / "step-1"
    staging.mkdir()
    screen.await_paths(str(staging))
    (staging / "shard").write_bytes(b"x")
    screen.await_paths(str(staging), str(staging / "shard"))
    staging.rename(final)
    screen.await_paths(str(final), str(final / "shard"))
    (final / "shard").unlink()
    screen.await_paths(str(final))
    final.rmdir()
    screen.await_paths()


def test_commits_one_after_another_all_arrive(tmp_path: Path, watch: Watch) -> None:
    store, screen = watch(str(tmp_path))
    expected: list[str] = []
    for step in range(20):
        staging = tmp_path / f"step-{step}.tmp"
        staging.write_bytes(b"x")
        expected.append(str(tmp_path / f"step-{step}"))
        staging.rename(expected[-1])
        screen.await_paths(*expected)
    assert store.looks.count(None) == 1


def test_directory_moved_in_from_outside(tmp_path: Path, watch: Watch) -> None:
    root = tmp_path / "run"
    root.mkdir()
    outside = tmp_path / "copied"
    (outside / "inner").mkdir(parents=True)
    (outside / "inner" / "shard").write_bytes(b"x")
    _, screen = watch(str(root))
    outside.rename(root / "step-1")
    first = (str(root / "step-1"), str(root / "step-1/inner"), str(root / "step-1/inner/shard"))
    screen.await_paths(*first)
    (root / "step-1" / "inner" / "late").write_bytes(b"x")
    screen.await_paths(*first, str(root / "step-1/inner/late"))


def test_nested_directories_created_with_files_at_once(tmp_path: Path, watch: Watch) -> None:
    _, screen = watch(str(tmp_path))
    expected: set[str] = set()
    for step in range(50):
        inner = tmp_path / f"step-{step}" / "a" / "b"
        inner.mkdir(parents=True)
        (inner / "shard").write_bytes(b"x")
        expected |= {str(inner / "shard"), str(inner), str(inner.parent), str(inner.parent.parent)}
    screen.await_paths(*expected)


def test_root_deleted_and_recreated(tmp_path: Path, watch: Watch) -> None:
    root = tmp_path / "run"
    (root / "step-1").mkdir(parents=True)
    _, screen = watch(str(root), poll_seconds=0.05)
    screen.await_paths(str(root / "step-1"))
    shutil.rmtree(root)
    (root / "step-2").mkdir(parents=True)
    screen.await_paths(str(root / "step-2"))
    (root / "step-3").mkdir()
    screen.await_paths(str(root / "step-2"), str(root / "step-3"))


def test_root_replaced_by_another_directory(tmp_path: Path, watch: Watch) -> None:
    root = tmp_path / "run"
    root.mkdir()
    _, screen = watch(str(root), poll_seconds=0.05)
    root.rename(tmp_path / "old")
    (root / "step-1").mkdir(parents=True)
    screen.await_paths(str(root / "step-1"))
    (root / "step-2").mkdir()
    screen.await_paths(str(root / "step-1"), str(root / "step-2"))


def test_root_that_is_a_link_keeps_its_spelling(tmp_path: Path, watch: Watch) -> None:
    real, other, link = tmp_path / "real", tmp_path / "other", tmp_path / "current"
    real.mkdir()
    (other / "step-9").mkdir(parents=True)
    link.symlink_to(real)
    _, screen = watch(str(link), poll_seconds=0.05)
    (real / "step-1").mkdir()
    screen.await_paths(str(link / "step-1"))

    (tmp_path / "next").symlink_to(other)
    os.replace(tmp_path / "next", link)
    screen.await_paths(str(link / "step-9"))
    (other / "step-10").mkdir()
    screen.await_paths(str(link / "step-9"), str(link / "step-10"))


def test_pointer_link_swapped(tmp_path: Path, watch: Watch) -> None:
    store, screen = watch(str(tmp_path))
    latest = tmp_path / "latest"
    (tmp_path / "latest.tmp").symlink_to("step-1")
    os.replace(tmp_path / "latest.tmp", latest)
    screen.await_paths(str(latest))
    assert any(dirty is not None and str(latest) in dirty for dirty in store.looks)


def test_save_in_flight_is_looked_at_without_events(tmp_path: Path, watch: Watch) -> None:
    store, screen = watch(str(tmp_path))
    hot = frozenset({str(tmp_path)})
    store.hot = tuple(hot)
    store.in_flight = True
    (tmp_path / "shard").write_bytes(b"x")
    screen.await_paths(str(tmp_path / "shard"))
    before = store.looks.count(hot)
    wait_until(lambda: store.looks.count(hot) >= before + 2)
    store.in_flight = False

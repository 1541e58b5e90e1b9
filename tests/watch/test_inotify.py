"""Linux' events on real directories: which paths are told, and what stays watched."""

from __future__ import annotations

import os
import resource
import shutil
import struct
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.watch import kernel_events as kernel
from ckpt_tui.watch.inotify import InotifyWatch
from ckpt_tui.watch.kernel_events import KernelEvent, KernelQueue, parse_events, watch_limit
from ckpt_tui.watch.ports import WatchRefusedError
from ckpt_tui.watch.watched_tree import WatchedTree
from tests.watch.fakes import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Heard:
    """What a watch told."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.losses = 0

    def lost(self) -> None:
        self.losses += 1


@pytest.fixture
def queue() -> Iterator[KernelQueue]:
    made = KernelQueue()
    yield made
    made.close()


def read_all(top: Path, queue: KernelQueue, tree: WatchedTree) -> set[str]:
    """What the tree says of all events up to now; the queue keeps their order."""
    last = top / "last"
    last.mkdir()
    last.rmdir()
    told: set[str] = set()
    ended = False
    while not ended:
        for event in queue.read() or ():
            path = tree.take(event)
            if path is not None:
                told.add(path)
            ended = ended or (event.name == last.name and bool(event.mask & kernel.IN_DELETE))
    return told - {str(last)}


def test_events_are_parsed_as_the_kernel_packs_them() -> None:
    name = "caf\udce9".encode("utf-8", "surrogateescape")
    packed = struct.pack("iIII16s", 3, kernel.IN_CREATE, 0, 16, name)
    packed += struct.pack("iIII", -1, kernel.IN_Q_OVERFLOW, 0, 0)
    assert list(parse_events(packed)) == [
        KernelEvent(3, kernel.IN_CREATE, "caf\udce9"),
        KernelEvent(-1, kernel.IN_Q_OVERFLOW, ""),
    ]


def test_a_tree_is_watched_without_following_links(tmp_path: Path, queue: KernelQueue) -> None:
    (tmp_path / "run" / "step-1" / "inner").mkdir(parents=True)
    (tmp_path / "run" / "loop").symlink_to(tmp_path)
    tree = WatchedTree(str(tmp_path / "run"), queue)
    tree.start()
    assert len(tree) == 3


def test_a_directory_that_moves_is_told_by_its_new_name(tmp_path: Path, queue: KernelQueue) -> None:
    (tmp_path / "step-1.tmp" / "inner").mkdir(parents=True)
    tree = WatchedTree(str(tmp_path), queue)
    tree.start()
    (tmp_path / "step-1.tmp").rename(tmp_path / "step-1")
    (tmp_path / "step-1.tmp").mkdir()  # the next save takes the old name again
    assert str(tmp_path / "step-1") in read_all(tmp_path, queue, tree)
    (tmp_path / "step-1" / "inner" / "late").touch()
    (tmp_path / "step-1.tmp" / "early").touch()
    assert read_all(tmp_path, queue, tree) == {
        str(tmp_path / "step-1" / "inner" / "late"),
        str(tmp_path / "step-1.tmp" / "early"),
    }
    assert len(tree) == 4


def test_deleted_directories_leave_nothing_behind(tmp_path: Path, queue: KernelQueue) -> None:
    tree = WatchedTree(str(tmp_path), queue)
    tree.start()
    for step in range(50):
        inner = tmp_path / f"step-{step}" / "inner"
        inner.mkdir(parents=True)
        read_all(tmp_path, queue, tree)
        inner.rmdir()
        inner.parent.rmdir()
        read_all(tmp_path, queue, tree)
    assert len(tree) == 1


def _calls_of_a_rename(top: Path, queue: KernelQueue, watched: int) -> int:
    """Calls of functions, Python's own included, to follow one directory to another name."""
    for number in range(watched):
        (top / "old" / f"step-{number}").mkdir(parents=True)
    (top / "new.tmp" / "inner").mkdir(parents=True)
    tree = WatchedTree(str(top), queue)
    tree.start()
    (top / "new.tmp").rename(top / "new")
    events = queue.read() or []
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        told = {tree.take(event) for event in events}
    finally:
        sys.setprofile(before)
    assert str(top / "new") in told
    assert len(tree) == watched + 4
    return calls


def test_a_rename_costs_what_lies_below_it_not_all_that_is_watched(
    tmp_path: Path, queue: KernelQueue
) -> None:
    few = _calls_of_a_rename(tmp_path / "few", queue, 3)
    assert _calls_of_a_rename(tmp_path / "many", queue, 300) < 2 * few


def test_a_directory_whose_going_was_told_late_leaves_nothing_behind(
    tmp_path: Path, queue: KernelQueue
) -> None:
    """Its new name is found by listing before the rename is told; then it is deleted."""
    (tmp_path / "a" / "inner").mkdir(parents=True)
    tree = WatchedTree(str(tmp_path), queue)
    tree.start()
    (tmp_path / "b").mkdir()
    (tmp_path / "a").rename(tmp_path / "b" / "a")
    read_all(tmp_path, queue, tree)
    (tmp_path / "b" / "a" / "inner" / "late").touch()
    assert str(tmp_path / "b" / "a" / "inner" / "late") in read_all(tmp_path, queue, tree)
    shutil.rmtree(tmp_path / "b")
    read_all(tmp_path, queue, tree)
    assert len(tree) == 1


def test_a_directory_that_may_not_be_listed_is_tried_again(
    tmp_path: Path, queue: KernelQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of open files is real: whoever lists needs one."""
    (tmp_path / "step-1" / "inner").mkdir(parents=True)
    tree = WatchedTree(str(tmp_path), queue)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        tree.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(tree) == 1
    assert tree.retry() == (str(tmp_path),)
    assert len(tree) == 3


def test_a_root_that_is_a_link_is_told_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "real" / "step-1").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    heard = Heard()
    watch = InotifyWatch(str(tmp_path / "link"), on_path=heard.paths.append, on_lost=heard.lost)
    watch.start()
    (tmp_path / "real" / "step-1" / "shard").touch()
    wait_until(lambda: str(tmp_path / "link" / "step-1" / "shard") in heard.paths)
    assert watch.is_complete()
    (tmp_path / "real" / "step-1" / "shard").unlink()
    (tmp_path / "real" / "step-1").rmdir()
    (tmp_path / "real").rmdir()
    wait_until(lambda: not watch.alive())
    watch.stop()


def test_everything_is_given_back(tmp_path: Path) -> None:
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        watch = InotifyWatch(str(tmp_path), on_path=lambda _: None, on_lost=lambda: None)
        watch.start()
        watch.stop()
    absent = InotifyWatch(str(tmp_path / "no"), on_path=lambda _: None, on_lost=lambda: None)
    with pytest.raises(FileNotFoundError):
        absent.start()
    assert set(os.listdir("/proc/self/fd")) == before
    assert not [t for t in threading.enumerate() if t.name == "ckpt-tui-inotify"]


def test_no_instance_to_be_had_is_a_refusal_with_its_reason(tmp_path: Path) -> None:
    watch = InotifyWatch(str(tmp_path), on_path=lambda _: None, on_lost=lambda: None)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        with pytest.raises(WatchRefusedError, match="max_user_instances"):
            watch.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    watch.stop()


def test_the_limit_is_named() -> None:
    name, _, number = watch_limit().partition(" = ")
    assert name in ("fs.inotify.max_user_watches", "user.max_inotify_watches")
    assert int(number) > 0

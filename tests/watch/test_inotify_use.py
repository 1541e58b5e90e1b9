from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.watch.inotify_use import (
    count_directories,
    count_watches,
    inotify_fds,
    watch_limit,
)
from ckpt_tui.watch.native import NativeWatch

if TYPE_CHECKING:
    from pathlib import Path


def test_directories_are_counted_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "run" / "step-1" / "a").mkdir(parents=True)
    (tmp_path / "run" / "step-2").mkdir()
    (tmp_path / "run" / "file").touch()
    (tmp_path / "run" / "latest").symlink_to("step-2")
    (tmp_path / "run" / "loop").symlink_to(tmp_path)
    os.symlink(tmp_path / "run", tmp_path / "link")
    assert count_directories(str(tmp_path / "run")) == 4
    assert count_directories(str(tmp_path / "link")) == 4
    assert count_directories(str(tmp_path / "absent")) == 0


def test_watches_are_counted_and_given_back(tmp_path: Path) -> None:
    (tmp_path / "step-1" / "a").mkdir(parents=True)
    before = inotify_fds()
    watch = NativeWatch(str(tmp_path), on_path=lambda _: None, on_lost=lambda: None)
    watch.start()
    (fd,) = inotify_fds() - before
    assert count_watches(fd) == 3
    assert watch.alive()
    assert watch.is_complete()
    watch.stop()
    assert inotify_fds() == before


def test_a_closed_instance_cannot_be_counted() -> None:
    assert count_watches(10**6) is None


def test_the_limit_is_named() -> None:
    name, _, number = watch_limit().partition(" = ")
    assert name in ("fs.inotify.max_user_watches", "user.max_inotify_watches")
    assert int(number) > 0

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.fs.mounts import Mount
from ckpt_tui.watch import choose
from ckpt_tui.watch.choose import WatchMode, choose_mode

if TYPE_CHECKING:
    from pathlib import Path

ROOT = Mount("/", "ext4", "/dev/vda", ())


def test_local_file_system_gets_events(tmp_path: Path) -> None:
    choice = choose_mode(str(tmp_path), mounts=(ROOT,))
    assert choice == (WatchMode.INOTIFY, "local file system (ext4)", 0.0)
    assert choice.mode.uses_events


def test_forced_polling_wins(tmp_path: Path) -> None:
    choice = choose_mode(str(tmp_path), force_poll=True, mounts=(ROOT,))
    assert choice.mode is WatchMode.POLL
    assert "asked for" in choice.reason
    assert choice.stale_seconds == 3.0


def test_shared_file_system_is_polled(tmp_path: Path) -> None:
    choice = choose_mode(str(tmp_path / "run"), mounts=(ROOT, Mount(str(tmp_path), "nfs4", "", ())))
    assert choice == (WatchMode.POLL, "nfs4: inotify sees no other host's writes", 60.0)
    assert not choice.mode.uses_events


def test_shared_mount_below_the_root_is_polled(tmp_path: Path) -> None:
    inner = f"{tmp_path}/job1"
    choice = choose_mode(str(tmp_path), mounts=(ROOT, Mount(inner, "lustre", "", ())))
    assert choice.mode is WatchMode.POLL
    assert choice.reason.startswith(f"{inner} is lustre")


def test_link_is_judged_by_where_it_leads(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    os.symlink(shared, tmp_path / "link")
    mounts = (ROOT, Mount(os.path.realpath(shared), "nfs", "", ()))
    assert choose_mode(str(tmp_path / "link"), mounts=mounts).mode is WatchMode.POLL


@pytest.mark.parametrize(
    ("platform", "mode"), [("linux", WatchMode.INOTIFY), ("darwin", WatchMode.EVENTS)]
)
def test_without_a_mount_table_events_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, mode: WatchMode
) -> None:
    monkeypatch.setattr(choose, "read_mounts", lambda: None)
    monkeypatch.setattr("sys.platform", platform)
    choice = choose_mode(str(tmp_path))
    assert choice.mode is mode
    assert "unknown" in choice.reason

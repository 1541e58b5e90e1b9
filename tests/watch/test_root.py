"""One root with a scripted event source."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.watch import root as root_module
from ckpt_tui.watch.choose import Choice, WatchMode
from ckpt_tui.watch.ports import WatchRefusedError
from ckpt_tui.watch.root import RootWatch

if TYPE_CHECKING:
    from pathlib import Path


class ScriptedSource:
    """An event source whose troubles a test sets."""

    def __init__(self) -> None:
        self.starts = 0
        self.stops = 0
        self.start_error: Exception | None = None
        self.limit: str | None = None
        self.complete = True
        self.living = True

    def start(self) -> None:
        if self.start_error is not None:
            raise self.start_error
        self.starts += 1

    def alive(self) -> bool:
        return self.living

    def is_complete(self) -> bool:
        if self.limit is not None:
            raise WatchRefusedError(self.limit)
        return self.complete

    def stop(self) -> None:
        self.stops += 1


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> ScriptedSource:
    scripted = ScriptedSource()
    monkeypatch.setattr(root_module, "_native_source", lambda *_: scripted)
    monkeypatch.setattr(root_module, "choose_mode", lambda *_, **__: Choice(WatchMode.INOTIFY, "x"))
    return scripted


def watch(path: Path) -> RootWatch:
    return RootWatch(str(path), force_poll=False, on_path=lambda _: None, on_lost=lambda: None)


def test_an_unchanged_root_is_taken_up_once(tmp_path: Path, source: ScriptedSource) -> None:
    root = watch(tmp_path)
    assert root.refresh()
    assert root.choice.mode is WatchMode.INOTIFY
    assert not root.refresh()
    root.close()
    assert (source.starts, source.stops) == (1, 1)


def test_an_absent_root_is_waited_for(tmp_path: Path, source: ScriptedSource) -> None:
    root = watch(tmp_path / "later")
    assert not root.refresh()
    assert root.choice.mode is WatchMode.POLL
    assert "not there" in root.choice.reason
    (tmp_path / "later").mkdir()
    assert root.refresh()
    assert source.starts == 1


def test_a_source_that_died_is_replaced(tmp_path: Path, source: ScriptedSource) -> None:
    root = watch(tmp_path)
    root.refresh()
    source.living = False
    assert root.refresh()
    assert (source.starts, source.stops) == (2, 1)


def test_a_refusal_means_polling_with_its_reason(tmp_path: Path, source: ScriptedSource) -> None:
    source.start_error = WatchRefusedError("inotify instance limit reached")
    root = watch(tmp_path)
    root.refresh()
    assert root.choice == Choice(WatchMode.POLL, "inotify instance limit reached")
    assert not root.refresh()


def test_an_error_of_the_system_means_polling(tmp_path: Path, source: ScriptedSource) -> None:
    source.start_error = OSError(errno.ENOMEM, "Cannot allocate memory")
    root = watch(tmp_path)
    root.refresh()
    assert root.choice.mode is WatchMode.POLL
    assert "Cannot allocate memory" in root.choice.reason


def test_a_tree_that_changes_under_the_start_is_tried_again(
    tmp_path: Path, source: ScriptedSource
) -> None:
    source.start_error = FileNotFoundError()
    root = watch(tmp_path)
    root.refresh()
    assert not root.choice.mode.uses_events
    source.start_error = None
    assert root.refresh()
    assert root.choice.mode is WatchMode.INOTIFY


def test_the_limit_means_polling_with_its_reason(tmp_path: Path, source: ScriptedSource) -> None:
    root = watch(tmp_path)
    root.refresh()
    source.limit = "inotify watch limit reached (fs.inotify.max_user_watches = 8192)"
    root.complete()
    assert root.choice == Choice(WatchMode.POLL, source.limit)
    assert source.stops == 1
    assert not root.refresh()


def test_a_gap_without_a_limit_is_mended(tmp_path: Path, source: ScriptedSource) -> None:
    root = watch(tmp_path)
    root.refresh()
    source.complete = False
    root.complete()
    assert root.choice.mode is WatchMode.INOTIFY
    assert (source.starts, source.stops) == (2, 1)

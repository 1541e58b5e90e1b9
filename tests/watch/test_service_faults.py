"""The service when looking fails, hangs or has to go by the clock."""

from __future__ import annotations

import shutil
import threading
import time
from typing import TYPE_CHECKING

from ckpt_tui.watch import status
from ckpt_tui.watch.service import WatchService
from tests.watch.fakes import NEVER_SECONDS, PATIENCE_SECONDS, FolderStore, Screen, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def poll(store: FolderStore, screen: Screen, poll_seconds: float = 0.02) -> WatchService:
    return WatchService(store, screen.show, force_poll=True, poll_seconds=poll_seconds)


def test_forced_polling_sees_changes(tmp_path: Path) -> None:
    store, screen = FolderStore(str(tmp_path)), Screen()
    store.hot = (str(tmp_path),)
    service = poll(store, screen)
    assert service.status().mode == "starting"
    service.start()
    screen.await_paths()
    assert (service.status().mode, service.status().reason) == ("poll", "polling was asked for")
    (tmp_path / "step-1").mkdir()
    screen.await_paths(str(tmp_path / "step-1"))
    wait_until(lambda: store.looks.count(None) >= 2)
    wait_until(lambda: frozenset(store.hot) in store.looks)
    assert service.stop(PATIENCE_SECONDS)
    assert service.status().looks == len(store.looks)


def test_an_equal_snapshot_is_not_shown_again(tmp_path: Path) -> None:
    store, screen = FolderStore(str(tmp_path)), Screen()
    service = poll(store, screen)
    service.start()
    wait_until(lambda: service.status().looks >= 3)
    assert service.stop(PATIENCE_SECONDS)
    assert screen.snapshots == [frozenset()]


def test_request_looks_at_once(tmp_path: Path) -> None:
    store, screen = FolderStore(str(tmp_path)), Screen()
    store.hot = (str(tmp_path),)
    service = poll(store, screen, poll_seconds=NEVER_SECONDS)
    service.start()
    screen.await_paths()
    (tmp_path / "a").mkdir()
    service.request()
    screen.await_paths(str(tmp_path / "a"))
    assert store.looks == [None, None]
    (tmp_path / "b").mkdir()
    service.request(full=False)
    screen.await_paths(str(tmp_path / "a"), str(tmp_path / "b"))
    assert store.looks[2:] == [frozenset(store.hot)]
    assert service.stop(PATIENCE_SECONDS)


def test_a_root_that_is_gone_is_an_error_until_it_is_back(tmp_path: Path) -> None:
    root = tmp_path / "run"
    root.mkdir()
    store, screen = FolderStore(str(root)), Screen()
    service = poll(store, screen)
    service.start()
    screen.await_paths()
    shutil.rmtree(root)
    wait_until(lambda: service.status().error is not None)
    assert "FileNotFoundError" in str(service.status().error)
    assert "not there" in service.status().reason
    (root / "step-1").mkdir(parents=True)
    screen.await_paths(str(root / "step-1"))
    wait_until(lambda: service.status().error is None)
    assert service.stop(PATIENCE_SECONDS)


class FaultyStore(FolderStore):
    """Fails a few looks with an error that nobody foresaw."""

    faults = 2

    def look(self, dirty: frozenset[str] | None = None, show: object = None) -> object:
        if self.faults:
            self.faults -= 1
            raise ZeroDivisionError("a fault in a reader")
        return super().look(dirty)


def test_an_exception_in_a_look_is_survived(tmp_path: Path) -> None:
    store, screen = FaultyStore(str(tmp_path)), Screen()
    service = poll(store, screen)
    service.start()
    wait_until(lambda: service.status().error is not None)
    assert service.status().error == "ZeroDivisionError: a fault in a reader"
    screen.await_paths()
    wait_until(lambda: service.status().error is None)
    assert store.looks[0] is None
    assert service.stop(PATIENCE_SECONDS)


def test_a_snapshot_whose_showing_failed_is_shown_again(tmp_path: Path) -> None:
    screen, failures = Screen(), [RuntimeError("the screen is not ready")]

    def show(snapshot: object) -> None:
        if failures:
            raise failures.pop()
        screen.show(snapshot)

    service = WatchService(FolderStore(str(tmp_path)), show, force_poll=True)
    service.start()
    screen.await_paths()
    assert service.stop(PATIENCE_SECONDS)


class HangingStore(FolderStore):
    """Hangs in a look, as on a file server that does not answer."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.entered = threading.Event()
        self.release = threading.Event()

    def look(self, dirty: frozenset[str] | None = None, show: object = None) -> object:
        self.entered.set()
        self.release.wait()
        return super().look(dirty)


def test_a_look_that_hangs_is_told_and_does_not_hold_up_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, screen = HangingStore(str(tmp_path)), Screen()
    service = WatchService(store, screen.show, force_poll=True)
    service.start()
    assert store.entered.wait(PATIENCE_SECONDS)
    assert service.status().hanging_since_monotonic is None
    monkeypatch.setattr(status, "HANGING_SECONDS", 0.05)
    wait_until(lambda: service.status().hanging_since_monotonic is not None)
    began = time.monotonic()
    assert not service.stop(timeout=0.05)
    assert time.monotonic() - began < PATIENCE_SECONDS
    store.release.set()
    wait_until(lambda: service.stop(timeout=0.0))
    assert screen.snapshots == []


def test_an_unstarted_service_can_be_stopped(tmp_path: Path) -> None:
    service = poll(FolderStore(str(tmp_path)), Screen())
    assert service.stop()

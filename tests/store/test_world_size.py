"""A store that is asked for another world size judges all it has again, without reading it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.store import refresh
from ckpt_tui.store.index import Store
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_all_runs_are_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for run in ("a", "b"):
        made = write_checkpoint(tmp_path / run, 10, world_size=2)
    clock = made.stat().st_mtime + 60
    store = Store(str(tmp_path), wall=lambda: clock)
    assert store.look().world_size is None
    assert all(run.resume for run in store.snapshot().runs)

    def read_again(*_: object) -> None:
        raise AssertionError("it was read again")

    monkeypatch.setattr(refresh, "read_checkpoint", read_again)
    store.ask_world_size(8)
    assert all(run.resume for run in store.snapshot().runs)
    asked = store.look(frozenset({str(tmp_path / "a")}))
    assert asked.world_size == 8
    assert [run.resume for run in asked.runs] == [None, None]
    store.ask_world_size(2)
    assert all(run.resume for run in store.look(frozenset(store.hot_paths())).runs)
    store.ask_world_size(None)
    again = store.look(frozenset(store.hot_paths()))
    assert again.world_size is None
    assert store.look() is again

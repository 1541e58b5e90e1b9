"""The keeper writes each run once, and a failing history is one remark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.history.database import History, HistoryError
from ckpt_tui.history.keeper import HistoryKeeper
from ckpt_tui.store.index import Store
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_checkpoint(tmp_path / "run", 10)
    return tmp_path / "run"


class _Failing(History):
    """A history that cannot be written for a while."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.broken = True
        self.writes = 0

    def keep(self, run: str, saves: object) -> None:
        self.writes += 1
        if self.broken:
            raise HistoryError(f"{self.path}: the history cannot be used: full")


def keeper_of(history: History, failures: list[str]) -> HistoryKeeper:
    return HistoryKeeper(history, lambda: failures.append("failed"))


def test_a_run_is_written_once_as_long_as_it_is_the_same(run: Path) -> None:
    history = _Failing("/nowhere")
    history.broken = False
    keeper = keeper_of(history, [])
    snapshot = Store(str(run)).look()
    keeper.keep(snapshot)
    keeper.keep(snapshot)
    assert history.writes == 1


def test_a_failure_is_one_remark_until_it_works_again(run: Path) -> None:
    history = _Failing("/nowhere")
    failures: list[str] = []
    keeper = keeper_of(history, failures)
    snapshot = Store(str(run)).look()
    keeper.keep(snapshot)
    keeper.keep(snapshot)
    assert failures == ["failed"]
    assert keeper.remarks == (("/nowhere", "/nowhere: the history cannot be used: full"),)
    history.broken = False
    keeper.keep(snapshot)
    assert keeper.remarks == ()

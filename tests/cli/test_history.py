"""`ckpt-tui history`, and that the dashboard keeps one."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli.live import LiveFeed
from ckpt_tui.history.database import History
from ckpt_tui.store.members import Options
from tests.cli.process import ckpt_tui
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_checkpoint(tmp_path / "run", 10)
    write_checkpoint(tmp_path / "run", 20)
    return tmp_path / "run"


class TestCommand:
    @pytest.fixture
    def own(self, tmp_path: Path) -> dict[str, str]:
        return {"XDG_STATE_HOME": str(tmp_path / "state"), "CKPT_TUI_HISTORY": "1"}

    def test_keep_show_clear(self, run: Path, own: dict[str, str]) -> None:
        before = sorted(os.walk(run))
        place = ckpt_tui("history", "path", **own).out.strip()
        assert place.endswith("state/ckpt-tui/history.sqlite")
        assert ckpt_tui("history", "show", **own).out == ""
        assert "2 saves kept" in ckpt_tui("history", "keep", run, **own).out
        assert f"{run}:manifest  2 saves" in ckpt_tui("history", "show", **own).out
        saves = ckpt_tui("history", "show", run, **own).out
        assert "step 10" in saves
        assert "(marker)" in saves
        assert ckpt_tui("history", "show", run.parent, **own).out == saves
        assert ckpt_tui("history", "clear", f"{run}:manifest", **own).out == "2 saves forgotten\n"
        assert ckpt_tui("history", "show", run, **own).code == 4
        assert sorted(os.walk(run)) == before

    def test_switched_off(self, run: Path, own: dict[str, str]) -> None:
        off = own | {"CKPT_TUI_HISTORY": "0"}
        assert (
            "(not kept: switched off by CKPT_TUI_HISTORY)" in ckpt_tui("history", "path", **off).out
        )
        assert ckpt_tui("history", "keep", run, **off).code == 3
        assert not os.path.exists(own["XDG_STATE_HOME"])

    def test_check_keeps_nothing(self, run: Path, own: dict[str, str]) -> None:
        assert ckpt_tui("check", run, **own).code == 0
        assert not os.path.exists(own["XDG_STATE_HOME"])

    def test_a_damaged_database(self, run: Path, own: dict[str, str]) -> None:
        place = os.path.join(own["XDG_STATE_HOME"], "ckpt-tui", "history.sqlite")
        os.makedirs(os.path.dirname(place))
        with open(place, "wb") as file:
            file.write(b"no database" * 100)
        ended = ckpt_tui("history", "show", **own)
        assert (ended.code, "move the file away" in ended.err) == (3, True)
        told = ckpt_tui("plan", "--from", run, **own)
        assert told.code == 0
        assert "history cannot be used" in told.out


def test_the_dashboards_feed_keeps_what_it_watches(run: Path, tmp_path: Path) -> None:
    history = History(str(tmp_path / "state" / "history.sqlite"))
    feed = LiveFeed(str(run), Options(), force_poll=True, history=history)
    told = threading.Event()
    feed.start(lambda picture: told.set())
    assert told.wait(20)
    feed.stop()
    assert [save.step for save in history.saves(f"{run}:manifest")] == [10, 20]


def test_a_history_that_fails_does_not_disturb_the_feed(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory")
    history = History(str(tmp_path / "file" / "history.sqlite"))
    feed = LiveFeed(str(run), Options(), force_poll=True, history=history)
    remarked = threading.Event()
    feed.start(_when_remarked(feed, remarked))
    assert remarked.wait(20)
    feed.stop()
    assert feed.snapshot().runs[0].resume is not None
    assert len(feed.snapshot().remarks) == 1


def _when_remarked(feed: LiveFeed, event: threading.Event) -> Callable[[object], None]:
    def told(picture: object) -> None:
        if feed.snapshot().remarks:
            event.set()

    return told

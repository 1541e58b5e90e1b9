"""The history keeps what was seen, and never trusts what it finds."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from ckpt_tui.history import database
from ckpt_tui.history.database import History, HistoryError
from ckpt_tui.history.place import SWITCH, history_path, is_kept, why_not_kept
from ckpt_tui.history.saves import ObservedSave, Source, saves_of
from tests.core.builders import NO_RULE, UNCOMMITTED, checkpoint

RUN = "/mnt/checkpoints/run"


def save(step: int, source: Source = Source.FILE_TIMES, seconds: float = 2.0) -> ObservedSave:
    return ObservedSave(f"step-{step}", step, 1000.0 + step, seconds, 10, source)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(str(tmp_path / "state" / "ckpt-tui" / "history.sqlite"))


def test_what_is_kept_comes_back_in_the_order_of_time(history: History) -> None:
    history.keep(RUN, [save(20), save(10)])
    history.keep(RUN, [save(30)])
    assert history.saves(RUN) == (save(10), save(20), save(30))
    assert history.saves("/other") == ()


def test_nothing_is_written_before_something_is_kept(history: History) -> None:
    assert history.saves(RUN) == ()
    assert history.runs() == ()
    history.keep(RUN, [])
    assert history.clear() == 0
    assert not os.path.exists(os.path.dirname(history.path))


def test_only_the_user_may_look(history: History) -> None:
    history.keep(RUN, [save(10)])
    assert stat.S_IMODE(os.stat(os.path.dirname(history.path)).st_mode) == 0o700


def test_a_watched_save_is_not_overwritten_by_file_times(history: History) -> None:
    history.keep(RUN, [save(10)])
    history.keep(RUN, [save(10, Source.WATCHED, 9.0)])
    history.keep(RUN, [save(10, Source.FILE_TIMES, 1.0)])
    assert history.saves(RUN) == (save(10, Source.WATCHED, 9.0),)


def test_summary_and_clear(history: History) -> None:
    history.keep(RUN, [save(10), save(30)])
    history.keep("/b", [save(5)])
    assert history.runs() == (("/b", 1, 1005.0, 1005.0), (RUN, 2, 1010.0, 1030.0))
    assert history.clear(RUN) == 2
    assert history.saves(RUN) == ()
    assert history.clear() == 1


def test_names_that_are_no_text(history: History) -> None:
    name = os.fsdecode(b"step-\xff")
    history.keep(name, [save(10)._replace(name=name)])
    assert [kept.step for kept in history.saves(name)] == [10]


def test_a_damaged_database_is_told_and_left(history: History) -> None:
    os.makedirs(os.path.dirname(history.path))
    Path(history.path).write_bytes(b"no database" * 100)
    with pytest.raises(HistoryError, match="move the file away"):
        history.keep(RUN, [save(10)])
    with pytest.raises(HistoryError, match="history cannot be used"):
        history.saves(RUN)
    assert Path(history.path).read_bytes().startswith(b"no database")


def test_a_later_version_is_left_alone(history: History) -> None:
    history.keep(RUN, [save(10)])
    with sqlite3.connect(history.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(HistoryError, match="version 99"):
        history.clear()


def test_many_writers_at_once(history: History) -> None:
    def write(start: int) -> None:
        for step in range(start, 60, 4):
            history.keep(RUN, [save(step)])

    writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [kept.step for kept in history.saves(RUN)] == list(range(60))


def test_the_oldest_go_when_there_are_too_many(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ckpt_tui.history.database._MOST_SAVES_PER_RUN", 5)
    history.keep(RUN, [save(step) for step in range(9)])
    assert [kept.step for kept in history.saves(RUN)] == [4, 5, 6, 7, 8]


def test_the_saves_of_a_run() -> None:
    told = saves_of(
        [
            checkpoint(10, save_seconds=3.0, save_seconds_is_lower_bound=False),
            checkpoint(20, save_seconds=1.0),
            checkpoint(30, commit=UNCOMMITTED),
            checkpoint(None),
            checkpoint(40, commit=NO_RULE, export=True),
        ]
    )
    assert [(s.step, s.save_seconds, s.source) for s in told] == [
        (10, 3.0, Source.MARKER),
        (20, 1.0, Source.FILE_TIMES),
    ]


def test_the_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_path() == str(tmp_path / "ckpt-tui" / "history.sqlite")
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert history_path() == str(tmp_path / ".local/state/ckpt-tui/history.sqlite")


@pytest.mark.parametrize(
    ("text", "kept"), [("", True), ("1", True), ("0", False), (" OFF ", False)]
)
def test_the_switch(monkeypatch: pytest.MonkeyPatch, text: str, kept: bool) -> None:
    monkeypatch.setenv(SWITCH, text)
    assert is_kept() is kept


def test_without_a_home_nothing_is_written_where_one_happens_to_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert not is_kept()
    assert "set XDG_STATE_HOME" in why_not_kept()


@pytest.mark.parametrize(
    "change", ["source = 'rumour'", "step = 'ten'", "size_bytes = 'big'", "committed_at = x'00'"]
)
def test_rows_of_another_program_are_one_clear_error(history: History, change: str) -> None:
    history.keep(RUN, [save(10)])
    with closing(sqlite3.connect(history.path)) as connection, connection:
        connection.execute(f"UPDATE save SET {change}")
    with pytest.raises(HistoryError, match="move the file away"):
        history.saves(RUN)


def test_a_locked_database_is_not_to_be_moved_away(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_WAIT_SECONDS", 0.0)
    history.keep(RUN, [save(10)])
    with closing(sqlite3.connect(history.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(HistoryError, match="locked; another process is writing it; try again"):
            history.keep(RUN, [save(20)])

"""Questions are asked ahead, answered in order, and none that hangs holds up the end."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.fs import calls
from ckpt_tui.fs.asking import asked_by, call_count
from ckpt_tui.fs.listing import list_tree
from ckpt_tui.fs.many import KEPT_AHEAD, ask_many
from tests.watch.fakes import wait_until

if TYPE_CHECKING:
    from pathlib import Path


@given(st.integers(0, 200), st.integers(1, 40))
def test_answers_come_in_the_order_of_the_questions(count: int, threads: int) -> None:
    answers = list(ask_many(range(count), lambda n: n * n, str, threads))
    assert answers == [n * n for n in range(count)]


def test_a_failure_is_raised_in_its_turn() -> None:
    answers = ask_many([2, 1, 0, 1], lambda n: 6 // n, str)
    assert [next(answers), next(answers)] == [3, 6]
    with pytest.raises(ZeroDivisionError):
        next(answers)


def test_no_more_is_asked_ahead_than_may_be_kept() -> None:
    asked: list[int] = []
    answers = ask_many(range(1000), asked.append, str, 4)
    next(answers)
    wait_until(lambda: len(asked) >= KEPT_AHEAD)
    assert len(asked) <= KEPT_AHEAD + 1
    answers.close()
    wait_until(lambda: not [t for t in threading.enumerate() if t.name == "ckpt-tui-many"])


def test_who_waits_is_known_and_what_hangs_is_left_behind() -> None:
    release = threading.Event()
    seen: list[str] = []

    def ask(path: str) -> None:
        if path == "/hung":
            release.wait()

    def wait() -> None:
        seen.extend(str(answer) for answer in ask_many(["/a", "/hung"], ask, str))

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    wait_until(lambda: getattr(asked_by(thread.ident), "path", "") == "/hung")
    release.set()
    thread.join(10)
    assert seen == ["None", "None"]


def test_trees_are_those_of_one_after_the_other_and_calls_are_counted(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "file").write_bytes(b"x")
    paths = [str(tmp_path / name) for name in "abc"]
    assert list(ask_many(paths, list_tree, str)) == [list_tree(path) for path in paths]
    before = call_count()
    list_tree(paths[0])
    assert call_count() - before == 2 + 2  # two listings, two entries


def test_calls_raise_what_the_system_raises(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    for ask in (calls.stat, calls.lstat, calls.readlink, calls.scandir, calls.statvfs):
        with pytest.raises(FileNotFoundError):
            ask(gone)
    assert not calls.lexists(gone)
    assert not calls.exists(gone)
    assert not calls.lexists(str(tmp_path / "file" / "below"))
    assert calls.lexists(str(tmp_path / ("x" * 300))), "no answer is no proof that it is gone"

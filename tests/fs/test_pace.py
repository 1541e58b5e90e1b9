"""One question after the other, or many at once where each answer is waited for: same answers."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.formats.discovery import discover
from ckpt_tui.fs import calls
from ckpt_tui.fs.asking import asked_by
from ckpt_tui.fs.pace import SAMPLE, VARIABLE, Pace
from ckpt_tui.store.index import Store
from tests.network.injected import Injected
from tests.store.runs import write_checkpoint
from tests.watch.fakes import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.formats.discovery import Found


@pytest.fixture(autouse=True)
def _as_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


class Watched(Injected):
    """Knows which threads asked, and for what."""

    def __init__(self, delay_seconds: float) -> None:
        super().__init__()
        self.delay_seconds = delay_seconds
        self.threads: set[str] = set()
        self.paths: list[str] = []

    def _meet(self, path: str) -> None:
        self.threads.add(threading.current_thread().name)
        self.paths.append(path)
        super()._meet(path)


@given(st.integers(0, 40))
def test_quick_answers_are_asked_for_on_this_thread(count: int) -> None:
    names: set[str] = set()

    def ask(number: int) -> int:
        names.add(threading.current_thread().name)
        return number * number

    assert list(Pace().in_turn(range(count), ask, str)) == [n * n for n in range(count)]
    assert names <= {threading.current_thread().name}


def test_slow_answers_come_in_order_and_together() -> None:
    began = time.monotonic()

    def ask(number: int) -> int:
        time.sleep(0.02)
        return number * number

    assert list(Pace().in_turn(range(200), ask, str)) == [n * n for n in range(200)]
    assert time.monotonic() - began < 0.5 * 200 * 0.02


def test_what_the_caller_does_between_is_not_waiting() -> None:
    names: set[str] = set()
    for _ in Pace().in_turn(range(60), lambda _: names.add(threading.current_thread().name), str):
        time.sleep(0.02)
    assert names == {threading.current_thread().name}


def test_a_failure_is_raised_in_its_turn() -> None:
    def ask(number: int) -> int:
        time.sleep(0.01)
        return 1 // (number - 100)

    answers = Pace().in_turn(range(200), ask, str)
    assert [next(answers) for _ in range(100)]
    with pytest.raises(ZeroDivisionError):
        next(answers)


def test_what_was_learned_counts_for_the_next_questions() -> None:
    pace, names = Pace(), []

    def ask(_: int) -> None:
        names.append(threading.current_thread().name)
        time.sleep(0.02)

    for _ in pace.in_turn(range(SAMPLE), ask, str):
        pass
    assert "ckpt-tui-many" not in names
    for _ in pace.in_turn(range(4), ask, str):
        pass
    assert names[SAMPLE:] == ["ckpt-tui-many"] * 4


def test_more_may_be_asked_where_many_are_asked_at_once() -> None:
    def ask(number: int) -> tuple[int, ...]:
        time.sleep(0.02)
        return (number,)

    answers = list(Pace().in_turn(range(60), ask, str, lambda n: (*ask(n), n + 1)))
    assert answers[:SAMPLE] == [(n,) for n in range(SAMPLE)]
    assert answers[SAMPLE:] == [(n, n + 1) for n in range(SAMPLE, 60)]


def a_tree(root: Path) -> str:
    """Runs side by side with stray and unfinished directories among their checkpoints."""
    for step in range(1, 61):
        write_checkpoint(root / "many", step, roles=("model",), commit=step % 7 != 0)
    for number in range(30):
        (root / "many" / f"step-{number + 100}").mkdir()
        (root / f"empty-{number}" / "below").mkdir(parents=True)
        write_checkpoint(root / f"run-{number}", 1, world_size=1, roles=("model",))
        write_checkpoint(root / "users" / f"user-{number % 10}" / f"job-{number}", 5)
    (root / "many" / "logs").mkdir()
    (root / "many" / "step-7" / "stray").symlink_to("..")
    return str(root)


def found(root: str, system: Injected, told: list[str]) -> Found:
    with calls.replaced(system):
        return discover(root, told=lambda claim: told.append(claim.path))


def test_a_search_on_a_slow_server_finds_the_same_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = a_tree(tmp_path)
    slow, quick = Watched(0.003), Watched(0.0)
    told_slow: list[str] = []
    told_quick: list[str] = []
    assert found(root, slow, told_slow) == found(root, quick, told_quick)
    assert told_slow == told_quick
    assert "ckpt-tui-many" in slow.threads
    assert "ckpt-tui-many" not in quick.threads
    assert sorted(slow.paths) == sorted(quick.paths), "nothing is asked for that is not wanted"
    monkeypatch.setenv(VARIABLE, "0")
    alone = Watched(0.001)
    assert found(root, alone, []) == found(root, quick, [])
    assert "ckpt-tui-many" not in alone.threads


def test_a_second_look_on_a_slow_server_asks_for_many_directories_at_once(tmp_path: Path) -> None:
    for number in range(80):
        write_checkpoint(tmp_path / f"run-{number}", 1, world_size=1, roles=("model",))
    store = Store(str(tmp_path), wall=lambda: time.time() + 1000.0)  # nothing was written just now
    before = store.look()
    slow = Watched(0.006)
    with calls.replaced(slow):
        after = store.look(frozenset({str(tmp_path)}))
    assert "ckpt-tui-many" in slow.threads
    assert [run.name for run in after.runs] == [run.name for run in before.runs]


def test_a_directory_that_hangs_in_a_search_is_known_to_others(tmp_path: Path) -> None:
    for step in range(1, 200):
        write_checkpoint(tmp_path, step, world_size=1, roles=("model",))
    system = Watched(0.003)
    system.hang = "step-150/"  # what lies in it
    with calls.replaced(system):
        thread = threading.Thread(target=discover, args=(str(tmp_path),), daemon=True)
        thread.start()
        wait_until(lambda: getattr(asked_by(thread.ident), "path", "").endswith("step-150"))
        system.released.set()
        thread.join(30)
    assert not thread.is_alive()

"""What is said when the time is up: who hangs, if anyone, and else how far it came."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli import compare, show
from ckpt_tui.cli.looking import Look, look_at
from ckpt_tui.cli.patience import TimedOutError
from ckpt_tui.fs import calls
from ckpt_tui.fs.asking import Asking, longest_asked
from tests.network.injected import Injected
from tests.store.runs import write_checkpoint
from tests.watch.fakes import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType


def said_of(run: Path, system: Injected, limit_seconds: float) -> str:
    with calls.replaced(system), pytest.raises(TimedOutError) as raised:
        look_at((str(run),), Look(settle_seconds=0.0, timeout_seconds=limit_seconds))
    system.delay_seconds = 0.0
    system.released.set()
    wait_until(lambda: not left_behind())
    return str(raised.value)


def left_behind() -> list[str]:
    """Threads of ours that still look; the next test must not meet them."""
    names = [thread.name for thread in threading.enumerate()]
    return [name for name in names if name in ("ckpt-tui-patience", "ckpt-tui-many")]


def a_run(directory: Path, checkpoints: int = 6) -> Path:
    for step in range(1, checkpoints + 1):
        write_checkpoint(directory / "run", step)
    return directory / "run"


class SlowReads(Injected):
    """Each read of a file takes a moment after so many that were quick, as those of a search."""

    def __init__(self, quick: int) -> None:
        super().__init__()
        self.quick = quick

    def pread(self, descriptor: int, length: int, offset: int, path: str) -> bytes:
        self.quick -= 1
        time.sleep(0.0 if self.quick >= 0 or self.released.is_set() else 0.05)
        return super().pread(descriptor, length, offset, path)


def test_no_path_is_blamed_where_each_call_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CKPT_TUI_READERS", "0")
    said = said_of(a_run(tmp_path, 40), SlowReads(40), 1.0)
    assert said.startswith("the time is up after 1 s while "), said
    assert " of 40 checkpoints" in said
    assert "step-" not in said


def test_nor_where_many_are_asked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CKPT_TUI_READERS", "8")
    said = said_of(a_run(tmp_path, 400), SlowReads(0), 1.0)
    assert said.startswith("the time is up after 1 s while "), said
    assert "step-" not in said


def test_a_search_that_is_not_over_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CKPT_TUI_READERS", "0")
    system = Injected()
    system.delay_seconds = 0.005
    run = a_run(tmp_path, 60)
    said = said_of(run, system, 1.2)
    assert said.startswith("the time is up after 1.2 s while it was not yet known"), said
    assert str(run) in said
    assert "step-" not in said


def test_the_path_that_hangs_is_named_and_since_when(tmp_path: Path) -> None:
    system = Injected()
    system.hang = "manifest.json"
    said = said_of(a_run(tmp_path, 1), system, 0.5)
    assert said.startswith(f"no answer from {tmp_path}/run/step-1"), said
    assert said.endswith("s; the time is up after 0.5 s")


def _on_a_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_a_call_counts_before_who_waits_for_another_thread() -> None:
    """Which one began first says nothing: a checkpoint of many quick calls takes long, too."""
    end = threading.Event()

    def wait(path: str, calls_made: int) -> Callable[[], None]:
        def work() -> None:
            with Asking(path, calls_made):
                end.wait()

        return work

    threads = [_on_a_thread(wait("/waits", 0))]
    wait_until(lambda: getattr(longest_asked(), "path", "") == "/waits")
    threads.append(_on_a_thread(wait("/asks", 1)))
    wait_until(lambda: getattr(longest_asked(), "path", "") == "/asks")
    end.set()
    for thread in threads:
        thread.join(10)
    assert getattr(longest_asked(), "path", "") not in ("/waits", "/asks")


def test_what_lies_around_a_call_is_back_after_it() -> None:
    with Asking("/outer"):
        with Asking("/inner"):
            assert getattr(longest_asked(), "path", "") == "/inner"
        assert getattr(longest_asked(), "path", "") == "/outer"


@pytest.mark.parametrize("command", [show, compare])
def test_a_configured_limit_holds_for_tensors_too(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: ModuleType,
) -> None:
    released = threading.Event()

    def hang(_checkpoint: object) -> None:
        released.wait(10.0)

    monkeypatch.setattr("ckpt_tui.formats.tensors.tensors_of", hang)
    monkeypatch.setattr("ckpt_tui.cli.compare.tensors_of", hang)
    (tmp_path / "own.toml").write_text('[check]\ntimeout = "300ms"\nsettle = 0\n')
    paths = [str(write_checkpoint(tmp_path / "run", step)) for step in (10, 20)]
    wanted = paths[:1] if command is show else paths
    arguments = command.make_parser().parse_args(["--config", str(tmp_path / "own.toml"), *wanted])
    code = command.run(arguments)
    released.set()
    wait_until(lambda: not left_behind())
    assert code == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert "the time is up after 0.3 s" in told.err

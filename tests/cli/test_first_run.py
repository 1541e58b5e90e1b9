"""A start without a directory."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui import words
from ckpt_tui.cli import first_run
from ckpt_tui.cli.app import run
from ckpt_tui.history.recent import recent_directories
from ckpt_tui.tui.start import app
from ckpt_tui.tui.start.app import Chosen
from ckpt_tui.tui.start.offers import Kind, Offer, Start
from tests.formats.dcp_builder import write_dcp
from tests.formats.torch_builder import Shape
from tests.recording.builders import night, record

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.cli.judging import Judging

STATE = {"model.weight": Shape((4, 2)), "progress.step": 10}


class Terminal:
    """What a start shows and opens, without drawing any of it."""

    def __init__(self) -> None:
        self.opened: list[tuple[str, Judging]] = []
        self.started: list[Start] = []
        self.chosen = Chosen(None)
        self.languages: list[str] = []
        self.assumed: list[bool | None] = []
        self.disk = ""

    def open(self, directory: str, judging: Judging, *_: Any, **more: Any) -> int:
        self.opened.append((directory, judging))
        self.disk = more.get("disk", "")
        self.assumed.append(more.get("reload_assumed"))
        return self.speak()

    def speak(self, *_: object) -> int:
        self.languages.append(words.language())
        return 0

    def choose(self, start: Start, _view: object) -> Chosen:
        self.started.append(start)
        return self.chosen


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal in an empty directory."""
    made = Terminal()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CKPT_TUI_HISTORY", raising=False)
    monkeypatch.delenv("CKPT_TUI_STATE", raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("ckpt_tui.tui.run.run_dashboard", made.speak)
    monkeypatch.setattr("ckpt_tui.cli.live.open_dashboard", made.open)
    monkeypatch.setattr(app, "choose", made.choose)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return made


def test_a_directory_with_checkpoints_is_opened_at_once(terminal: Terminal, tmp_path: Path) -> None:
    write_dcp(tmp_path / "here" / "run" / "step-10", STATE)
    assert run([]) == 0
    assert [directory for directory, _ in terminal.opened] == ["."]
    assert not terminal.started


def test_one_without_offers_recent_ones_and_the_demo(terminal: Terminal, tmp_path: Path) -> None:
    write_dcp(tmp_path / "gpt" / "step-10", STATE)
    assert run([str(tmp_path / "gpt")]) == 0
    assert run([]) == 0
    (start,) = terminal.started
    assert start.heading == f"No checkpoint in {tmp_path}/here"
    assert [offer.path for offer in start.offers] == [str(tmp_path / "gpt"), f"{tmp_path}/here", ""]
    assert start.offers[-1].kind is Kind.DEMO


def test_what_is_chosen_is_opened_and_remembered(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    path = str(tmp_path / "other")
    terminal.chosen = Chosen(Offer(Kind.DIRECTORY, path, "", path))
    assert run([]) == 0
    assert [directory for directory, _ in terminal.opened] == [path]
    assert [recent.path for recent in recent_directories()] == [path]


def test_nothing_chosen_ends_with_the_code_of_the_screen(terminal: Terminal) -> None:
    terminal.chosen = Chosen(None, 130)
    assert run([]) == 130
    assert not terminal.opened


def test_the_demo_is_run(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal.chosen = Chosen(Offer(Kind.DEMO, "", ""))
    ran: list[object] = []
    monkeypatch.setattr("ckpt_tui.cli.demo.run", lambda arguments: ran.append(arguments) or 0)
    assert run(["--ascii", "--no-mouse", "--theme", "nord"]) == 0
    ((asked),) = (vars(arguments) for arguments in ran)
    assert (asked["ascii"], asked["mouse"], asked["theme"]) == (True, False, "nord")


def test_without_history_nothing_is_remembered(terminal: Terminal, tmp_path: Path) -> None:
    assert run(["--no-history", str(tmp_path)]) == 0
    assert len(terminal.opened) == 1
    assert recent_directories() == ()


def test_a_directory_that_is_gone_is_marked(terminal: Terminal, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    assert run([str(gone)]) == 0
    gone.rmdir()
    assert run([]) == 0
    assert "not there now" in terminal.started[0].offers[0].detail


def test_one_checkpoint_comes_with_a_remark_that_names_its_run(
    terminal: Terminal, tmp_path: Path
) -> None:
    write_dcp(tmp_path / "gpt" / "step-10", STATE)
    run([str(tmp_path / "gpt" / "step-10")])
    ((_, judging),) = terminal.opened
    assert judging.remarks[-1][1].endswith(f"ckpt-tui {tmp_path}/gpt")


def test_a_file_system_that_hangs_is_left_to_the_dashboard(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(*_: object) -> bool:
        raise first_run.TimedOutError

    monkeypatch.setattr(first_run, "within", hang)
    assert first_run.holds_one_here()


def test_without_a_terminal_it_is_check(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert run([]) == 4
    assert "no checkpoint found" in capsys.readouterr().out
    assert not terminal.started


CHINESE = ("--lang", "zh")


def test_the_start_screen_speaks_what_ascii_can_show(terminal: Terminal, tmp_path: Path) -> None:
    assert run([*CHINESE]) == 0
    assert run([*CHINESE, "--ascii"]) == 0
    chinese, english = (start.heading for start in terminal.started)
    assert not chinese.isascii()
    assert english == f"No checkpoint in {tmp_path}/here"


def test_so_does_the_dashboard_in_what_it_is_told(terminal: Terminal, tmp_path: Path) -> None:
    write_dcp(tmp_path / "gpt" / "step-10", STATE)
    for options in (CHINESE, (*CHINESE, "--ascii")):
        assert run([*options, str(tmp_path / "gpt" / "step-10")]) == 0
    assert terminal.languages == ["zh", "en"]
    chinese, english = (judging.remarks[-1][1] for _, judging in terminal.opened)
    assert not chinese.isascii()
    assert english.startswith("this is one checkpoint; open its run: ")


def test_so_does_the_demo(terminal: Terminal) -> None:
    for options in (CHINESE, (*CHINESE, "--ascii")):
        assert run(["demo", "--scenario", "all-good", *options]) == 0
    assert terminal.languages == ["zh", "en"]
    assert terminal.disk == "simulated disk"


def test_so_does_a_replay(terminal: Terminal, tmp_path: Path) -> None:
    tape = str(tmp_path / "tape.jsonl")
    record(tmp_path / "tape.jsonl", night())
    for options in (CHINESE, (*CHINESE, "--ascii")):
        assert run(["replay", tape, *options]) == 0
    assert terminal.languages == ["zh", "en"]


def test_a_theme_that_is_not_there_is_a_usage_error(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["--theme", "nrod"]) == 64
    assert "ckpt-tui: --theme: no theme 'nrod'; there are auto, " in capsys.readouterr().err
    assert not terminal.started


def test_a_reload_is_assumed_until_somebody_says_how_long(
    terminal: Terminal, tmp_path: Path
) -> None:
    for key in ("reload_minutes", "down_minutes"):
        (tmp_path / f"{key}.toml").write_text(f"[plan]\n{key} = 8\n")
    for options in (
        (),
        ("--down-minutes", "8"),
        ("--config", str(tmp_path / "down_minutes.toml")),
        ("--reload-minutes", "8"),
        ("--config", str(tmp_path / "reload_minutes.toml")),
    ):
        assert run([*options, str(tmp_path)]) == 0
    assert terminal.assumed == [True, True, True, False, False]

"""Which language texts are in: the option, the variable, the user's file, the locale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _english_afterwards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CKPT_TUI_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text("")
    yield
    words.use(words.ENGLISH)


def language_after(*arguments: str | Path) -> str:
    run([str(word) for word in arguments])
    return words.language()


def test_the_option_stands_before_or_after_the_command(tmp_path: Path) -> None:
    for arguments in (
        ("--lang", "zh", "check", tmp_path),
        ("--lang=zh", "check", tmp_path),
        ("check", "--lang", "zh", tmp_path),
        ("check", tmp_path, "--lang=zh"),
        ("--lang", "zh", tmp_path),
        (tmp_path, "--lang", "zh"),
        ("--lang", "zh", "--help"),
        ("--lang", "zh", "config", "path"),
    ):
        assert language_after(*arguments) == "zh", arguments
        assert language_after("check", tmp_path) == "en"
    assert language_after("check", "--", tmp_path, "--lang", "zh") == "en"


@pytest.mark.parametrize("command", ["check", "latest", "show", "plan"])
def test_json_is_english(tmp_path: Path, command: str) -> None:
    directory = () if command == "plan" else (tmp_path,)
    (tmp_path / "config.toml").write_text('language = "zh"')
    assert language_after(command, *directory, "--json", "--lang", "zh") == "en"
    assert language_after(command, *directory, "--lang", "zh") == "zh"


def test_the_nearest_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check = ("check", tmp_path)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert language_after(*check) == "zh"
    (tmp_path / "config.toml").write_text('language = "en"')
    assert language_after(*check) == "en"
    monkeypatch.setenv("CKPT_TUI_LANG", "zh")
    assert language_after(*check) == "zh"
    assert language_after(*check, "--lang", "en") == "en"


def test_an_unknown_language_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--lang", "fr", "check", str(tmp_path)]) == 64
    assert "--lang" in capsys.readouterr().err
    monkeypatch.setenv("CKPT_TUI_LANG", "fr")
    assert run(["check", str(tmp_path)]) == 64
    assert "CKPT_TUI_LANG has to be one of en, zh" in capsys.readouterr().err

"""The directories that were opened lately."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ckpt_tui.history.recent import MOST_RECENT, Recent, recent_directories, recent_path, remember


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for switch in ("CKPT_TUI_HISTORY", "CKPT_TUI_STATE"):
        monkeypatch.delenv(switch, raising=False)
    return tmp_path / "state"


def test_the_latest_comes_first_and_each_once() -> None:
    for at, path in enumerate(("/a", "/b", "/a")):
        remember(path, float(at))
    assert recent_directories() == (Recent("/a", 2.0), Recent("/b", 1.0))


def test_it_is_bounded() -> None:
    for number in range(MOST_RECENT + 5):
        remember(f"/run-{number}", float(number))
    found = recent_directories()
    assert len(found) == MOST_RECENT
    assert found[0].path == f"/run-{MOST_RECENT + 4}"
    assert len(json.loads(Path(recent_path()).read_text())) == MOST_RECENT


@pytest.mark.parametrize("switch", ["CKPT_TUI_HISTORY", "CKPT_TUI_STATE"])
def test_switched_off_it_neither_writes_nor_reads(
    state: Path, switch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember("/before", 1.0)
    monkeypatch.setenv(switch, "0")
    remember("/after", 2.0)
    assert recent_directories() == ()
    assert "/after" not in Path(recent_path()).read_text()


def test_never_below_the_directory_that_is_opened(state: Path) -> None:
    remember(str(state.parent), 1.0)
    assert not state.exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1, null, {}]",
        '{"path": "/a"}',
        '[{"path": "relative", "opened_at": 1}]',
        '[{"path": "/a", "opened_at": "x"}]',
        "[" * 100_000,
    ],
)
def test_a_file_that_is_not_right_is_as_none(state: Path, text: str) -> None:
    place = Path(recent_path())
    place.parent.mkdir(parents=True)
    place.write_text(text)
    assert recent_directories() == ()
    remember("/new", 5.0)
    assert recent_directories() == (Recent("/new", 5.0),)


def test_a_state_directory_that_cannot_be_written_is_no_error(state: Path) -> None:
    state.write_text("a file")
    remember("/a", 1.0)
    assert recent_directories() == ()


def test_names_that_are_no_text_survive() -> None:
    remember("/runs/\udcff", 1.0)
    assert recent_directories()[0].path == "/runs/\udcff"

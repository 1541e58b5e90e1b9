"""What is remembered of a user: bounded, in the state directory, never where runs are."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.tui.remembered import (
    MOST_CHARACTERS,
    MOST_FILTERS,
    Remembered,
    remembered_path,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_it_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "dashboard.json")
    first = Remembered(path)
    assert first.add_filter("exact")
    assert first.add_filter(" step>5 ")
    assert not first.add_filter("step>5")
    assert first.set_sort(("-size", "step"))
    assert not first.set_sort(("-size", "step"))
    first.save()
    second = Remembered(path)
    assert second.filters == ("step>5", "exact")
    assert second.sort == ("-size", "step")
    assert os.listdir(tmp_path / "new") == ["dashboard.json"]


def test_two_dashboards_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = str(tmp_path / "dashboard.json")
    one, other = Remembered(path), Remembered(path)
    one.add_filter("one")
    one.save()
    other.add_filter("other")
    other.save()
    assert Remembered(path).filters == ("other", "one")


def test_it_is_bounded(tmp_path: Path) -> None:
    path = str(tmp_path / "dashboard.json")
    remembered = Remembered(path)
    for number in range(2 * MOST_FILTERS):
        remembered.add_filter(f"step>{number}")
    remembered.add_filter("x" * (MOST_CHARACTERS + 1))
    remembered.save()
    kept = Remembered(path).filters
    assert len(kept) == MOST_FILTERS
    assert kept[0] == f"step>{2 * MOST_FILTERS - 1}"


def test_an_earlier_filter_comes_to_the_front() -> None:
    remembered = Remembered()
    for text in ("a", "b", "a"):
        remembered.add_filter(text)
    assert remembered.filters == ("a", "b")


@pytest.mark.parametrize("below", ["", "runs/x"])
def test_nothing_is_written_into_the_watched_directory(tmp_path: Path, below: str) -> None:
    os.makedirs(tmp_path / below, exist_ok=True)
    link = tmp_path.parent / f"{tmp_path.name}-link"
    link.symlink_to(tmp_path)
    path = str(tmp_path / below / "state" / "dashboard.json")
    remembered = Remembered(path, str(link))
    remembered.add_filter("exact")
    remembered.save()
    assert not os.path.exists(path)
    assert remembered.filters == ("exact",)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[",
        "[]",
        "[" * 100_000,
        '{"filters": "exact", "sort": {}}',
        '{"filters": [1, null, "a\\u001b[2J", "good"], "sort": [[], "-size"]}',
    ],
)
def test_a_file_of_anything_does_no_harm(tmp_path: Path, content: str) -> None:
    path = tmp_path / "dashboard.json"
    path.write_text(content)
    remembered = Remembered(str(path))
    assert remembered.filters in ((), ("good",))
    assert remembered.sort in ((), ("-size",))
    remembered.add_filter("exact")
    remembered.save()
    assert json.loads(path.read_text())["filters"][0] == "exact"


def test_a_place_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    remembered = Remembered(str(tmp_path / "file" / "dashboard.json"))
    remembered.add_filter("exact")
    remembered.save()
    assert remembered.filters == ("exact",)


def test_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("CKPT_TUI_STATE", raising=False)
    assert remembered_path() == str(tmp_path / "ckpt-tui" / "dashboard.json")
    monkeypatch.setenv("CKPT_TUI_STATE", "off")
    assert remembered_path() == ""
    monkeypatch.delenv("CKPT_TUI_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", "")
    monkeypatch.setattr(os.path, "expanduser", lambda _path: "~")
    assert remembered_path() == ""

"""Pictures of the screen in every look. Look at each before `--snapshot-update` accepts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.tui import situations
from tests.tui.app_tests import app_for

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = [(60, 20), (80, 24), (120, 40), (200, 60)]
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"theme": "textual-light"},
    "ansi": {"theme": "ansi"},
    "ascii": {"ascii": True},
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("look", LOOKS)
def test_look(snap_compare: Callable[..., bool], look: str, size: tuple[int, int]) -> None:
    app = app_for(situations.mixed(), **LOOKS[look])
    assert snap_compare(app, press=["j", "j"], terminal_size=size)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_color(
    snap_compare: Callable[..., bool], size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app_for(situations.mixed()), press=["j", "j"], terminal_size=size)


@pytest.mark.parametrize("key", ["C", "e"], ids=["take", "export"])
def test_lists(snap_compare: Callable[..., bool], key: str) -> None:
    app = app_for(situations.mixed())
    assert snap_compare(app, press=["j", key], terminal_size=(80, 24))

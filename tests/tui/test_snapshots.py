"""Pictures of the screen. Look at each one before it is accepted with `--snapshot-update`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tui import situations
from tests.tui.app_tests import app_for
from tests.tui.test_size import NATIVE, UNIVERSAL, asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.facts import Reshard

SMALL, MIDDLE, LARGE = (80, 24), (120, 40), (200, 60)


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE], ids=lambda size: f"{size[0]}x{size[1]}")
def test_mixed(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    assert snap_compare(app_for(situations.mixed()), terminal_size=size)


@pytest.mark.parametrize(
    ("name", "size", "keys"),
    [
        ("nothing", MIDDLE, ""),
        ("empty", SMALL, ""),
        ("restarts", SMALL, ""),
        ("runs", MIDDLE, ""),
        ("mixed", SMALL, "j j j enter"),
        ("mixed", SMALL, "2 tab"),
        ("tensors", MIDDLE, "5"),
        ("mixed", MIDDLE, "question_mark"),
    ],
    ids=["nothing", "empty", "restarts", "runs", "findings", "shards", "tensors", "help"],
)
def test_screen(
    snap_compare: Callable[..., bool], name: str, size: tuple[int, int], keys: str
) -> None:
    app = app_for(situations.ALL[name]())
    assert snap_compare(app, press=keys.split(), terminal_size=size)


@pytest.mark.parametrize("size", [SMALL, MIDDLE], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(
    ("reshard", "keys"), [(NATIVE, ""), (UNIVERSAL, "W"), (None, "")], ids=["native", "by", "none"]
)
def test_another_world_size(
    snap_compare: Callable[..., bool], size: tuple[int, int], reshard: Reshard | None, keys: str
) -> None:
    app = app_for(asked(8, reshard))
    assert snap_compare(app, press=keys.split(), terminal_size=size)


def test_without_colour(snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(app_for(situations.nothing_resumable()), terminal_size=SMALL)


def test_in_ascii(snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(app_for(situations.mixed(), ascii=True), terminal_size=SMALL)

"""Every tab and screen in Chinese: no English sentence is left, and columns stay in line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from ckpt_tui import words
from ckpt_tui.formats.near_misses import Nearby
from ckpt_tui.history.recent import Recent
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.replay.lines import Progress, banner_line, progress_line
from ckpt_tui.tui.start.lines import start_lines
from ckpt_tui.tui.start.offers import start_of
from tests.tui import situations
from tests.tui.app_tests import app_for, dashboard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SMALL, MIDDLE = (80, 24), (120, 40)
WALK = {
    "table": "",
    "all columns": "w",
    "faults": "f",
    "sorted": "f w s s",
    "roles": "1",
    "shards": "2",
    "files": "3",
    "findings": "4",
    "tensors": "5 enter",
    "chunks of a tensor": "enter",
    "a search for tensors": "escape slash r",
    "a filter": "escape escape escape slash a g e less_than_sign",
    "a filter that is wrong": "x",
    "world size": "escape W x",
    "timeline": "escape t",
    "comparison": "escape c",
}
"""Screen → the keys that lead to it from the one before."""

OF_THE_SITUATIONS = (
    "metadata.json is written last",
    "key in common.pt",
    "permission denied",
    "distcp ends after 12 MiB of",
    "[bold red]not red",
)
"""Names, and what readers say, in these situations: made up, and no reader's own words."""
NAMES = ("world size",)
"""The field's own words, which stay in Chinese, too."""
_PROSE = re.compile(r"(?<![\w./-])[a-z]{2,}(?: [a-z]{2,})+\b")


@pytest.fixture(autouse=True)
def chinese() -> Iterator[None]:
    words.use("zh")
    yield
    words.use("en")


def english_in(text: str) -> list[str]:
    """Two or more words in lower case, one after the other on a line."""
    for known in (*OF_THE_SITUATIONS, *NAMES):
        text = re.sub(re.escape(known).replace(r"\ ", r"\s+"), "·", text)
    return _PROSE.findall(text)


@pytest.mark.parametrize("name", situations.ALL)
async def test_no_english_is_left(name: str) -> None:
    left: dict[str, list[str]] = {}
    async with dashboard(situations.ALL[name](), size=(150, 50)) as board:
        for screen, keys in WALK.items():
            await board.press(*keys.split())
            if found := english_in(board.text()):
                left[screen] = found
    assert left == {}


@pytest.mark.parametrize("size", [SMALL, MIDDLE], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", situations.ALL)
async def test_no_line_is_wider_than_the_screen(name: str, size: tuple[int, int]) -> None:
    async with dashboard(situations.ALL[name](), size=size) as board:
        assert {cell_len(row) for row in board.text().splitlines()} == {size[0]}


def test_a_start_without_a_directory() -> None:
    nearby = Nearby("/runs", directories=12)
    start = start_of(nearby, [Recent("/runs/gpt", 0.0), Recent("/gone", 1.0)], {"/gone"}, 60.0)
    text = "\n".join(map(text_of, start_lines(start, 0, 100)))
    assert english_in(text) == []
    assert "打开" in text


def test_a_replay() -> None:
    progress = Progress(0.0, 3, 9, 0.3, playing=True, speed=2.0, events=("a", "b", "c"))
    shown = (
        banner_line(0.0, 60.0, "/tape", 120),
        progress_line(progress, 120),
        progress_line(progress._replace(events=()), 120, ascii_only=True),
    )
    text = "\n".join(map(text_of, shown))
    assert english_in(text) == []
    assert "另有 1 个" in text


@pytest.mark.parametrize("size", [SMALL, MIDDLE], ids=lambda size: f"{size[0]}x{size[1]}")
def test_picture(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    """The table, and the roles of the resume point."""
    assert snap_compare(app_for(situations.mixed()), press=["j", "1"], terminal_size=size)

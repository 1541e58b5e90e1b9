"""Sizes, hostile names, ASCII, no colour: nothing crashes, and every state can be told apart."""

from __future__ import annotations

import pytest
from rich.style import Style

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.icons import VERDICT_LOOKS, to_ascii
from ckpt_tui.tui.layout import Layout, layout_for
from ckpt_tui.tui.options import wants_ascii
from tests.tui import situations
from tests.tui.app_tests import dashboard
from tests.tui.builders import StubStatus, facts, run_of, snapshot_of

SIZES = [(20, 5), (40, 12), (120, 40), (1, 1), (200, 60)]


@pytest.mark.parametrize("name", ["mixed", "hostile", "empty"])
async def test_nothing_crashes_at_any_size(name: str) -> None:
    async with dashboard(situations.ALL[name](), (80, 24)) as board:
        for width, height in SIZES:
            await board.pilot.resize_terminal(width, height)
            for keys in (("enter", "j"), ("escape", "w", "G")):
                await board.rush(*keys)
                assert [strip.cell_length for strip in board.strips()] == [width] * height
            if name == "mixed" and width >= 80:
                assert "RESUME FROM   step 12400" in board.text()


async def test_the_help_fits_any_size() -> None:
    async with dashboard(situations.healthy(), (120, 40)) as board:
        await board.press("question_mark")
        for width, height in [(20, 5), (80, 24)]:
            await board.pilot.resize_terminal(width, height)
            await board.press("G")
            assert len(board.strips()) == height


@pytest.mark.parametrize(
    ("size", "layout"),
    [
        ((80, 24), Layout.OVER),
        ((120, 24), Layout.OVER),
        ((120, 40), Layout.BELOW),
        ((200, 60), Layout.BESIDE),
        ((200, 10), Layout.OVER),
    ],
)
def test_where_the_pane_goes(size: tuple[int, int], layout: Layout) -> None:
    assert layout_for(*size) is layout


async def test_hostile_names_are_drawn_harmless_and_in_line() -> None:
    async with dashboard(situations.hostile(), (100, 40)) as board:
        for key in "12340jjjjjjjj":
            await board.press(key)
            text = board.text()
            assert "\x1b" not in text
            assert "\x07" not in text
        assert "[bold red]not red" in text
        assert "\\x1b]0;pwned\\x07" in text
        assert {strip.cell_length for strip in board.strips()} == {100}


async def test_names_in_frames_are_no_markup() -> None:
    async with dashboard(situations.hostile(), (100, 40)) as board:
        for _ in situations.hostile().checkpoints:
            await board.press("m", "escape", "C", "escape", "j")
        assert board.app.is_running
        await board.press("g", "m")
        assert "[/x]" in board.text()


async def test_hostile_messages_of_the_feed() -> None:
    status = StubStatus(error="[/red] \x1b[31m[b")
    picture = snapshot_of(run_of([facts(1)]), problems=(("/[x]", "[/]\x00"),))
    async with dashboard(picture, status=status) as board:
        assert "the last look failed: [/red] \\x1b[31m[b" in board.text()
        await board.send(snapshot_of(error="[/] \x1b]", root="[/a]", version=3))
        assert "cannot be read: [/] \\x1b]" in board.text()


async def test_every_state_can_be_told_apart_in_ascii() -> None:
    icons = {to_ascii(look.icon) for look in VERDICT_LOOKS.values()}
    assert len(icons) == len(Verdict)
    assert all(icon.isascii() and (icon != "?" or icon in icons) for icon in icons)


@pytest.mark.parametrize("name", ["mixed", "nothing", "runs"])
async def test_ascii_draws_ascii_only(name: str) -> None:
    async with dashboard(situations.ALL[name](), ascii=True) as board:
        for key in ("j", "2", "4", "w", "question_mark"):
            await board.press(key)
            assert board.text().isascii()
        for key in ("L", "C", "e", "m", "colon"):
            await board.press("escape", key)
            assert board.text().isascii()


@pytest.mark.parametrize("name", ["mixed", "nothing", "runs"])
async def test_every_symbol_has_an_ascii_stand_in(name: str) -> None:
    async with dashboard(situations.ALL[name]()) as board:
        for key in ("j", "1", "2", "3", "4", "question_mark"):
            await board.press(key)
            for char in set(board.text()) - set("╭╮╰╯─│"):
                assert char == "?" or to_ascii(char) != "?", char


@pytest.mark.parametrize("name", ["mixed", "nothing"])
async def test_without_colour_states_keep_icon_and_word(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with dashboard(situations.ALL[name]()) as board:
        text = board.text()
        for checkpoint in situations.ALL[name]().checkpoints:
            look = VERDICT_LOOKS[checkpoint.verdict]
            assert f"{look.icon} {checkpoint.verdict.value}" in text
        for strip in board.strips(filtered=True):
            for segment in strip:
                style = segment.style or Style.null()
                assert (style.color, style.bgcolor) == (None, None)
                assert not style.dim


@pytest.mark.parametrize(
    ("environ", "encoding", "ascii_only"),
    [
        ({"LANG": "en_US.UTF-8"}, "utf-8", False),
        ({}, "utf-8", False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", True),
        ({"LC_CTYPE": "C.UTF-8"}, "utf-8", False),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, "utf-8", True),
        ({"LANG": "C", "LC_CTYPE": "de_DE.utf8"}, "utf-8", False),
        ({"LANG": "en_US.UTF-8"}, "ascii", True),
        ({"LANG": "en_US.UTF-8", "TERM": "linux"}, "utf-8", True),
        ({"LANG": "en_US.UTF-8"}, None, False),
    ],
)
def test_when_only_ascii_is_likely_to_work(
    environ: dict[str, str], encoding: str | None, ascii_only: bool
) -> None:
    assert wants_ascii(environ, encoding) is ascii_only


async def test_an_empty_directory_says_what_was_looked_for_and_where() -> None:
    async with dashboard(situations.empty(), (80, 24)) as board:
        text = " ".join(board.text().split())
        assert "No checkpoint in /mnt/checkpoints/llama-70b" in text
        assert "up to 6 directories below" in text
        for name in situations.TRIED:
            assert name in text
        await board.press("j", "enter", "y", "f", "s", "escape")
        await board.send(situations.mixed())
        assert board.cursor() == "iter_0012500"
        assert board.main.table.has_focus


async def test_a_directory_that_empties_shows_that() -> None:
    async with dashboard(situations.mixed()) as board:
        await board.send(situations.empty()._replace(version=3))
        assert "No checkpoint in" in board.text()
        assert board.main.table.cursor_key is None

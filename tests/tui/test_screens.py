"""Sizes, hostile names, ASCII, no colour: nothing crashes, and every state can be told apart."""

from __future__ import annotations

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.icons import VERDICT_LOOKS, to_ascii
from ckpt_tui.tui.layout import Layout, layout_for
from ckpt_tui.tui.options import wants_ascii
from tests.tui import situations
from tests.tui.app_tests import dashboard
from tests.tui.builders import StubStatus, facts, run_of, snapshot_of

SIZES = [(20, 5), (40, 12), (80, 24), (120, 40), (200, 60), (1, 1)]


@pytest.mark.parametrize("name", situations.ALL)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_nothing_crashes_at_any_size(name: str, size: tuple[int, int]) -> None:
    async with dashboard(situations.ALL[name](), size) as board:
        await board.press("j", "enter", "4", "j", "1", "escape", "w", "G")
        lines = board.text().splitlines()
        assert len(lines) == size[1]


async def test_the_screen_can_change_its_size_at_any_time() -> None:
    async with dashboard(situations.mixed(), (200, 60)) as board:
        for width, height in [(80, 24), (20, 5), (120, 40), (40, 12), (200, 60)]:
            await board.pilot.resize_terminal(width, height)
            await board.pilot.pause()
            assert len(board.text().splitlines()) == height
            if width >= 80:
                assert "RESUME FROM   step 12400" in board.text()


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


@pytest.mark.parametrize("tab", "1234")
async def test_hostile_names_are_drawn_harmless_and_in_line(tab: str) -> None:
    async with dashboard(situations.hostile(), (100, 40)) as board:
        for _ in range(8):
            await board.press(tab, "j")
            text = board.text()
            assert "\x1b" not in text
            assert "\x07" not in text
        assert "[bold red]not red" in text
        assert "\\x1b]0;pwned\\x07" in text
        for strip in board.app.screen._compositor.render_strips():
            assert strip.cell_length == 100


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


@pytest.mark.parametrize("name", ["mixed", "nothing", "runs", "restarts", "empty", "healthy"])
async def test_ascii_draws_ascii_only(name: str) -> None:
    async with dashboard(situations.ALL[name](), ascii=True) as board:
        for keys in ("", "2", "4", "w", "s", "?"):
            await board.press(*(["question_mark"] if keys == "?" else keys))
            assert board.text().isascii()


@pytest.mark.parametrize("name", ["mixed", "nothing", "runs", "restarts", "empty", "healthy"])
async def test_every_symbol_has_an_ascii_stand_in(name: str) -> None:
    async with dashboard(situations.ALL[name]()) as board:
        for keys in ("", "1", "2", "3", "4", "s", "question_mark"):
            await board.press(*([keys] if keys else []))
            framed = "╭╮╰╯─│"
            for char in set(board.text()) - set(framed):
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
        for strip in board.app.screen._compositor.render_strips():
            for segment in strip.apply_filter(
                board.app._filters[-1], board.app.screen.background_colors[1]
            ):
                colour = (
                    segment.style.color.triplet if segment.style and segment.style.color else None
                )
                assert colour is None or len(set(colour)) == 1


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

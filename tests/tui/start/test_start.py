"""The start screen: what it offers, and what its keys do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.near_misses import Miss, Nearby, NearMiss
from ckpt_tui.history.recent import Recent
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.start.app import StartApp
from ckpt_tui.tui.start.offers import Kind, Offer, Start, start_of

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = "/home/ann/llm"
NEARBY = Nearby(
    HERE,
    14,
    misses=(
        NearMiss(Miss.LINK, f"{HERE}/ckpt", "/mnt/checkpoints/gpt"),
        NearMiss(Miss.USUAL_PLACE, f"{HERE}/outputs"),
    ),
)
RECENT = (
    Recent("/mnt/checkpoints/llama-70b", 9_000.0),
    Recent("/mnt/checkpoints/gpt", 8_000.0),
    Recent(HERE, 7_000.0),
    Recent("/scratch/old", 1_000.0),
)
SIZES = [(80, 24), (120, 40)]


def start() -> Start:
    return start_of(NEARBY, RECENT, {"/scratch/old"}, 9_600.0)


def test_what_is_offered() -> None:
    made = start()
    assert made.heading == f"No checkpoint in {HERE}"
    assert [offer.path for offer in made.offers] == [
        "/mnt/checkpoints/gpt",
        "/mnt/checkpoints/llama-70b",
        "/scratch/old",
        HERE,
        "",
    ]
    assert made.offers[1].detail == "opened 10m 00s ago"
    assert made.offers[2].detail.endswith("not there now")
    assert any(f"{HERE}/outputs is there" in text for text in made.searched)


def test_a_search_that_did_not_end_says_so() -> None:
    made = start_of(Nearby("/", 20_000, whole=False), (), (), 0.0)
    assert made.heading == "No checkpoint found yet in /"
    assert "more than 20000" in made.searched[0]


async def ended_with(*keys: str) -> tuple[Offer | None, int | None]:
    app = StartApp(start(), DashboardOptions())
    async with app.run_test() as pilot:
        await pilot.press(*keys)
    return app.return_value, app.return_code


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        (("enter",), "/mnt/checkpoints/gpt"),
        (("j", "down", "k", "enter"), "/mnt/checkpoints/llama-70b"),
        (("k", "k", "enter"), HERE),
        (("j", "j", "j", "j", "j", "space"), "/mnt/checkpoints/gpt"),
    ],
)
async def test_the_offer_under_the_cursor_is_opened(keys: tuple[str, ...], path: str) -> None:
    offer, _ = await ended_with(*keys)
    assert offer is not None
    assert offer.path == path


async def test_d_is_the_demo() -> None:
    offer, _ = await ended_with("d")
    assert offer is not None
    assert offer.kind is Kind.DEMO


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("escape", 0), ("ctrl+c", 130)])
async def test_it_is_left(key: str, code: int) -> None:
    offer, ended = await ended_with(key)
    assert offer is None
    assert (ended or 0) == code


async def test_a_click_opens_what_it_is_on() -> None:
    app = StartApp(start(), DashboardOptions())
    async with app.run_test(size=(100, 40)) as pilot:
        rows = [strip.text for strip in app.screen._compositor.render_strips()]
        place = next(y for y, row in enumerate(rows) if "llama-70b" in row)
        await pilot.click("#start", offset=(8, place))
    assert app.return_value is not None
    assert app.return_value.path == "/mnt/checkpoints/llama-70b"


@pytest.mark.parametrize("size", [(20, 5), (60, 20)])
async def test_a_small_terminal_is_no_crash(size: tuple[int, int]) -> None:
    app = StartApp(start(), DashboardOptions(ascii=True))
    async with app.run_test(size=size) as pilot:
        await pilot.press("j", "enter")
    assert app.return_value is not None


async def test_the_cursor_stays_in_sight() -> None:
    app = StartApp(start(), DashboardOptions())
    async with app.run_test(size=(60, 10)) as pilot:
        for keys in (("k",), ("k", "k", "k"), ("j", "j", "j", "j")):
            await pilot.press(*keys)
            rows = [strip.text for strip in app.screen._compositor.render_strips()]
            assert any("▶" in row for row in rows[:-1])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_picture(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    assert snap_compare(StartApp(start(), DashboardOptions()), press=["j"], terminal_size=size)

"""What must be seen without colour, and what must be drawn without Unicode."""

from __future__ import annotations

import pytest

from tests.tui.planner.host import filled, hosted, settle


async def test_ascii_only() -> None:
    async with hosted((120, 40), ascii_only=True) as (host, pilot):
        await filled(pilot)
        screen = host.drawn()
        assert screen.isascii()
        assert "?" not in screen
        assert "@ now 30 min" in screen


async def test_the_answer_is_seen_without_scrolling() -> None:
    async with hosted((80, 24)) as (host, _pilot):
        screen = host.drawn()
        for words in (
            "save every 108.2 min",
            "Young 109.5",
            "Daly 108.2",
            "is within 5 %",
            "56.64",
        ):
            assert words in screen


@pytest.mark.parametrize("size", [(20, 5), (300, 80)])
async def test_odd_sizes_are_survived(size: tuple[int, int]) -> None:
    async with hosted(size) as (host, pilot):
        await pilot.press("enter", "x")
        assert "LAST GOOD" in host.shown("answer")


async def test_without_colour_the_states_still_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with hosted((120, 40)) as (host, pilot):
        assert "[sync]" in host.drawn()
        await pilot.press("enter", "x")
        await settle(pilot)
        screen = host.drawn()
        assert "✗ invalid" in screen
        assert "⚠ LAST GOOD" in screen
        assert "✗ `run`" in screen

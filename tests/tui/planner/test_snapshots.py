"""Drawings of the whole panel; a change must be looked at before it is accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tui.planner.host import PlannerHost, opened, settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.pilot import Pilot

    SnapCompare = Callable[..., bool]

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}


async def fill(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await pilot.press("ctrl+r")
    await settle(pilot)


async def spoil(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await pilot.press("enter", "x")
    await settle(pilot)


@pytest.mark.parametrize("size", SIZES)
def test_filled_from_the_directory(snap_compare: SnapCompare, size: str) -> None:
    assert snap_compare(PlannerHost(), terminal_size=SIZES[size], run_before=fill)


def test_a_field_that_cannot_be_read_in_ascii(snap_compare: SnapCompare) -> None:
    assert snap_compare(PlannerHost(ascii_only=True), terminal_size=(120, 40), run_before=spoil)

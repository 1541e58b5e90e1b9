"""Drawings of the whole panel; a change must be looked at before it is accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.tui.planner.simulating import SimulationView
from tests.tui.planner.host import FAILED_RUN, PlannerHost, filled, opened, settle
from tests.tui.planner.test_simulation_lines import simulated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.pilot import Pilot

    SnapCompare = Callable[..., bool]
    Drive = Callable[[Pilot[None]], Awaitable[None]]

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}


async def fill(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await filled(pilot)


async def compare(pilot: Pilot[None]) -> None:
    await fill(pilot)
    await pilot.press("a", "enter", "4", "8", "h", "escape")
    await settle(pilot)


async def mark(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await pilot.press("f")
    await settle(pilot)
    await pilot.press("j", "space")
    await settle(pilot)


async def keep(pilot: Pilot[None]) -> None:
    await fill(pilot)
    await pilot.press("t")
    await settle(pilot)
    await pilot.press("tab", *"1000", "tab", "tab", *"4h")
    await settle(pilot)


async def choose(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await pilot.press("p")
    await settle(pilot)


async def show_simulated(pilot: Pilot[None]) -> None:
    await opened(pilot)
    pilot.app.query_one(SimulationView).show_result(simulated())
    await settle(pilot)


async def spoil(pilot: Pilot[None]) -> None:
    await opened(pilot)
    await pilot.press("enter", "x")
    await settle(pilot)


@pytest.mark.parametrize(
    ("drive", "size"),
    [
        (fill, "120x40"),
        (compare, "120x40"),
        (mark, "80x24"),
        (keep, "120x40"),
        (choose, "80x24"),
        (show_simulated, "80x24"),
        (show_simulated, "120x40"),
    ],
    ids=lambda each: each if isinstance(each, str) else each.__name__,
)
def test_a_run_that_failed(snap_compare: SnapCompare, drive: Drive, size: str) -> None:
    assert snap_compare(PlannerHost(FAILED_RUN), terminal_size=SIZES[size], run_before=drive)


@pytest.mark.parametrize("size", SIZES)
def test_filled_from_the_directory(snap_compare: SnapCompare, size: str) -> None:
    assert snap_compare(PlannerHost(), terminal_size=SIZES[size], run_before=fill)


def test_a_field_that_cannot_be_read_in_ascii(snap_compare: SnapCompare) -> None:
    assert snap_compare(PlannerHost(ascii_only=True), terminal_size=(120, 40), run_before=spoil)

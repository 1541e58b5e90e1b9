"""A simulation under keys: it runs behind the screen, and ends when it is told to."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.simulation import simulate as simulation
from ckpt_tui.tui.planner.simulating import SimulationView
from ckpt_tui.tui.planner.simulation_lines import Comparison
from tests.tui.planner.host import hosted, settle, type_into

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest
    from textual.pilot import Pilot

    from tests.tui.planner.host import PlannerHost


def endless(_inputs: PlanInputs, _interval_minutes: float) -> Iterator[float]:
    """A simulation that is half done for ever."""
    while True:
        yield 0.5


async def ended(host: PlannerHost, pilot: Pilot[None]) -> SimulationView:
    view = host.query_one(SimulationView)
    while view.is_running:
        await pilot.pause(0.02)
    await settle(pilot)
    return view


async def test_a_key_simulates_and_escape_closes() -> None:
    async with hosted((120, 40)) as (host, pilot):
        await pilot.press("s")
        view = await ended(host, pilot)
        assert isinstance(view.shown, Comparison)
        assert "20,000 runs simulated" in host.shown("simulation")
        assert "every 108.2 min" in host.shown("simulation")
        assert "formula" in host.shown("simulation")
        assert host.shown("progress") == ""
        await type_into(pilot, "gpus", "8")
        await pilot.press("escape")
        assert "before the last change" in host.shown("simulation")
        await pilot.press("escape")
        await settle(pilot)
        assert host.shown("simulation") == ""


async def test_typing_goes_on_while_it_runs_and_escape_cancels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulation, "simulate", endless)
    async with hosted((120, 40)) as (host, pilot):
        await pilot.press("s")
        view = host.query_one(SimulationView)
        while "50 %" not in host.shown("progress"):
            await pilot.pause(0.02)
        assert "esc cancels" in host.shown("progress")
        await type_into(pilot, "gpus", "512")
        assert host.panel.plan.inputs.gpus == 512
        assert view.is_running
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert not view.is_running
        assert host.shown("progress") == host.shown("simulation") == ""


async def test_the_present_interval_can_be_simulated() -> None:
    async with hosted((120, 40)) as (host, pilot):
        await pilot.press("S")
        assert "no present interval" in host.toasts
        await type_into(pilot, "current_interval_minutes", "45")
        await pilot.press("escape", "S")
        await ended(host, pilot)
        assert "every 45 min" in host.shown("simulation")


async def test_what_cannot_be_simulated_says_why() -> None:
    never = PlanInputs(fault_rate_per_hour=3000, intervals_minutes=(60,))
    async with hosted((80, 24), first=never) as (host, pilot):
        await pilot.press("s")
        await ended(host, pilot)
        assert "the run does not finish" in host.shown("simulation")


async def test_without_numpy_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("ckpt_tui.planner.simulation")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    async with hosted((80, 24)) as (host, pilot):
        await pilot.press("s")
        await ended(host, pilot)
        assert "pip install 'ckpt-tui[sim]'" in host.shown("simulation")

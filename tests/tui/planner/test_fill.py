"""Filling in what the directory shows."""

from __future__ import annotations

from textual.widgets import Button

from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.tui.planner.mode_field import ModeChooser
from tests.tui.planner.host import hosted, settle, type_into


async def test_a_key_fills_and_says_from_where() -> None:
    async with hosted((120, 40)) as (host, pilot):
        await pilot.press("ctrl+r")
        await settle(pilot)
        inputs = host.panel.plan.inputs
        assert inputs.current_interval_minutes == 30
        assert round(inputs.save_minutes, 3) == 2.167
        assert inputs.checkpoint_bytes == 1.25 * 2**40
        assert host.note("save_minutes") == "≥ directory"
        assert host.note("current_interval_minutes") == "directory"
        assert host.note("reload_minutes") == "default"
        assert "medians of 7 saves" in host.shown("source")
        assert "a day" in host.shown("table")
        assert "⚠ now every 30 min costs" in host.shown("answer")
        await type_into(pilot, "save_minutes", "3")
        assert host.note("save_minutes") == ""
        assert host.note("checkpoint_bytes") == "directory"


async def test_the_button_fills_the_persist_time_of_asynchronous_saves() -> None:
    async with hosted((120, 40)) as (host, pilot):
        host.query_one(ModeChooser).choose(PlanMode.ASYNC)
        host.query_one(Button).focus()
        await pilot.press("enter")
        await settle(pilot)
        assert host.panel.plan.inputs.current_interval_minutes == 30
        assert round(host.panel.plan.inputs.persist_minutes, 3) == 2.167
        assert host.note("persist_minutes") == "≥ directory"


async def test_a_directory_that_shows_nothing_changes_nothing() -> None:
    async with hosted((80, 24), run=None) as (host, pilot):
        before = host.panel.plan
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert host.panel.plan is before
        assert "nothing was filled in" in host.shown("source")

"""Filling in what the directory shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Button

from ckpt_tui.history.database import History
from ckpt_tui.history.saves import history_key, saves_of
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.tui.planner.mode_field import ModeChooser
from tests.tui.planner.host import FAILED_RUN, filled, hosted, settle, type_into

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_key_fills_and_says_from_where() -> None:
    async with hosted((120, 40)) as (host, pilot):
        await filled(pilot)
        inputs = host.panel.plan.inputs
        assert inputs.current_interval_minutes == 30
        assert round(inputs.save_minutes, 3) == 2.167
        assert inputs.checkpoint_bytes == 1.25 * 2**40
        assert host.note("save_minutes") == "≥ directory"
        assert host.note("current_interval_minutes") == "directory"
        assert host.note("reload_minutes") == "default"
        assert "medians of 7 saves" in host.shown("source")
        assert "a day" in host.shown("table")
        assert "now every 30 min costs" in host.shown("answer")
        await type_into(pilot, "save_minutes", "3")
        assert host.note("save_minutes") == "typed"
        assert host.note("checkpoint_bytes") == "directory"


async def test_the_button_fills_the_persist_time_of_asynchronous_saves() -> None:
    async with hosted((120, 40)) as (host, pilot):
        host.query_one(ModeChooser).choose(PlanMode.ASYNC)
        host.query_one(Button).focus()
        await pilot.press("enter")
        await host.workers.wait_for_complete()
        await settle(pilot)
        assert host.panel.plan.inputs.current_interval_minutes == 30
        assert round(host.panel.plan.inputs.persist_minutes, 3) == 2.167
        assert host.note("persist_minutes") == "≥ directory"


async def test_a_directory_that_shows_nothing_changes_nothing() -> None:
    async with hosted((80, 24), run=None) as (host, pilot):
        before = host.panel.plan
        await filled(pilot)
        assert host.panel.plan is before
        assert "nothing was filled in" in host.shown("source")


async def test_the_failures_give_the_rate_and_how_sure_the_best_interval_is() -> None:
    async with hosted((120, 40), FAILED_RUN) as (host, pilot):
        await filled(pilot)
        assert "2 failures seen in 7h 00m" in host.shown("source")
        assert host.note("fault_rate_per_hour") == "directory"
        assert "by the failures seen" in host.shown("answer")
        assert "best with 90 %" in host.shown("curve")
        assert host.note("step_seconds") == "≤ directory"
        assert host.panel.plan.inputs.gpus == 4
        await type_into(pilot, "fault_rate_per_hour", "0.5")
        assert "by the failures seen" not in host.shown("answer")
        assert "best with 90 %" not in host.shown("curve")


async def test_a_planned_stop_is_no_failure() -> None:
    async with hosted((120, 40), FAILED_RUN) as (host, pilot):
        await filled(pilot)
        both = host.panel.plan.inputs.fault_rate_per_hour
        await pilot.press("f")
        await settle(pilot)
        assert "the step went back" in host.drawn()
        assert "a gap" in host.drawn()
        await pilot.press("j", "space", "escape")
        await host.workers.wait_for_complete()
        await settle(pilot)
        assert "1 failure seen" in host.shown("source")
        one = host.panel.plan.inputs.fault_rate_per_hour
        assert one < both
        await filled(pilot)
        assert host.panel.plan.inputs.fault_rate_per_hour == one
        await pilot.press("f")
        await settle(pilot)
        assert "[x] planned stop" in host.drawn()


async def test_where_all_were_planned_no_failure_is_left() -> None:
    async with hosted((120, 40), FAILED_RUN) as (host, pilot):
        await filled(pilot)
        both = host.panel.plan.inputs.fault_rate_per_hour
        await pilot.press("f")
        await settle(pilot)
        await pilot.press("space", "j", "space", "escape")
        await host.workers.wait_for_complete()
        await settle(pilot)
        assert "no failure seen" in host.shown("source")
        assert host.panel.plan.inputs.fault_rate_per_hour < both / 3


async def test_a_rate_that_was_typed_stays() -> None:
    async with hosted((120, 40), FAILED_RUN) as (host, pilot):
        await type_into(pilot, "fault_rate_per_hour", "0.5")
        await pilot.press("escape", "f")
        await settle(pilot)
        await pilot.press("space", "escape")
        await host.workers.wait_for_complete()
        await settle(pilot)
        assert "1 failure seen" in host.shown("source")
        assert host.panel.plan.inputs.fault_rate_per_hour == 0.5


async def test_a_list_of_failures_that_is_left_alone_changes_nothing() -> None:
    async with hosted((120, 40), FAILED_RUN) as (host, pilot):
        before = host.panel.plan
        await pilot.press("f")
        await settle(pilot)
        await pilot.press("escape")
        await host.workers.wait_for_complete()
        assert host.panel.plan is before


async def test_without_failures_there_is_no_list() -> None:
    async with hosted((80, 24)) as (host, pilot):
        await pilot.press("f")
        await host.workers.wait_for_complete()
        assert "No failure is seen" in host.toasts
        assert host.screen is host.screen_stack[0]


async def test_what_only_the_history_knows_counts(tmp_path: Path) -> None:
    history = History(str(tmp_path / "history.sqlite"))
    history.keep(history_key(FAILED_RUN), saves_of(FAILED_RUN.checkpoints))
    newest = FAILED_RUN._replace(checkpoints=FAILED_RUN.checkpoints[:3])
    async with hosted((120, 40), newest, history=history) as (host, pilot):
        await filled(pilot)
        assert "medians of 16 saves (13 of them only in the history)" in host.shown("source")
        assert "2 failures seen" in host.shown("source")


async def test_a_history_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "history.sqlite"
    broken.write_text("no database, but a text that is long enough to be looked at" * 20)
    async with hosted((120, 40), FAILED_RUN, history=History(str(broken))) as (host, pilot):
        await filled(pilot)
        assert "the history cannot be used" in host.shown("source").replace("\n", "")
        assert host.panel.plan.inputs.current_interval_minutes == 30

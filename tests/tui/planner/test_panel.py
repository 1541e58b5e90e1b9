"""The panel under keys: every one of them makes the plan anew."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.tui.planner.body import PlannerBody
from ckpt_tui.tui.planner.curve_view import CurveView
from ckpt_tui.tui.planner.mode_field import ModeChooser
from tests.tui.planner.host import hosted, settle, type_into

IN_MODE = {
    PlanMode.SYNC: {
        "run_minutes": 9.0,
        "fault_rate_per_hour": 1.0,
        "save_minutes": 4.0,
        "reload_minutes": 3.0,
        "down_minutes": 5.0,
        "intervals_minutes": (7.0,),
        "current_interval_minutes": 6.0,
        "checkpoint_bytes": 8,
        "step_seconds": 2.0,
        "gpus": 4,
        "gpu_hour_price": 3.0,
        "weibull_shape": 2.0,
    },
    PlanMode.ASYNC: {"snapshot_minutes": 1.0, "persist_minutes": 7.0, "slowdown": 0.0},
    PlanMode.TWO_LEVEL: {
        "level1_save_minutes": 1.0,
        "level1_reload_minutes": 2.0,
        "level1_down_minutes": 3.0,
        "level1_coverage": 0.0,
        "level2_every_saves": 4,
        "save_minutes": 7.0,
    },
}


async def test_the_lesson_is_there_and_every_key_counts() -> None:
    async with hosted((80, 24)) as (host, pilot):
        table = host.shown("table")
        for total in ("199.44", "107.04", "66.24", "56.64"):
            assert total in table
        assert "▶ 120 min" in table
        assert "Young 109.5 min, Daly 108.2 min" in host.shown("answer")
        assert host.note("run_minutes") == "default"
        assert host.note("fault_rate_per_hour") == "MTBF 50 h"
        host.field("intervals_minutes").focus()
        await pilot.press("end", "0")
        assert host.panel.plan.inputs.intervals_minutes[-1] == 1200
        assert "20h 00m" in host.shown("table")
        await pilot.press("backspace", "backspace")
        assert host.panel.plan.inputs.intervals_minutes[-1] == 12


@pytest.mark.parametrize("mode", PlanMode)
async def test_typing_in_each_field_recomputes(mode: PlanMode) -> None:
    async with hosted((120, 40)) as (host, pilot):
        host.query_one(ModeChooser).focus()
        for _ in range(list(PlanMode).index(mode)):
            await pilot.press("right")
        assert host.panel.plan.inputs.mode is mode
        for name, value in IN_MODE[mode].items():
            number = value[0] if isinstance(value, tuple) else value
            await type_into(pilot, name, f"{number:.0f}")
            assert getattr(host.panel.plan.inputs, name) == value, name
            assert host.note(name) != "default"


async def test_bad_input_keeps_the_last_good_plan() -> None:
    async with hosted((80, 24)) as (host, pilot):
        good, table = host.panel.plan, host.shown("table")
        await type_into(pilot, "save_minutes", "-")
        assert "✗ `save`: need a time ≥ 0 such as 2m or 40s" in host.shown("heading")
        assert "⚠ LAST GOOD" in host.shown("answer")
        assert host.note("save_minutes") == "✗ invalid"
        assert host.query_one("#field-save_minutes").has_class("-bad")
        assert host.panel.plan is good
        assert host.shown("table") == table
        await pilot.press("backspace", "2")
        assert "Planner" in host.shown("heading")
        assert "▶ BEST" in host.shown("answer")
        assert not host.query_one("#field-save_minutes").has_class("-bad")


async def test_only_the_fields_of_the_mode_are_shown_and_read() -> None:
    async with hosted((80, 24)) as (host, pilot):
        await type_into(pilot, "save_minutes", "x")
        host.query_one(ModeChooser).focus()
        await pilot.press("space")
        assert not host.query_one("#field-save_minutes").display
        assert host.query_one("#field-persist_minutes").display
        assert host.panel.plan.inputs.mode is PlanMode.ASYNC
        await pilot.press("left")
        assert "`save`" in host.shown("heading")


async def test_only_what_changed_is_computed_and_drawn() -> None:
    async with hosted((120, 40)) as (host, pilot):
        curve = host.query_one(CurveView)
        points, lines = curve.points, list(curve.lines)
        await type_into(pilot, "gpus", "8")
        assert curve.points is points
        assert list(curve.lines) == lines
        await type_into(pilot, "fault_rate_per_hour", "2")
        assert curve.points is not points
        assert host.note("fault_rate_per_hour") == "⚠ see below"
        assert "is it per hour?" in host.shown("remarks")
        assert not any(field.cursor_blink for field in host.query(Input))


async def test_tab_and_enter_go_on_arrows_step_and_escape_leaves() -> None:
    async with hosted((80, 24)) as (host, pilot):
        assert isinstance(host.focused, PlannerBody)
        await pilot.press("enter")
        assert host.focused is host.field("run_minutes")
        await pilot.press("up")
        assert host.panel.plan.inputs.run_minutes == 25 * 60
        await pilot.press("tab")
        assert host.focused is host.field("fault_rate_per_hour")
        await pilot.press("enter")
        assert isinstance(host.focused, ModeChooser)
        await pilot.press("escape")
        assert isinstance(host.focused, PlannerBody)


async def test_the_answer_stays_while_the_rest_scrolls() -> None:
    async with hosted((80, 24)) as (host, pilot):
        body = host.query_one(PlannerBody)
        await pilot.press("G")
        await settle(pilot)
        assert body.scroll_offset.y == body.max_scroll_y > 0
        assert host.query_one("#planner-answer").region.y == 1
        await pilot.press("g")
        await settle(pilot)
        assert body.scroll_offset.y == 0

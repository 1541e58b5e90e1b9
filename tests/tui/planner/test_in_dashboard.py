"""The planner where the dashboard shows it."""

from __future__ import annotations

from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.planner.body import PlannerBody
from ckpt_tui.tui.planner.form import PlannerForm
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.widgets.checkpoint_table import CheckpointTable
from ckpt_tui.tui.widgets.line_view import TextLines
from tests.tui.builders import FrozenClock, StubFeed
from tests.tui.planner.host import opened, settle
from tests.tui.situations import mixed


async def test_it_opens_fills_from_the_run_and_closes() -> None:
    options = DashboardOptions(panel=PlannerPanel, clock=FrozenClock())
    app = DashboardApp(StubFeed(mixed()), options)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        panel = app.screen.query_one(PlannerPanel)
        assert not panel.query(PlannerForm), "nothing is made before it is asked for"
        await pilot.press("P")
        await opened(pilot)
        assert isinstance(app.focused, PlannerBody)
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert panel.plan.inputs.current_interval_minutes == 30
        heading = app.screen.query_one("#planner-heading", TextLines).lines
        assert "Planner for llama-70b" in text_of(heading[0])
        await pilot.press("enter", "escape", "escape")
        await settle(pilot)
        assert not panel.display
        assert isinstance(app.focused, CheckpointTable)

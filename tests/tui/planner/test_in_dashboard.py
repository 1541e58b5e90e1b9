"""The planner where the dashboard shows it."""

from __future__ import annotations

from textual.widgets import Input

from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.planner.body import PlannerBody
from ckpt_tui.tui.planner.form import PlannerForm
from ckpt_tui.tui.planner.panel import PlannerPanel
from ckpt_tui.tui.widgets.answer_header import AnswerHeader
from ckpt_tui.tui.widgets.checkpoint_table import CheckpointTable
from ckpt_tui.tui.widgets.key_bar import KeyBar
from ckpt_tui.tui.widgets.line_view import TextLines
from tests.tui.builders import FrozenClock, StubFeed
from tests.tui.planner.host import filled, opened, settle, type_into
from tests.tui.situations import growing, mixed


def bar(app: DashboardApp) -> str:
    """The last line of the screen."""
    return text_of(app.screen.query_one(KeyBar).lines[0])


def header(app: DashboardApp) -> str:
    """The first lines of the screen."""
    return "\n".join(text_of(row) for row in app.screen.query_one(AnswerHeader).lines)


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
        assert bar(app).split("  ")[:4] == [
            " enter edit",
            "ctrl+r directory",
            "p presets",
            "s simulate",
        ]
        await filled(pilot)
        assert panel.plan.inputs.current_interval_minutes == 30
        heading = app.screen.query_one("#planner-heading", TextLines).lines
        assert "Planner for llama-70b" in text_of(heading[0])
        await pilot.press("enter")
        assert isinstance(app.focused, Input)
        assert bar(app) == " tab next field  ctrl+r directory  esc leave  "
        await pilot.press("escape", "escape")
        await settle(pilot)
        assert not panel.display
        assert isinstance(app.focused, CheckpointTable)
        assert "enter open" in bar(app)


async def test_its_keys_can_be_clicked() -> None:
    options = DashboardOptions(panel=PlannerPanel, clock=FrozenClock())
    app = DashboardApp(StubFeed(mixed()), options)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("P")
        await opened(pilot)
        for word, kind in [
            ("edit", Input),
            ("next field", Input),
            ("leave", PlannerBody),
            ("directory", PlannerBody),
            ("close", CheckpointTable),
        ]:
            await pilot.click(KeyBar, offset=(bar(app).index(word), 0))
            await app.workers.wait_for_complete()
            await settle(pilot)
            assert isinstance(app.focused, kind), word
        panel = app.screen.query_one(PlannerPanel)
        assert panel.plan.inputs.current_interval_minutes == 30


async def test_the_header_reckons_with_the_planners_figures() -> None:
    options = DashboardOptions(panel=PlannerPanel, clock=FrozenClock())
    app = DashboardApp(StubFeed(growing()), options)
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.press("P")
        await opened(pilot)
        assert "16m rollback + assumed 8m reload)" in header(app)
        await type_into(pilot, "down_minutes", "4")
        assert "16m rollback + assumed 8m reload + 4m down)" in header(app)
        assert "fault before then: < 0.1 %" in header(app)
        await type_into(pilot, "reload_minutes", "20")
        await type_into(pilot, "down_minutes", "5")
        await type_into(pilot, "fault_rate_per_hour", "12")
        assert "16m rollback + 4h 27m reload" in header(app), "a reload can fail, too"
        assert "fault before then: 11.9 % (MTBF 5m 00s)" in header(app)
        await type_into(pilot, "fault_rate_per_hour", "x")
        assert "fault before then: 11.9 %" in header(app), "the last good plan counts"


async def test_the_help_has_its_keys() -> None:
    options = DashboardOptions(panel=PlannerPanel, clock=FrozenClock())
    app = DashboardApp(StubFeed(mixed()), options)
    async with app.run_test(size=(120, 160)) as pilot:
        await pilot.press("question_mark")
        await settle(pilot)
        text = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
        assert "pin this plan as A" in text
        assert "what a retention policy would keep" in text

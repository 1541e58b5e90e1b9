"""What the planner shows: the answer above, then the fields, and the plan of the last good ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Container

from ckpt_tui.planner.advice_text import sensitivity_sentences
from ckpt_tui.planner.evidence import best_interval_range
from ckpt_tui.planner.inputs import PlanInputs, parse_inputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.tui.planner.answer import answer_lines
from ckpt_tui.tui.planner.bars import bar_lines
from ckpt_tui.tui.planner.body import PlannerBody
from ckpt_tui.tui.planner.comparing import comparison_lines
from ckpt_tui.tui.planner.curve_lines import AROUND_PLOT
from ckpt_tui.tui.planner.curve_view import CurveView
from ckpt_tui.tui.planner.form import PlannerForm
from ckpt_tui.tui.planner.heading import heading_lines
from ckpt_tui.tui.planner.knowledge import Knowledge
from ckpt_tui.tui.planner.notes import Origin
from ckpt_tui.tui.planner.remarks import remark_lines
from ckpt_tui.tui.planner.results import result_lines
from ckpt_tui.tui.planner.simulating import SimulationView
from ckpt_tui.tui.planner.style import BARS_WIDTH, PANEL_CSS
from ckpt_tui.tui.planner.terms import fault_terms
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, TextLines
from ckpt_tui.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual import events
    from textual.timer import Timer
    from textual.widget import Widget

    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.history.database import History
    from ckpt_tui.planner.fields import FieldError
    from ckpt_tui.planner.rate import RatePosterior
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.tui.lines import Line

RATE = "fault_rate_per_hour"
BESIDE_WIDTH = 160
BARS_BESIDE_WIDTH = 100
BESIDE_CLASS = "-curve-beside"
BARS_BESIDE_CLASS = "-bars-beside"
_LEAST_PLOT, _MOST_PLOT = 8, 18
_REMARK_ROWS = 5
"""Room for remarks; fixed, so that a warning that comes and goes does not change the plot."""
_PATIENCE_SECONDS = 0.2
"""So long after a key, what is slow to work out may begin."""


class PlannerBoard(Panel):
    """Plans the checkpoint interval; keeps the last good plan while a field cannot be read.

    Args:
        first: What the fields say at first.
        history: What was kept of runs; None where nothing is.
    """

    DEFAULT_CSS = PANEL_CSS
    SCOPED_CSS = False

    def __init__(self, first: PlanInputs | None = None, history: History | None = None) -> None:
        super().__init__(id="planner")
        self._plan = make_plan(first or PlanInputs())
        self._errors: tuple[FieldError, ...] = ()
        self._known = Knowledge(history)
        self._rate: RatePosterior | None = None
        self._pinned: Plan | None = None
        self._weights = ""
        self._weighing: Timer | None = None
        self._made = False

    @property
    def plan(self) -> Plan:
        """The last good plan."""
        return self._plan

    def show_run(self, run: Run | None, snapshot: Snapshot | None = None) -> None:
        """Remembers the run, for its name and for what its directory shows."""
        before = self._known.name
        self._known.run, self._known.snapshot = run, snapshot
        if before != self._known.name and self._made:
            self._draw_heading()

    async def on_show(self) -> None:
        """Takes the keys when it appears; what it consists of is made the first time only."""
        if not self._made:
            await self.mount_all(self._parts())
            self._made = True
            self._weigh()
            self._fit()
        self.query_one(PlannerBody).focus(scroll_visible=False)

    def _parts(self) -> Iterator[Widget]:
        """The answer stays in sight; all below it scrolls."""
        for name in ("heading", "answer", "progress"):
            yield TextLines(widget_id=f"planner-{name}")
        curve, bars = CurveView(widget_id="planner-curve"), TextLines(widget_id="planner-bars")
        plots = Container(curve, bars, id="planner-plots")
        yield PlannerBody(
            PlannerForm(self._plan.inputs),
            TextLines(widget_id="planner-source"),
            SimulationView(widget_id="planner-simulation"),
            TextLines(widget_id="planner-comparison"),
            Container(TextLines(widget_id="planner-table"), plots, id="planner-picture"),
            TextLines(widget_id="planner-remarks"),
            id="planner-body",
        )

    def on_resize(self, event: events.Resize) -> None:
        """Puts curve and bars where there is room, and fits every line to it."""
        width = event.size.width
        self.set_class(width >= BESIDE_WIDTH, BESIDE_CLASS)
        self.set_class(BARS_BESIDE_WIDTH <= width < BESIDE_WIDTH, BARS_BESIDE_CLASS)
        self._fit()

    def _fit(self) -> None:
        if self._made:
            self.query_one(PlannerForm).fit(self._body_width)
            self._draw()
            self.call_after_refresh(self._draw)  # the form's height decides the plot's

    @on(PlannerForm.Reshaped)
    def _fit_plot(self) -> None:
        self._draw()

    @on(PlannerForm.Edited)
    def _replan(self) -> None:
        """Reads all fields, and plans if each of them can be read."""
        parsed = parse_inputs(self.query_one(PlannerForm).texts())
        self._errors = parsed.errors
        if parsed.inputs is not None and parsed.inputs != self._plan.inputs:
            self._plan = make_plan(parsed.inputs)
            self._weigh()
            self.post_message(self.TermsChanged(fault_terms(parsed.inputs)))
        self._draw()

    def _weigh(self) -> None:
        """How much hangs on each input: at once where that is quick, else when typing rests."""
        if self._weighing is not None:
            self._weighing.stop()
        inputs = self._plan.inputs
        if inputs.mode is not PlanMode.TWO_LEVEL and inputs.exponential:
            self._weights = " ".join(sensitivity_sentences(self._plan))
        else:  # the other models search for their optima
            self._weights = ""
            self._weighing = self.set_timer(_PATIENCE_SECONDS, self._weigh_slowly)

    def _weigh_slowly(self) -> None:
        self._weights = " ".join(sensitivity_sentences(self._plan))
        self._draw_remarks()

    @property
    def _body_width(self) -> int:
        return max(0, self.size.width - 1)

    @property
    def _credible(self) -> tuple[float, float] | None:
        """Where the best interval may lie, as long as the rate is the one that was observed."""
        origin = self.query_one(PlannerForm).origin_of(RATE)
        if self._rate is None or origin is not Origin.DIRECTORY:
            return None
        return best_interval_range(self._plan.inputs, self._rate)

    def _text(self, name: str) -> TextLines:
        return self.query_one(f"#planner-{name}", TextLines)

    def _draw(self) -> None:
        """Says everything anew; lines that are the same are not drawn again."""
        width, plan = self._body_width, self._plan
        if not self._made or width < 2:
            return
        credible = self._credible
        answer = answer_lines(plan, width, stale=bool(self._errors), credible=credible)
        self._draw_heading()
        self._text("answer").set_lines(answer)
        self.query_one(PlannerForm).mark(self._errors, plan)
        self.query_one(SimulationView).note_plan(plan.inputs)
        table = self._draw_table(plan, width)
        self._draw_comparison()
        self._draw_remarks()
        for curve in self.query(CurveView):
            curve.show(plan, self._plot_height(len(table)), credible)

    def _draw_table(self, plan: Plan, width: int) -> list[Line]:
        """The table and the bars; beside the curve the bars stand below the table."""
        ascii_only = self.app.has_class(ASCII_CLASS)
        if self.has_class(BESIDE_CLASS):
            room = width * 3 // 5
            table = [*result_lines(plan, room), (), *bar_lines(plan, room - 2, ascii_only)]
        else:
            table = result_lines(plan, width)
            bars = BARS_WIDTH if self.has_class(BARS_BESIDE_CLASS) else width
            self._text("bars").set_lines(bar_lines(plan, bars - 1, ascii_only))
        self._text("table").set_lines(table)
        return table

    def _draw_comparison(self) -> None:
        pinned = self._pinned
        lines = comparison_lines(pinned, self._plan, self._body_width) if pinned else []
        self._text("comparison").set_lines(lines)

    def _draw_remarks(self) -> None:
        lines = remark_lines(self._plan, self._body_width, self._weights)
        self._text("remarks").set_lines(lines)

    def _plot_height(self, table_rows: int) -> int:
        """What the window has left, within reason."""
        if self.has_class(BESIDE_CLASS):
            table_rows = 0
        around = self.query_one(PlannerForm).size.height + len(self._text("source").lines)
        around += table_rows + AROUND_PLOT + _REMARK_ROWS
        room = self.query_one(PlannerBody).size.height - around
        return max(_LEAST_PLOT, min(_MOST_PLOT, room))

    def _draw_heading(self) -> None:
        lines = heading_lines(self._known.name, self._errors, self._body_width)
        self._text("heading").set_lines(lines)

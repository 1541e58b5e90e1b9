"""The planner: the answer above, then the fields, and the plan that every key makes anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Container

from ckpt_tui.core.cadence import cadence_of
from ckpt_tui.planner.inputs import PlanInputs, parse_inputs
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.tui.planner.answer import FILL_KEY, answer_lines
from ckpt_tui.tui.planner.body import PlannerBody
from ckpt_tui.tui.planner.curve_lines import AROUND_PLOT
from ckpt_tui.tui.planner.curve_view import CurveView
from ckpt_tui.tui.planner.directory import filled_from, source_lines
from ckpt_tui.tui.planner.form import PlannerForm
from ckpt_tui.tui.planner.heading import heading_lines
from ckpt_tui.tui.planner.keys import EDITING_KEYS, READING_KEYS
from ckpt_tui.tui.planner.remarks import remark_lines
from ckpt_tui.tui.planner.results import result_lines
from ckpt_tui.tui.planner.style import PANEL_CSS
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual import events
    from textual.widget import Widget

    from ckpt_tui.core.runs import Run
    from ckpt_tui.planner.fields import FieldError
    from ckpt_tui.planner.result import Plan
    from ckpt_tui.tui.actions import Action

BESIDE_WIDTH = 160
BESIDE_CLASS = "-curve-beside"
_LEAST_PLOT, _MOST_PLOT = 8, 18
_REMARK_ROWS = 5
"""Room for remarks; fixed, so that a warning that comes and goes does not change the plot."""


class PlannerPanel(Panel):
    """Plans the checkpoint interval; keeps the last good plan while a field cannot be read.

    What the directory shows is worked out, only on request, from the run it was told of last.
    """

    DEFAULT_CSS = PANEL_CSS
    SCOPED_CSS = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(FILL_KEY, "fill", "fill in what the directory shows", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(id="planner")
        self._plan = make_plan(PlanInputs())
        self._errors: tuple[FieldError, ...] = ()
        self._run: Run | None = None
        self._made = False

    @property
    def plan(self) -> Plan:
        """The last good plan."""
        return self._plan

    @property
    def keys(self) -> Sequence[Action]:
        """What the key bar offers: other keys matter in a field."""
        return READING_KEYS if self.query_one(PlannerBody).has_focus else EDITING_KEYS

    def show_run(self, run: Run | None) -> None:
        """Remembers the run, for its name and for what its directory shows."""
        renamed = _name(run) != _name(self._run)
        self._run = run
        if renamed and self._made:
            self._draw_heading()

    async def on_show(self) -> None:
        """Takes the keys when it appears; what it consists of is made the first time only."""
        if not self._made:
            await self.mount_all(self._parts())
            self._made = True
            self._fit()
        self.action_leave()

    def _parts(self) -> Iterator[Widget]:
        """The answer stays in sight; all below it scrolls."""
        yield TextLines(widget_id="planner-heading")
        yield TextLines(widget_id="planner-answer")
        table, curve = TextLines(widget_id="planner-table"), CurveView(widget_id="planner-curve")
        yield PlannerBody(
            PlannerForm(self._plan.inputs),
            TextLines(widget_id="planner-source"),
            Container(table, curve, id="planner-picture"),
            TextLines(widget_id="planner-remarks"),
            id="planner-body",
        )

    def on_resize(self, event: events.Resize) -> None:
        """Puts the curve where there is room, and fits every line to it."""
        self.set_class(event.size.width >= BESIDE_WIDTH, BESIDE_CLASS)
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
    def _edited(self) -> None:
        """Reads all fields, and plans if each of them can be read."""
        parsed = parse_inputs(self.query_one(PlannerForm).texts())
        self._errors = parsed.errors
        if parsed.inputs is not None and parsed.inputs != self._plan.inputs:
            self._plan = make_plan(parsed.inputs)
        self._draw()

    @on(PlannerForm.FillAsked)
    def action_fill(self) -> None:
        """Fills in what the directory of the present run shows."""
        if not self._made:
            return
        form = self.query_one(PlannerForm)
        cadence = cadence_of(self._run.checkpoints) if self._run else None
        filled = filled_from(cadence, form.mode)
        form.fill(filled)
        saves = cadence.saves if cadence else 0
        lines = source_lines(filled, saves, _name(self._run), self._body_width)
        self._text("source").set_lines(lines)
        self._edited()

    @on(PlannerForm.Left)
    def action_leave(self) -> None:
        """Takes the keys from the fields."""
        self.query_one(PlannerBody).focus(scroll_visible=False)

    @on(PlannerBody.EditAsked)
    def action_edit(self) -> None:
        """Gives the keys to the first field."""
        self.query_one(PlannerForm).focus_first()

    @property
    def _body_width(self) -> int:
        return max(0, self.size.width - 1)

    def _text(self, name: str) -> TextLines:
        return self.query_one(f"#planner-{name}", TextLines)

    def _draw(self) -> None:
        """Says everything anew; lines that are the same are not drawn again."""
        width, plan = self._body_width, self._plan
        if not self._made or width < 2:
            return
        self._draw_heading()
        self._text("answer").set_lines(answer_lines(plan, width, stale=bool(self._errors)))
        self.query_one(PlannerForm).mark(self._errors, plan)
        table = result_lines(plan, width // 2 if self.has_class(BESIDE_CLASS) else width)
        self._text("table").set_lines(table)
        self._text("remarks").set_lines(remark_lines(plan, width))
        for curve in self.query(CurveView):
            curve.show(plan, self._plot_height(len(table)))

    def _plot_height(self, table_rows: int) -> int:
        """What the window has left, within reason."""
        if self.has_class(BESIDE_CLASS):
            table_rows = 0
        around = self.query_one(PlannerForm).size.height + len(self._text("source").lines)
        around += table_rows + AROUND_PLOT + _REMARK_ROWS
        room = self.query_one(PlannerBody).size.height - around
        return max(_LEAST_PLOT, min(_MOST_PLOT, room))

    def _draw_heading(self) -> None:
        lines = heading_lines(_name(self._run), self._errors, self._body_width)
        self._text("heading").set_lines(lines)


def _name(run: Run | None) -> str:
    return "" if run is None else run.name

"""What the dashboard shows: pictures from the feed into header, table and pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Container, Vertical
from textual.screen import Screen

from ckpt_tui.tui.alarm_desk import AlarmDesk
from ckpt_tui.tui.empty import EmptyView
from ckpt_tui.tui.layout import BAR_HEIGHT, Layout, layout_for
from ckpt_tui.tui.to_terminal import send_to_terminal
from ckpt_tui.tui.view import View, primary_run, run_of
from ckpt_tui.tui.widgets.answer_header import AnswerHeader
from ckpt_tui.tui.widgets.checkpoint_table import CheckpointTable
from ckpt_tui.tui.widgets.detail_pane import DetailPane
from ckpt_tui.tui.widgets.filter_bar import FilterBar
from ckpt_tui.tui.widgets.key_bar import KeyBar
from ckpt_tui.tui.widgets.panel import Panel
from ckpt_tui.tui.widgets.size_bar import SizeBar
from ckpt_tui.tui.widgets.table_title import TableTitle
from ckpt_tui.tui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed

EMPTY_CLASS = "-empty"
TICK_SECONDS = 1.0


class DashboardScreen(Screen[None]):
    """Header, table and pane, kept up to date; what keys do is added by `MainScreen`."""

    AUTO_FOCUS = "CheckpointTable"

    def __init__(self, feed: Feed, options: DashboardOptions) -> None:
        super().__init__()
        self._feed = feed
        self._options = options
        self._clock = options.clock
        self._terms = options.fault_terms
        self._shown = feed.snapshot()
        self._paused_at: float | None = None
        self.desk = AlarmDesk(options.alerts, self._shown.root, self._clock, self._to_terminal)

    def compose(self) -> ComposeResult:
        """The parts, top to bottom."""
        yield AnswerHeader(widget_id="header")
        with Container(id="body"):
            with Vertical(id="list"):
                yield TableTitle(widget_id="table-title")
                yield CheckpointTable(widget_id="table")
                yield EmptyView(self._options.nearby, widget_id="empty")
            yield DetailPane(widget_id="pane")
            if self._options.panel is not None:
                yield self._options.panel()
        with Vertical(id="foot"):
            yield FilterBar(id="filter-bar")
            yield SizeBar(id="size-bar")
            yield KeyBar(widget_id="keys")

    def on_mount(self) -> None:
        """Draws what there is by now, and starts the clock."""
        self.pane.list_tensors_with(self._options.tensors)
        self.desk.start()
        self._look_out()
        self._show(self._feed.snapshot())
        self.set_interval(TICK_SECONDS, self.tick)

    def on_unmount(self) -> None:
        """Carries no alarm any more."""
        self.desk.stop()

    def _look_out(self) -> None:
        """Alarms are of this moment, also while the picture is held."""
        self.desk.take(self._feed.snapshot(), self._feed.status())

    def _to_terminal(self, sequence: str) -> None:
        send_to_terminal(self.app, sequence)

    @property
    def shown(self) -> Snapshot:
        """The picture that is on the screen."""
        return self._shown

    @property
    def table(self) -> CheckpointTable:
        """The table of checkpoints."""
        return self.query_one(CheckpointTable)

    @property
    def pane(self) -> DetailPane:
        """The pane that explains the row under the cursor."""
        return self.query_one(DetailPane)

    @property
    def run_shown(self) -> Run | None:
        """The run that the header answers about: that of the cursor, else the liveliest."""
        return run_of(self._shown, self.table.current_run) or primary_run(self._shown)

    def take(self) -> None:
        """Fetches the newest picture from the feed and shows it, unless paused."""
        self._look_out()
        # One may come before the screen is up, which fetches it then, or while it is taken down.
        if self._paused_at is None and self.query(CheckpointTable):
            self._show(self._feed.snapshot())

    def tick(self) -> None:
        """Lets a second pass: ages of what is seen, alarms, and nothing else."""
        self._look_out()
        if self._paused_at is None:
            now = self._clock.wall()
            self.table.tick(now)
            self.pane.tick(now)
        self._answer()

    def _show(self, snapshot: Snapshot) -> None:
        self._shown = snapshot
        with self.app.batch_update():
            self.table.show(snapshot, self._clock.wall())
            empty = not snapshot.checkpoints
            self.set_class(empty, EMPTY_CLASS)
            if empty:
                self.query_one(EmptyView).show(snapshot, self._view().first_look)
            self._explain()

    def _view(self) -> View:
        now, monotonic = self._clock.wall(), self._clock.monotonic()
        paused_for = None if self._paused_at is None else monotonic - self._paused_at
        return View(
            self._shown,
            self.run_shown,
            self._feed.status(),
            now - (paused_for or 0.0),
            monotonic,
            self._terms.reload_minutes,
            self._terms.down_minutes,
            paused_for,
            self._terms.fault_rate_per_hour,
            self.desk.alarms,
            self._terms.reload_assumed,
        )

    @on(Panel.TermsChanged)
    def _reckon_anew(self, event: Panel.TermsChanged) -> None:
        """The header says what a fault costs by the same figures as the panel."""
        event.stop()
        self._terms = self._terms.followed_by(event.terms)
        self._answer()

    def _answer(self) -> None:
        self.query_one(AnswerHeader).show(self._view())

    @on(VirtualTable.Highlighted)
    def _explain(self) -> None:
        """Header, title and pane say what belongs to the row under the cursor."""
        view = self._view()
        self.query_one(AnswerHeader).show(view)
        self.pane.show(self.table.current, view.run, view.now)
        for panel in self.query(Panel):
            panel.show_run(view.run, self._shown)
        self._title()

    def _title(self) -> None:
        table = self.table
        title = self.query_one(TableTitle)
        marks = (len(table.marked), table.hidden_marks)
        title.show(table.arranging, table.arrangement, table.following, table.wide, marks)

    def on_resize(self, event: events.Resize) -> None:
        """Puts the pane where there is room for it."""
        layout = layout_for(event.size.width, event.size.height)
        for other in Layout:
            self.set_class(other is layout, other.value)
        self.set_class(event.size.height < BAR_HEIGHT, "-low")
        most = max(2, event.size.height * 45 // 100) if layout is Layout.BELOW else None
        self.table.styles.max_height = most

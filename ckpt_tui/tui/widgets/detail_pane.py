"""The pane that explains one checkpoint: title with tabs, facts, and the body of a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical

from ckpt_tui.tui.details.bytes import bytes_lines
from ckpt_tui.tui.details.facts import facts_lines
from ckpt_tui.tui.details.files import files_lines
from ckpt_tui.tui.details.findings import findings_lines
from ckpt_tui.tui.details.roles import roles_lines
from ckpt_tui.tui.lines import BLANK
from ckpt_tui.tui.tensors.view import TensorsView
from ckpt_tui.tui.widgets.line_view import LineView, ScrollingText, TextLines
from ckpt_tui.tui.widgets.shards_view import ShardsView
from ckpt_tui.tui.widgets.tab_line import Tab, TabLine, tabs_of, telling_tab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.lines import Line
    from ckpt_tui.tui.tensors.shelf import TensorSource

_INDENT = 1
_SCROLL_BAR = 1
_FACTS_FROM_HEIGHT = 12
_FACTS_FROM_HEIGHT_OF_LARGE = 22
"""A lower pane leaves the facts out: the body says more, a grid of ranks and tensors above all."""
_LARGE = (Tab.SHARDS, Tab.TENSORS)


class DetailPane(Vertical):
    """Shows the checkpoint under the cursor. The tab is the telling one until a key chooses."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self._checkpoint: Checkpoint | None = None
        self._run: Run | None = None
        self._now = 0.0
        self._chosen: Tab | None = None
        self._drawn: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        """The parts, top to bottom."""
        yield TabLine(widget_id="pane-tabs")
        yield TextLines(widget_id="pane-facts")
        yield ScrollingText(widget_id="pane-text")
        yield ShardsView(widget_id="pane-shards")
        yield TensorsView(widget_id="pane-tensors")

    @property
    def tab(self) -> Tab:
        """The tab that is shown."""
        if self._checkpoint is None:
            return Tab.ROLES
        if self._chosen in tabs_of(self._checkpoint):
            return self._chosen or Tab.ROLES
        return telling_tab(self._checkpoint)

    @property
    def focus_target(self) -> LineView:
        """What gets the keys while the pane has them."""
        if self.tab is Tab.SHARDS:
            return self.query_one(ShardsView).grid
        if self.tab is Tab.TENSORS:
            return self.query_one(TensorsView).focus_target
        return self.query_one("#pane-text", ScrollingText)

    def list_tensors_with(self, source: TensorSource | None) -> None:
        """Takes what lists the tensors of a checkpoint; None shows what looks saw of them."""
        self.query_one(TensorsView).source = source

    def show(self, checkpoint: Checkpoint | None, run: Run | None, now: float) -> None:
        """Shows a checkpoint of a run; None where there is none.

        Args:
            checkpoint: The one under the cursor.
            run: Its run.
            now: Seconds since the epoch.
        """
        old, self._checkpoint = self._checkpoint, checkpoint
        self._run, self._now = run, now
        if old is None or checkpoint is None or old.path != checkpoint.path:
            self.query_one("#pane-text", ScrollingText).jump_to(0)
        self._draw()

    def choose(self, tab: Tab | None) -> None:
        """Shows a tab from now on; None goes back to the telling one."""
        had_focus = self.has_focus_within
        self._chosen = tab
        self.query_one("#pane-text", ScrollingText).jump_to(0)
        self._draw()
        if had_focus:
            self.focus_target.focus()

    def tick(self, now: float) -> None:
        """Lets time pass: only ages change."""
        self._now = now
        self._draw_facts()

    def _draw(self) -> None:
        checkpoint, width = self._checkpoint, self.size.width
        if not width:
            return
        drawn = (checkpoint, self._run, self.tab, width)
        self._draw_facts()
        if all(new is old for new, old in zip(drawn, self._drawn or (None,) * 4, strict=True)):
            return
        self._drawn = drawn
        text, shards = self.query_one("#pane-text", ScrollingText), self.query_one(ShardsView)
        tensors = self.query_one(TensorsView)
        text.display = self.tab not in _LARGE
        shards.display = self.tab is Tab.SHARDS
        tensors.display = self.tab is Tab.TENSORS
        if self.tab is not Tab.TENSORS:
            tensors.leave()
        if checkpoint is None:
            text.set_lines(())
            self.query_one(TabLine).set_lines(())
            return
        self._draw_tabs()
        if self.tab is Tab.SHARDS:
            shards.show(checkpoint, self._other_whole(checkpoint))
        elif self.tab is Tab.TENSORS:
            tensors.show(checkpoint)
        else:
            text.set_lines(self._body(checkpoint, width - _INDENT - _SCROLL_BAR))

    @on(TensorsView.Listed)
    def _draw_tabs(self) -> None:
        """The tabs with their counts; that of tensors is known once they are listed."""
        checkpoint, width = self._checkpoint, self.size.width
        if checkpoint is not None and width:
            total = self.query_one(TensorsView).total_of(checkpoint)
            self.query_one(TabLine).show(checkpoint, self.tab, width, total)

    def _body(self, checkpoint: Checkpoint, width: int) -> Sequence[Line]:
        match self.tab:
            case Tab.FILES:
                return files_lines(checkpoint, width)
            case Tab.FINDINGS:
                return findings_lines(checkpoint, self._run, width)
            case Tab.BYTES:
                return bytes_lines(checkpoint, width)
            case _:
                return roles_lines(checkpoint, width)

    def _draw_facts(self) -> None:
        checkpoint, facts = self._checkpoint, self.query_one("#pane-facts", TextLines)
        least = _FACTS_FROM_HEIGHT_OF_LARGE if self.tab in _LARGE else _FACTS_FROM_HEIGHT
        facts.display = checkpoint is not None and self.size.height >= least
        if checkpoint is None:
            return
        resume = self._run.resume if self._run else None
        is_resume = resume is not None and resume.path == checkpoint.path
        lines = facts_lines(checkpoint, is_resume, self._now, self.size.width - _INDENT)
        facts.set_lines([*lines, BLANK])

    def _other_whole(self, checkpoint: Checkpoint) -> Checkpoint | None:
        """What the sizes of its shards are compared with: the resume point, or what is below it."""
        run = self._run
        if run is None or run.resume is None or run.resume.path != checkpoint.path:
            return run.resume if run is not None else None
        others = (c for c in run.checkpoints if c.resumable and c.path != checkpoint.path)
        return next(others, None)

    def on_resize(self, _event: events.Resize) -> None:
        """Lines are as long as the pane."""
        self._draw()

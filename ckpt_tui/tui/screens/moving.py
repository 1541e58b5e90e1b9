"""What the keys do that move, open and close."""

from __future__ import annotations

from textual import on

from ckpt_tui.tui.layout import Layout
from ckpt_tui.tui.screens.dashboard import DashboardScreen
from ckpt_tui.tui.widgets.filter_bar import FilterBar
from ckpt_tui.tui.widgets.line_view import Motion, TextLines
from ckpt_tui.tui.widgets.rank_grid import RankGrid
from ckpt_tui.tui.widgets.size_bar import SizeBar
from ckpt_tui.tui.widgets.tab_line import Tab, TabLine
from ckpt_tui.tui.widgets.virtual_table import VirtualTable

OPEN_CLASS = "-open"
PANEL_CLASS = "-panel"


class Moving(DashboardScreen):
    """Cursor, pane, tabs, and the way back."""

    def action_navigate(self, motion: str) -> None:
        """Moves in what has the focus."""
        target = self.focused
        if not isinstance(target, VirtualTable | TextLines | RankGrid):
            target = self.table
        target.navigate(Motion(motion))

    def action_go_to_run(self, direction: int) -> None:
        """The next run, or the one before."""
        self.table.go_to_run(direction)

    def go_to_step(self, step: int) -> bool:
        """Puts the cursor on the checkpoint of a step; says whether there is one."""
        found = [c for c in self.shown.checkpoints if c.step == step]
        in_run = [c for c in found if self.run_shown and c in self.run_shown.checkpoints]
        for checkpoint in in_run or found:
            self.table.move_cursor(checkpoint.path)
            return self.table.cursor_key == checkpoint.path
        return False

    def action_open(self) -> None:
        """Gives the keys to the pane; where it has no place of its own it takes the table's."""
        if self.table.current is None:
            return
        self.remove_class(PANEL_CLASS)
        self.add_class(OPEN_CLASS)
        self.call_after_refresh(self._focus_pane)

    def _focus_pane(self) -> None:
        self.pane.focus_target.focus()

    @property
    def is_bare(self) -> bool:
        """Whether the table has the keys, and nothing is open that the way back would leave."""
        opened = self.has_class(PANEL_CLASS) or self.has_class(OPEN_CLASS)
        typed = self.query_one(SizeBar).display or bool(self.table.arranging.query.terms)
        return self.table.has_focus and not opened and not typed

    def action_back(self) -> None:
        """Leaves what is open, one thing at a time; never quits."""
        bar, size_bar = self.query_one(FilterBar), self.query_one(SizeBar)
        if size_bar.display:
            size_bar.close()
        elif bar.has_focus_within:
            bar.clear()
        elif self.has_class(PANEL_CLASS):
            self.remove_class(PANEL_CLASS)
        elif self.has_class(OPEN_CLASS):
            self.remove_class(OPEN_CLASS)
        elif self.table.arranging.query.terms:
            bar.clear()
        self.table.focus()

    def action_tab(self, name: str) -> None:
        """Shows a tab of the pane; opens the pane where it is not seen."""
        self.pane.choose(Tab(name) if name else None)
        if self.has_class(Layout.OVER.value):
            self.action_open()

    @on(TabLine.Chosen)
    def _tab_clicked(self, event: TabLine.Chosen) -> None:
        self.pane.choose(event.tab)

    @on(VirtualTable.Opened)
    def _row_clicked(self) -> None:
        self.action_open()

    def action_panel(self) -> None:
        """Shows or hides the panel in the pane's place."""
        self.toggle_class(PANEL_CLASS)
        if self.has_class(PANEL_CLASS):
            self._explain()
        else:
            self.table.focus()

"""What the keys do that choose and order the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from ckpt_tui.tui.screens.dashboard import DashboardScreen
from ckpt_tui.tui.widgets.filter_bar import FilterBar
from ckpt_tui.tui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from ckpt_tui.tui.rows.arrange import Arranging


class Finding(DashboardScreen):
    """Filter, faults only, sort, columns."""

    def action_filter(self) -> None:
        """Opens the filter with its last text."""
        self.query_one(FilterBar).open()

    @on(FilterBar.Changed)
    def _filtered(self, event: FilterBar.Changed) -> None:
        self._arrange(self.table.arranging._replace(query=event.query))

    @on(FilterBar.Accepted)
    def _filter_accepted(self) -> None:
        self.query_one(FilterBar).display = False
        self.table.focus()

    def action_faults(self) -> None:
        """Only what needs a look, or everything again."""
        how = self.table.arranging
        self._arrange(how._replace(faults_only=not how.faults_only))

    def action_sort_next(self) -> None:
        """Sorts by the next column on the screen."""
        choices = self.table.sort_choices()
        how = self.table.arranging
        place = choices.index(how.sort) + 1 if how.sort in choices else 0
        if choices:
            self._arrange(how._replace(sort=choices[place % len(choices)], descending=True))

    def action_sort_reverse(self) -> None:
        """Turns the order round."""
        how = self.table.arranging
        self._arrange(how._replace(descending=not how.descending))

    @on(VirtualTable.TitleClicked)
    def _title_clicked(self, event: VirtualTable.TitleClicked) -> None:
        how = self.table.arranging
        again = how.sort == event.column
        self._arrange(how._replace(sort=event.column, descending=not (again and how.descending)))

    def _arrange(self, how: Arranging) -> None:
        self.table.arrange_by(how)
        arrangement = self.table.arrangement
        self.query_one(FilterBar).show_count(arrangement.shown, arrangement.total)
        self._explain()

    def action_wide(self) -> None:
        """All columns, or those that fit."""
        self.table.set_wide(not self.table.wide)
        self._title()

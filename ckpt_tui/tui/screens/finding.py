"""What the keys do that choose and order the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from ckpt_tui.tui.background import on_daemon_thread
from ckpt_tui.tui.compare.pairing import NoPairError, pair_of
from ckpt_tui.tui.compare.screen import CompareScreen
from ckpt_tui.tui.remembered import Remembered
from ckpt_tui.tui.rows.order import SortKey, reversed_first, sort_of, with_first, words_of
from ckpt_tui.tui.screens.dashboard import DashboardScreen
from ckpt_tui.tui.widgets.filter_bar import FilterBar
from ckpt_tui.tui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed
    from ckpt_tui.tui.rows.arrange import Arranging
    from ckpt_tui.tui.rows.order import Sort


class Finding(DashboardScreen):
    """Filter, faults only, sort, columns, marks, and the comparison of two."""

    def __init__(self, feed: Feed, options: DashboardOptions) -> None:
        super().__init__(feed, options)
        self._remembered = options.remembered or Remembered()

    def on_mount(self) -> None:
        """Orders the rows as the configuration says, else as they were ordered last."""
        options, table = self._options, self.table
        table.choose_columns(options.columns)
        sort = sort_of(options.sort or self._remembered.sort)
        table.arrange_by(table.arranging._replace(sort=sort))

    def action_filter(self) -> None:
        """Opens the filter with its last text."""
        self.query_one(FilterBar).open(self._remembered.filters)

    @on(FilterBar.Changed)
    def _filtered(self, event: FilterBar.Changed) -> None:
        self._arrange(self.table.arranging._replace(query=event.query))

    @on(FilterBar.Accepted)
    def _filter_accepted(self) -> None:
        self.query_one(FilterBar).display = False
        self.table.focus()
        if self._remembered.add_filter(self.table.arranging.query.text):
            self._remember()

    def action_faults(self) -> None:
        """Only what needs a look, or everything again."""
        how = self.table.arranging
        self._arrange(how._replace(faults_only=not how.faults_only))

    def action_sort_next(self) -> None:
        """Sorts by the next column on the screen, then by the one so far."""
        choices, sort = self.table.sort_choices(), self.table.arranging.sort
        first = sort[0].column
        place = choices.index(first) + 1 if first in choices else 0
        if choices:
            self._sort(with_first(sort, choices[place % len(choices)]))

    def action_sort_reverse(self) -> None:
        """Turns the order of the first column round."""
        self._sort(reversed_first(self.table.arranging.sort))

    @on(VirtualTable.TitleClicked)
    def _title_clicked(self, event: VirtualTable.TitleClicked) -> None:
        sort = self.table.arranging.sort
        again = sort[0] == SortKey(event.column, sort[0].descending)
        self._sort(reversed_first(sort) if again else with_first(sort, event.column))

    def _sort(self, sort: Sort) -> None:
        self._arrange(self.table.arranging._replace(sort=sort))
        if self._remembered.set_sort(words_of(sort)):
            self._remember()

    def _remember(self) -> None:
        self.run_worker(on_daemon_thread(self._remembered.save))

    def action_mark(self) -> None:
        """Marks the row under the cursor, or takes its mark away."""
        self.table.toggle_mark()
        self._title()

    def action_clear_marks(self) -> None:
        """Takes all marks away."""
        self.table.clear_marks()
        self._title()

    def action_compare(self) -> None:
        """Shows two checkpoints side by side."""
        try:
            pair = pair_of(self.table.marked, self.table.current, self.run_shown)
        except NoPairError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        self.app.push_screen(CompareScreen(*pair, self.table.checkpoint, self._options.tensors))

    def _arrange(self, how: Arranging) -> None:
        self.table.arrange_by(how)
        arrangement = self.table.arrangement
        self.query_one(FilterBar).show_count(arrangement.shown, arrangement.total)
        self._explain()

    def action_wide(self) -> None:
        """All columns, or those that fit."""
        self.table.set_wide(not self.table.wide)
        self._title()

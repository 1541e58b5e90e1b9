"""The main screen: what each key of the registry does."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from textual import on

from ckpt_tui.tui.actions import ACTIONS, Action
from ckpt_tui.tui.clipboard import MOST_BYTES, path_word, row_json
from ckpt_tui.tui.export import table_csv, write_export
from ckpt_tui.tui.layout import Layout
from ckpt_tui.tui.lines import line, piece
from ckpt_tui.tui.screens.dashboard import DashboardScreen
from ckpt_tui.tui.screens.events import EventsScreen
from ckpt_tui.tui.screens.help import help_screen
from ckpt_tui.tui.screens.text import TextScreen
from ckpt_tui.tui.timeline.screen import TimelineScreen
from ckpt_tui.tui.widgets.filter_bar import FilterBar
from ckpt_tui.tui.widgets.grid_keys import GRID_KEYS
from ckpt_tui.tui.widgets.key_bar import KeyBar
from ckpt_tui.tui.widgets.line_view import Motion, TextLines
from ckpt_tui.tui.widgets.panel import Panel
from ckpt_tui.tui.widgets.rank_grid import RankGrid
from ckpt_tui.tui.widgets.size_bar import SizeBar
from ckpt_tui.tui.widgets.tab_line import Tab, TabLine
from ckpt_tui.tui.widgets.virtual_table import VirtualTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.tui.rows.arrange import Arranging

OPEN_CLASS = "-open"
PANEL_CLASS = "-panel"


class MainScreen(DashboardScreen):
    """The dashboard with its keys; every action of the registry is a method here."""

    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in ACTIONS]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that are there in this dashboard."""
        without = () if self._options.panel is not None else ("panel",)
        return tuple(action for action in ACTIONS if action.id not in without)

    def on_mount(self) -> None:
        """Shows the keys."""
        self._show_keys()

    def on_descendant_focus(self) -> None:
        """Other keys matter in the pane or a panel than in the table."""
        self._show_keys()

    def _show_keys(self) -> None:
        panel = self._panel_in_use
        keys = self.actions if panel is None else panel.keys
        if isinstance(self.focused, RankGrid):
            keys = (*GRID_KEYS, *keys)
        self.query_one(KeyBar).show(keys, self.pane.has_focus_within)

    @property
    def _panel_in_use(self) -> Panel | None:
        return next((panel for panel in self.query(Panel) if panel.has_focus_within), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leaves the planner's key out where there is no planner."""
        return not (action == "panel" and self._options.panel is None)

    def action_navigate(self, motion: str) -> None:
        """Moves in what has the focus."""
        target = self.focused
        if not isinstance(target, VirtualTable | TextLines | RankGrid):
            target = self.table
        target.navigate(Motion(motion))

    def action_go_to_run(self, direction: int) -> None:
        """The next run, or the one before."""
        self.table.go_to_run(direction)

    def action_open(self) -> None:
        """Gives the keys to the pane; where it has no place of its own it takes the table's."""
        if self.table.current is None:
            return
        self.remove_class(PANEL_CLASS)
        self.add_class(OPEN_CLASS)
        self.call_after_refresh(self._focus_pane)

    def _focus_pane(self) -> None:
        self.pane.focus_target.focus()

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

    def action_panel(self) -> None:
        """Shows or hides the panel in the pane's place."""
        self.toggle_class(PANEL_CLASS)
        if self.has_class(PANEL_CLASS):
            self._explain()
        else:
            self.table.focus()

    def action_timeline(self) -> None:
        """Shows the saves of the run over time; its cursor may choose one for the table."""
        start = self.table.current.path if self.table.current is not None else ""
        history, clock = self._options.history, self._clock
        self.app.push_screen(
            TimelineScreen(lambda: self.run_shown, history, clock, start),
            lambda path: self.table.move_cursor(path) if path else None,
        )

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

    def action_world_size(self) -> None:
        """Opens the line for another world size with the one that is asked for."""
        self.query_one(SizeBar).open(self.shown.world_size)

    @on(SizeBar.Asked)
    def _size_asked(self, event: SizeBar.Asked) -> None:
        self._feed.ask_world_size(event.world_size)
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

    @on(VirtualTable.Opened)
    def _row_clicked(self) -> None:
        self.action_open()

    @on(KeyBar.Clicked)
    async def _key_clicked(self, event: KeyBar.Clicked) -> None:
        await (self._panel_in_use or self).run_action(event.action.call)

    def action_pause(self) -> None:
        """Holds the picture, or shows the newest again."""
        if self._paused_at is None:
            self._paused_at = self._clock.monotonic()
        else:
            self._paused_at = None
            self.take()
        self._answer()

    def action_rescan(self) -> None:
        """Asks for a full look."""
        self._feed.refresh()
        self.notify("Looking at everything again.", timeout=2)

    def action_wide(self) -> None:
        """All columns, or those that fit."""
        self.table.set_wide(not self.table.wide)
        self._title()

    def action_copy_path(self) -> None:
        """Sends the path to the terminal's clipboard."""
        self._copy(lambda checkpoint: path_word(checkpoint.path), "path")

    def action_copy_json(self) -> None:
        """Sends the row to the terminal's clipboard."""
        self._copy(row_json, "row as JSON")

    def _copy(self, text_of: Callable[[Checkpoint], str], what: str) -> None:
        checkpoint = self.table.current
        if checkpoint is None:
            return
        text = text_of(checkpoint)
        if len(text) > MOST_BYTES:
            self.notify(f"The {what} is too long for a terminal's clipboard.", severity="warning")
            return
        self.app.copy_to_clipboard(text)
        self.notify(f"The {what} was sent to the terminal's clipboard.", timeout=3)

    def action_help(self) -> None:
        """Keys and signs."""
        of_panels = [action for panel in self.query(Panel) for action in panel.help_keys]
        self.app.push_screen(help_screen((*self.actions, *GRID_KEYS, *of_panels), self._options))

    def action_events(self) -> None:
        """What holds, and what happened."""
        self.app.push_screen(EventsScreen(self.desk, self._clock))

    def action_document(self) -> None:
        """All that is known of the checkpoint, as `check --json` tells it."""
        checkpoint = self.table.current
        if checkpoint is not None:
            rows = [line(piece(row)) for row in row_json(checkpoint).splitlines()]
            self.app.push_screen(TextScreen(checkpoint.title, lambda _width: rows))

    def action_export(self) -> None:
        """Writes the table as CSV, never into the watched directory."""
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(self._clock.wall()))
        try:
            path = write_export(table_csv(self.shown.runs), self.shown.root, stamp)
        except OSError as error:
            self.notify(f"Not written: {error}", severity="error", markup=False)
            return
        self.notify(f"The table is in {path}", markup=False)

    def go_to_step(self, step: int) -> bool:
        """Puts the cursor on the checkpoint of a step; says whether there is one."""
        found = [c for c in self.shown.checkpoints if c.step == step]
        in_run = [c for c in found if self.run_shown and c in self.run_shown.checkpoints]
        for checkpoint in in_run or found:
            self.table.move_cursor(checkpoint.path)
            return self.table.cursor_key == checkpoint.path
        return False

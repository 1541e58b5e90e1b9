"""The main screen: its keys, and what opens over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on

from ckpt_tui.tui.actions.dashboard import ACTIONS
from ckpt_tui.tui.actions.filtering import FILTER_KEYS
from ckpt_tui.tui.actions.grid import GRID_KEYS
from ckpt_tui.tui.actions.key_map import remapped
from ckpt_tui.tui.actions.tensors import TENSOR_KEYS, with_tensor_keys
from ckpt_tui.tui.leaving.forms import json_form
from ckpt_tui.tui.lines import line, piece
from ckpt_tui.tui.screens.events import EventsScreen
from ckpt_tui.tui.screens.finding import Finding
from ckpt_tui.tui.screens.help import help_screen
from ckpt_tui.tui.screens.taking import Taking
from ckpt_tui.tui.screens.text import TextScreen
from ckpt_tui.tui.tensors.table import TensorTable
from ckpt_tui.tui.timeline.screen import TimelineScreen
from ckpt_tui.tui.verify.verifying import Verifying
from ckpt_tui.tui.widgets.key_bar import KeyBar
from ckpt_tui.tui.widgets.panel import Panel
from ckpt_tui.tui.widgets.rank_grid import RankGrid
from ckpt_tui.tui.widgets.size_bar import SizeBar
from ckpt_tui.words import say

if TYPE_CHECKING:
    from textual.binding import BindingType

    from ckpt_tui.tui.actions.action import Action


class MainScreen(Verifying, Finding, Taking):
    """The dashboard with its keys; every action of the registry is a method here or in a base."""

    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in ACTIONS]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that are there in this dashboard."""
        kept = [action for action in ACTIONS if self._is_there(action.call)]
        return tuple(remapped(kept, self._options.keymap))

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
        elif isinstance(self.focused, TensorTable):
            keys = with_tensor_keys(keys)
        keys = remapped(keys, self._options.keymap)
        self.query_one(KeyBar).show(keys, self.pane.has_focus_within)

    @property
    def _panel_in_use(self) -> Panel | None:
        return next((panel for panel in self.query(Panel) if panel.has_focus_within), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leaves out the keys of what is not there."""
        return self._is_there(action)

    def _is_there(self, call: str) -> bool:
        """Whether there is a planner to show, or a way to verify."""
        name = call.partition("(")[0]
        if name == "panel":
            return self._options.panel is not None
        return name != "verify" or self._options.verifier is not None

    @on(KeyBar.Clicked)
    async def _key_clicked(self, event: KeyBar.Clicked) -> None:
        await (self._panel_in_use or self).run_action(event.action.call)

    def action_world_size(self) -> None:
        """Opens the line for another world size with the one that is asked for."""
        self.query_one(SizeBar).open(self.shown.world_size)

    @on(SizeBar.Asked)
    def _size_asked(self, event: SizeBar.Asked) -> None:
        self._feed.ask_world_size(event.world_size)
        self.table.focus()

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
        self.notify(say("Looking at everything again."), timeout=2, markup=False)

    def action_timeline(self) -> None:
        """Shows the saves of the run over time; its cursor may choose one for the table."""
        start = self.table.current.path if self.table.current is not None else ""
        history, clock = self._options.history, self._clock
        self.app.push_screen(
            TimelineScreen(lambda: self.run_shown, history, clock, start, self._options.keymap),
            lambda path: self.table.move_cursor(path) if path else None,
        )

    def action_events(self) -> None:
        """What holds, and what happened."""
        self.app.push_screen(EventsScreen(self.desk, self._clock))

    def action_document(self) -> None:
        """All that is known of the checkpoint, as `check --json` tells it."""
        checkpoint = self.table.current
        if checkpoint is not None:
            rows = [line(piece(row)) for row in json_form(checkpoint).text.splitlines()]
            self.app.push_screen(TextScreen(checkpoint.title, lambda _width: rows))

    def action_help(self) -> None:
        """Keys and signs."""
        of_panels = [action for panel in self.query(Panel) for action in panel.help_keys]
        others = (*FILTER_KEYS, *GRID_KEYS, *TENSOR_KEYS, *of_panels)
        shown = (*self.actions, *remapped(others, self._options.keymap))
        self.app.push_screen(help_screen(shown, self._options))

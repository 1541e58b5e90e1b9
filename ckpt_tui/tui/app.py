"""The Textual application: theme, signals, the feed's messages."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.theme import ThemeProvider

from ckpt_tui.tui.actions.dashboard import SUSPEND
from ckpt_tui.tui.base_app import BaseApp
from ckpt_tui.tui.clipboard import clipboard_sequence
from ckpt_tui.tui.commands import ActionCommands
from ckpt_tui.tui.messages import SnapshotReady
from ckpt_tui.tui.screens.main import MainScreen
from ckpt_tui.tui.to_terminal import send_to_terminal
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.binding import BindingType
    from textual.command import Provider
    from textual.screen import Screen
    from textual.types import CSSPathType

    from ckpt_tui.tui.leaving.on_exit import OnExit
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed

    ScreenMaker = Callable[[Feed, DashboardOptions], MainScreen]


class WholeCellScrollBar(ScrollBarRender):
    """A scroll bar of whole cells, which need no block characters."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


class DashboardApp(BaseApp[None]):
    """Shows a feed.

    Args:
        feed: Where pictures come from.
        options: What the person chose.
        make_screen: Makes the main screen; that of a live dashboard by default.
    """

    TITLE = "ckpt-tui"
    CSS_PATH: ClassVar[CSSPathType | None] = ["app.tcss", "few_colours.tcss"]
    # A modal screen hides the app's keys but those that come first.
    BINDINGS: ClassVar[list[BindingType]] = [replace(SUSPEND.binding(), priority=True)]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {
        *App.COMMANDS,
        ActionCommands,
    }

    def __init__(
        self, feed: Feed, options: DashboardOptions, make_screen: ScreenMaker = MainScreen
    ) -> None:
        super().__init__(options)
        ScrollBar.renderer = WholeCellScrollBar
        self._feed = feed
        self._main = make_screen(feed, options)

    def get_default_screen(self) -> Screen[None]:
        """The dashboard."""
        return self._main

    @property
    def on_exit(self) -> OnExit:
        """What is to be printed once the dashboard has left the screen."""
        return self._main.on_exit

    def copy_to_clipboard(self, text: str) -> None:
        """Sends it in the form that tmux and screen hand on."""
        self._clipboard = text
        send_to_terminal(self, clipboard_sequence(text, os.environ))

    def on_mount(self) -> None:
        """Listens to the feed, to the signals that end a program, and to `fg` after a stop."""
        self._feed.start(self._announce)
        self.app_resume_signal.subscribe(self, self._draw_again)
        self.end_by_signals()

    def _draw_again(self, _app: App[object]) -> None:
        """The terminal is empty after a stop, and may have another size."""
        self.refresh(layout=True)
        for screen in self.screen_stack:
            screen.refresh(layout=True)

    def _announce(self, _snapshot: object) -> None:
        """Runs on the feed's thread; only tells the screen that there is something new."""
        with contextlib.suppress(RuntimeError):  # the loop has ended while the feed still runs
            self.post_message(SnapshotReady())

    def on_snapshot_ready(self) -> None:
        """Shows the newest picture."""
        self._main.take()

    def action_leave(self) -> None:
        """Ends the program."""
        self.exit(return_code=0)

    def action_command_palette(self) -> None:
        """Opens the palette; its hint has no character beside ASCII."""
        if not isinstance(self.screen, CommandPalette):
            hint = say("Search for commands")
            self.push_screen(CommandPalette(placeholder=hint, id="--command-palette"))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The theme; the rest has keys of ours."""
        told = say("Change the current theme")
        yield SystemCommand(say("Theme"), told, self.action_change_theme)

    def search_themes(self) -> None:
        """Opens the palette with the themes."""
        hint = say("Search for themes…")
        self.push_screen(CommandPalette(providers=[ThemeProvider], placeholder=hint))

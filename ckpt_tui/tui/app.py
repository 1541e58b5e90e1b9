"""The Textual application: theme, signals, the feed's messages."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.theme import ThemeProvider

from ckpt_tui.tui.actions.dashboard import SUSPEND
from ckpt_tui.tui.actions.key_map import textual_keymap
from ckpt_tui.tui.clipboard import clipboard_sequence
from ckpt_tui.tui.colours import ANSI, ANSI_THEME, WithoutColour, is_without_colour
from ckpt_tui.tui.commands import ActionCommands
from ckpt_tui.tui.hang_up import LOOK_SECONDS, has_hung_up, terminal_descriptor
from ckpt_tui.tui.lines import clean
from ckpt_tui.tui.messages import SnapshotReady
from ckpt_tui.tui.screens.main import MainScreen
from ckpt_tui.tui.to_terminal import send_to_terminal
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.binding import BindingType
    from textual.command import Provider
    from textual.filter import LineFilter
    from textual.notifications import SeverityLevel
    from textual.screen import Screen
    from textual.types import CSSPathType

    from ckpt_tui.tui.leaving.on_exit import OnExit
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed

    ScreenMaker = Callable[[Feed, DashboardOptions], MainScreen]

INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MONO_CLASS = "-mono"
"""Class of the app while NO_COLOR is set."""


class WholeCellScrollBar(ScrollBarRender):
    """A scroll bar of whole cells, which need no block characters."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


class DashboardApp(App[None]):
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
        super().__init__()
        ScrollBar.renderer = WholeCellScrollBar
        self._feed = feed
        self._main = make_screen(feed, options)
        self.register_theme(ANSI_THEME)
        self.no_color = is_without_colour(os.environ)
        # Reversal and weight stand for colours there, so that nothing is lost without them.
        self.theme = ANSI if self.no_color else options.theme
        self.set_keymap(textual_keymap(options.keymap))
        self.set_class(options.ascii, ASCII_CLASS)
        self.set_class(self.no_color, MONO_CLASS)

    def get_default_screen(self) -> Screen[None]:
        """The dashboard."""
        return self._main

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without colours there is one filter of ours: Textual's would leave greys."""
        return (WithoutColour(),) if self.no_color else super().get_line_filters()

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
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._end_by_signal, number)
        terminal = terminal_descriptor()
        if terminal is not None:
            self.set_interval(LOOK_SECONDS, partial(self._end_without, terminal))

    def _end_without(self, terminal: int) -> None:
        """Nobody sees it any more, and its reading of keys would go round and round."""
        if has_hung_up(terminal):
            self._end_by_signal(signal.SIGHUP)

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

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Shows a message for a while, never as markup: names in it are anybody's.

        Textual would hand control characters on to the terminal.
        """
        shown = "\n".join(map(clean, message.split("\n")))
        super().notify(shown, title=clean(title), severity=severity, timeout=timeout, markup=False)

    def action_leave(self) -> None:
        """Ends the program."""
        self.exit(return_code=0)

    def action_interrupt(self) -> None:
        """Ends the program as an interrupt does."""
        self.exit(return_code=INTERRUPTED)

    def _end_by_signal(self, number: int) -> None:
        self.exit(return_code=128 + number)

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

"""The Textual application: theme, signals, the feed's messages."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, SystemCommand
from textual.scrollbar import ScrollBar, ScrollBarRender

from ckpt_tui.tui.commands import ActionCommands
from ckpt_tui.tui.messages import SnapshotReady
from ckpt_tui.tui.screens.main import MainScreen
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.command import Provider
    from textual.screen import Screen

    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed

    ScreenMaker = Callable[[Feed, DashboardOptions], MainScreen]

INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MONO_CLASS = "-mono"
"""Class of the app while NO_COLOR is set."""
_KEPT_SYSTEM_COMMANDS = ("Theme", "Screenshot")


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
    CSS_PATH = "app.tcss"
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
        self.theme = options.theme
        self.set_class(options.ascii, ASCII_CLASS)
        self.set_class(self.no_color, MONO_CLASS)

    def get_default_screen(self) -> Screen[None]:
        """The dashboard."""
        return self._main

    def on_mount(self) -> None:
        """Listens to the feed and to the signals that end a program."""
        self._feed.start(self._announce)
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._end_by_signal, number)

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

    def action_interrupt(self) -> None:
        """Ends the program as an interrupt does."""
        self.exit(return_code=INTERRUPTED)

    def _end_by_signal(self, number: int) -> None:
        self.exit(return_code=128 + number)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Theme and screenshot; the rest has keys of ours."""
        for command in super().get_system_commands(screen):
            if command.title in _KEPT_SYSTEM_COMMANDS:
                yield command

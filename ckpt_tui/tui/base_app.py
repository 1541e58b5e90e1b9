"""What the programs on the screen share: their looks, the signals that end them, clean messages."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from textual.app import App

from ckpt_tui import words
from ckpt_tui.tui.actions.key_map import textual_keymap
from ckpt_tui.tui.colours import (
    ANSI,
    ANSI_THEME,
    AUTO,
    THEMES,
    WithoutColour,
    is_without_colour,
    theme_for,
)
from ckpt_tui.tui.hang_up import LOOK_SECONDS, has_hung_up, terminal_descriptor
from ckpt_tui.tui.lines import clean
from ckpt_tui.tui.options import wants_ascii
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.filter import LineFilter
    from textual.notifications import SeverityLevel

    from ckpt_tui.tui.options import DashboardOptions

INTERNAL_ERROR = 70
INTERRUPTED = 130
_CRASHED = 1
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MONO_CLASS = "-mono"
"""Class of the app while NO_COLOR is set."""

Result = TypeVar("Result")


def for_this_terminal(options: DashboardOptions) -> DashboardOptions:
    """The options with a theme that suits the terminal, and ASCII where it knows nothing else.

    In ASCII it speaks English from now on: letters of other scripts would all be question marks. So
    it is called before any text is made.

    Raises:
        ValueError: There is no theme of that name; the message lists those there are.
    """
    if options.theme not in THEMES:
        raise ValueError(f"no theme {options.theme!r}; there are {', '.join(THEMES)}")
    if options.theme == AUTO:
        options = options._replace(theme=theme_for(os.environ))
    if wants_ascii(os.environ, sys.stdout.encoding):
        options = options._replace(ascii=True)
    if options.ascii:
        words.use(words.ENGLISH)
    return options


class BaseApp(App[Result]):
    """An application that looks as the person chose, and ends as a program should.

    Args:
        options: What the person chose.
    """

    def __init__(self, options: DashboardOptions) -> None:
        super().__init__()
        self.register_theme(ANSI_THEME)
        self.no_color = is_without_colour(os.environ)
        # Reversal and weight stand for colours there, so that nothing is lost without them.
        self.theme = ANSI if self.no_color else options.theme
        self.set_keymap(textual_keymap(options.keymap))
        self.set_class(options.ascii, ASCII_CLASS)
        self.set_class(self.no_color, MONO_CLASS)

    @property
    def exit_code(self) -> int:
        """Of the program, once the screen is left; 70 after a crash."""
        code = self.return_code or 0
        return INTERNAL_ERROR if code == _CRASHED else code

    def end_by_signals(self) -> None:
        """Ends with 128 + n from now on after signal n, or when the terminal has gone."""
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._end_by_signal, number)
        terminal = terminal_descriptor()
        if terminal is not None:
            self.set_interval(LOOK_SECONDS, partial(self._end_without, terminal))

    def _end_by_signal(self, number: int) -> None:
        self.exit(return_code=128 + number)

    def _end_without(self, terminal: int) -> None:
        """Nobody sees it any more, and its reading of keys would go round and round."""
        if has_hung_up(terminal):
            self._end_by_signal(signal.SIGHUP)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without colours there is one filter of ours: Textual's would leave greys."""
        return (WithoutColour(),) if self.no_color else super().get_line_filters()

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

    def action_interrupt(self) -> None:
        """Ends the program as an interrupt does."""
        self.exit(return_code=INTERRUPTED)

"""Runs the dashboard in the terminal and returns the exit code of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.base_app import INTERNAL_ERROR, for_this_terminal
from ckpt_tui.tui.options import DEFAULT_OPTIONS
from ckpt_tui.tui.screens.main import MainScreen

if TYPE_CHECKING:
    from ckpt_tui.tui.app import ScreenMaker
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed


def run_dashboard(
    feed: Feed,
    options: DashboardOptions = DEFAULT_OPTIONS,
    make_screen: ScreenMaker = MainScreen,
) -> int:
    """Opens the dashboard and waits until it is closed; prints then what was marked for that.

    Args:
        feed: Where pictures come from; it is started and stopped here.
        options: What the person chose; ASCII is also used where the locale or the terminal knows
            nothing else.
        make_screen: Makes the main screen; that of a live dashboard by default.

    Returns:
        0 after `q`, 130 after ctrl+c, 128 + n after signal n, 70 after a crash (its trace is on
        stderr, and the terminal is as it was).

    Raises:
        ValueError: There is no theme of that name; the message lists those there are.
    """
    options = for_this_terminal(options)
    app = DashboardApp(feed, options, make_screen)
    try:
        app.run(mouse=options.mouse)
    finally:
        feed.stop()
    if app.exit_code != INTERNAL_ERROR:
        app.on_exit.print_all()
    return app.exit_code

"""Sends what is no text to the terminal: a bell, an escape sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App


def send_to_terminal(app: App[None], sequence: str) -> None:
    """Writes a sequence between two frames; does nothing where there is no terminal.

    Textual has a public way for its own sequences only (bell, clipboard), so its driver is asked:
    any other way to the terminal could cut a frame in two.
    """
    driver = app._driver
    if sequence and driver is not None and not app.is_headless:
        driver.write(sequence)
        driver.flush()

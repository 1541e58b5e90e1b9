"""Texts that are printed once the dashboard has left the screen: this works in every terminal."""

from __future__ import annotations

import contextlib
import sys


class OnExit:
    """The texts that are marked, in the order in which they were."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    @property
    def texts(self) -> tuple[str, ...]:
        """What will be printed."""
        return tuple(self._texts)

    def toggle(self, text: str) -> bool:
        """Marks a text, or lets it go again; says whether it is marked now."""
        if text in self._texts:
            self._texts.remove(text)
            return False
        self._texts.append(text)
        return True

    def print_all(self) -> None:
        """Writes each as a line to stdout; a terminal that is gone is no error."""
        whole = "".join(f"{text}\n" for text in self._texts)
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stdout.buffer.write(whole.encode("utf-8", "surrogateescape"))
            sys.stdout.buffer.flush()

"""One line on stderr that says how far a long reading is, where a terminal shows it."""

from __future__ import annotations

import os
import sys
from time import monotonic
from typing import TYPE_CHECKING

from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text, duration_text
from ckpt_tui.verify.rate import ReadRate
from ckpt_tui.words import say
from ckpt_tui.words.wrapping import columns_of, cut

if TYPE_CHECKING:
    from ckpt_tui.verify.results import Progress

_EVERY_SECONDS = 0.2


class ProgressLine:
    """Draws over its own line; nothing at all where stderr is no terminal."""

    def __init__(self) -> None:
        self._shown = False
        self._wanted = sys.stderr.isatty()
        self._last = 0.0
        self._rate = ReadRate()

    def show(self, progress: Progress) -> None:
        """Says how far it is, at most a few times a second."""
        now = monotonic()
        if not self._wanted or now - self._last < _EVERY_SECONDS or not progress.files_total:
            return
        self._last = now
        self._rate.note(progress, now)
        text = progress_text(progress, self._rate)
        columns = _columns() - 1
        shown = text if columns_of(text) <= columns else cut(text, columns)
        print(f"\r\x1b[K{shown}", end="", file=sys.stderr, flush=True)
        self._shown = True

    def clear(self) -> None:
        """Leaves the line as it was."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def progress_text(progress: Progress, rate: ReadRate) -> str:
    """The line."""
    parts = [
        say(
            "{read} of {total}, {done} of {files} files",
            read=bytes_text(progress.read_bytes),
            total=bytes_text(progress.total_bytes),
            done=progress.files_done,
            files=progress.files_total,
        )
    ]
    left = rate.left_seconds(progress)
    if left is not None:
        told, time = bytes_text(rate.bytes_per_second), duration_text(left)
        parts.append(say("{rate}/s, {time} left", rate=told, time=time))
    if progress.wrong_files:
        parts.append(say("{count} wrong", count=progress.wrong_files))
    if progress.path:
        parts.append(printable(progress.path))
    return "  ".join(parts)


def _columns() -> int:
    try:
        return os.get_terminal_size(2).columns
    except OSError:
        return 80

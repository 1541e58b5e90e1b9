"""What the keys do that take something out: to the clipboard, into a file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.tui.clipboard import MOST_BYTES, path_word, row_json
from ckpt_tui.tui.export import table_csv, write_export
from ckpt_tui.tui.screens.dashboard import DashboardScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.checkpoint import Checkpoint


class Taking(DashboardScreen):
    """Copies and exports."""

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

    def action_export(self) -> None:
        """Writes the table as CSV, never into the watched directory."""
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(self._clock.wall()))
        try:
            path = write_export(table_csv(self.shown.runs), self.shown.root, stamp)
        except OSError as error:
            self.notify(f"Not written: {error}", severity="error", markup=False)
            return
        self.notify(f"The table is in {path}", markup=False)

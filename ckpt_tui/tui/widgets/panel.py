"""The place below the table for a widget that `P` shows and hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical

if TYPE_CHECKING:
    from ckpt_tui.core.runs import Run


class Panel(Vertical):
    """Base of such a widget; it takes the place of the detail pane while it is shown."""

    def show_run(self, run: Run | None, now: float) -> None:
        """Told of the run under the cursor whenever it changes; a panel may ignore it.

        Args:
            run: The run; None where there is none.
            now: Seconds since the epoch.
        """

"""The place below the table for a widget that `P` shows and hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.actions import Action


class Panel(Vertical):
    """Base of such a widget; it takes the place of the detail pane while it is shown."""

    @property
    def keys(self) -> Sequence[Action]:
        """What the key bar offers while the panel has the keys; each is called on the panel."""
        return ()

    def show_run(self, run: Run | None) -> None:
        """Told of the run under the cursor whenever it changes; a panel may ignore it.

        Args:
            run: The run; None where there is none.
        """

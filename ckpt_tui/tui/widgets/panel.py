"""The place below the table for a widget that `P` shows and hides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.containers import Vertical
from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.tui.actions.action import Action


class FaultTerms(NamedTuple):
    """What a fault costs beside the rollback, and how often one comes.

    Attributes:
        reload_minutes: Reading a checkpoint back.
        down_minutes: Detection, requeue and start.
        fault_rate_per_hour: Of the whole job.
        reload_assumed: Whether nobody has said how long a reload takes.
    """

    reload_minutes: float
    down_minutes: float
    fault_rate_per_hour: float
    reload_assumed: bool = False

    def followed_by(self, terms: FaultTerms) -> FaultTerms:
        """Other terms, in which a reload that was assumed and is as long as before still is."""
        same = terms.reload_minutes == self.reload_minutes
        return terms._replace(reload_assumed=self.reload_assumed and same)


class Panel(Vertical):
    """Base of such a widget; it takes the place of the detail pane while it is shown."""

    class TermsChanged(Message):
        """The header should reckon with these from now on."""

        def __init__(self, terms: FaultTerms) -> None:
            super().__init__()
            self.terms = terms

    @property
    def keys(self) -> Sequence[Action]:
        """What the key bar offers while the panel has the keys; each is called on the panel."""
        return ()

    @property
    def help_keys(self) -> Sequence[Action]:
        """Keys of its own, for the help."""
        return ()

    def show_run(self, run: Run | None, snapshot: Snapshot | None = None) -> None:
        """Told of the run under the cursor whenever it changes; a panel may ignore it.

        Args:
            run: The run; None where there is none.
            snapshot: The picture that it is from.
        """

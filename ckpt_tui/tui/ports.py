"""What the dashboard needs from outside: a feed of pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.status import Status


class Feed(Protocol):
    """Where pictures come from."""

    def snapshot(self) -> Snapshot:
        """The newest picture; never blocks."""

    def status(self) -> Status:
        """How the watching goes; never blocks."""

    def refresh(self) -> None:
        """Asks for a full look soon; never blocks."""

    def ask_world_size(self, world_size: int | None) -> None:
        """Asks for verdicts for a job of that size, soon; None for the writers' own size."""

    def start(self, on_change: Callable[[object], None]) -> None:
        """Begins to watch; `on_change` is called on the feed's own thread after each change."""

    def stop(self) -> None:
        """Ends the watching."""

"""Messages of the dashboard that cross threads or screens."""

from __future__ import annotations

from textual.message import Message


class SnapshotReady(Message):
    """A newer picture can be fetched from the feed.

    It carries nothing, so that a burst may collapse into one: what is drawn is always the newest.
    """

    def can_replace(self, message: Message) -> bool:
        """A waiting message of this kind says the same as a new one."""
        return isinstance(message, SnapshotReady)

"""How far a listing of tensors is; whoever waits for it may end it from another thread."""

from __future__ import annotations

from time import monotonic

MOST_SECONDS = 60.0
"""So long the headers of one checkpoint are read; the listing says what was left."""


class TensorsReading:
    """One listing under way.

    Attributes:
        files_total: Files whose headers are read; 0 before that is known.
        files_done: How many of them were.
    """

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        """Begins now.

        Args:
            seconds: How long headers are read before what is left is cut.
        """
        self._until_monotonic = monotonic() + seconds
        self._stopped = False
        self.files_total = 0
        self.files_done = 0

    def stop(self) -> None:
        """Nobody wants it any more."""
        self._stopped = True

    @property
    def stopped(self) -> bool:
        """Whether nobody wants it any more."""
        return self._stopped

    @property
    def over(self) -> bool:
        """Whether to read no more."""
        return self._stopped or monotonic() > self._until_monotonic

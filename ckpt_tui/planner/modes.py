"""How checkpoints are saved."""

from __future__ import annotations

from enum import StrEnum


class PlanMode(StrEnum):
    """Synchronous, snapshot then persist behind training, or frequent cheap and rare durable."""

    SYNC = "sync"
    ASYNC = "async"
    TWO_LEVEL = "two-level"

    @property
    def observed_save_field(self) -> str:
        """The input that "first write to commit" is; with asynchronous saves never the stall."""
        return "persist_minutes" if self is PlanMode.ASYNC else "save_minutes"

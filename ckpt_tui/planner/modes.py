"""How checkpoints are saved."""

from __future__ import annotations

from enum import StrEnum


class PlanMode(StrEnum):
    """Synchronous, snapshot then persist behind training, or frequent cheap and rare durable."""

    SYNC = "sync"
    ASYNC = "async"
    TWO_LEVEL = "two-level"

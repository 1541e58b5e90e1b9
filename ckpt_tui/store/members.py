"""What a run is put together from: its checkpoints as the store keeps them, and how to judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.checkpoint import Requirements

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.store.growth import Growth
    from ckpt_tui.store.second_look import SecondLook


class Options(NamedTuple):
    """What a store is asked for.

    Attributes:
        stall_after_seconds: A save that has not grown for so long is dead.
        silent_after_seconds: A rank that is behind and has not grown for so long is named.
        stale_seconds: For so long the file system may answer from a cache; 0 for never.
    """

    requirements: Requirements = Requirements()
    stall_after_seconds: float = 120.0
    silent_after_seconds: float = 30.0
    stale_seconds: float = 0.0


class Member(NamedTuple):
    """One checkpoint of a run as the store keeps it."""

    facts: CheckpointFacts
    growth: Growth
    second_look: SecondLook

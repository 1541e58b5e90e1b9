"""Bounds of what names and small files may ask for, so that no number in them costs memory."""

from __future__ import annotations

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity

MOST_RANKS = 200_000
"""More writers than any job has; a larger number in a name or file is taken for damage."""

MOST_TENSORS = 5000
"""Tensors that are listed for one checkpoint or file; their real count is told beside."""


def too_many_ranks(told_by: str) -> Finding:
    """A name or a file speaks of more than `MOST_RANKS` ranks.

    Args:
        told_by: What does, for the message.
    """
    return Finding(
        "limit-exceeded",
        Severity.ERROR,
        "",
        f"more than {MOST_RANKS} ranks by {told_by}: that cannot be",
        "Look at the file by hand; it may be damaged.",
        Effect.UNKNOWN,
    )


def bounded_world_size(
    world_size: int | None, told_by: str
) -> tuple[int | None, tuple[Finding, ...]]:
    """The number of ranks, or None with a finding where it is beyond the bound.

    Args:
        world_size: Number of writers; None where nothing tells it.
        told_by: What told it, for the message.
    """
    if world_size is None or world_size <= MOST_RANKS:
        return world_size, ()
    return None, (too_many_ranks(told_by),)

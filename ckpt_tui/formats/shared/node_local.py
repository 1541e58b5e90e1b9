"""The part of a checkpoint that one node of several kept on its own disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import ranks_text
from ckpt_tui.core.vocabulary import Effect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable


def node_local_part(
    ranks: Iterable[int], what: str, *, proven: bool, world_size: int | None = None
) -> tuple[Finding, ...]:
    """A finding where the ranks begin above 0.

    Args:
        ranks: Those that wrote here.
        what: What the other nodes have ("files of this step").
        proven: Whether something shows that other ranks wrote, too.
        world_size: Number of ranks, where it is known.
    """
    own = sorted(set(ranks))
    if not own or own[0] == 0:
        return ()
    message = f"only {ranks_text(own)} wrote here: each node kept its own part"
    if world_size is not None:
        message = f"only {ranks_text(own)} of {world_size} wrote here: each node kept its own part"
    return (
        Finding(
            "node-local-part",
            Severity.ERROR if proven else Severity.WARNING,
            "",
            message,
            f"Bring the other nodes' {what} here, so that those of all nodes lie together.",
            Effect.INCOMPLETE if proven else Effect.NONE,
        ),
    )

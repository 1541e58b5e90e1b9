"""Which checkpoint lacks least, where none can be resumed from: the one to try to mend first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.per_object import per_object
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, Verdict

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

_MENDABLE = frozenset({Verdict.CORRUPT, Verdict.INCOMPLETE})
_MOST_SHARE = 0.5
"""Of the shards; what lacks more will hardly be brought together."""


class Nearest(NamedTuple):
    """A checkpoint that was committed, and how much of it is missing or broken.

    Attributes:
        missing_ranks: Ranks without a whole shard, never empty.
    """

    checkpoint: Checkpoint
    missing_ranks: tuple[int, ...]


@per_object
def nearest_to_whole(run: Run) -> Nearest | None:
    """The attempt that lacks the fewest ranks, the newest of these; None where none comes near.

    Only shards can come from elsewhere (a node's own disk, a backup); a checkpoint that never had
    an optimizer state cannot be mended.
    """
    found = [
        Nearest(checkpoint, missing)
        for checkpoint in run.attempts
        if checkpoint.verdict in _MENDABLE
        and _has_state(checkpoint)
        and (missing := checkpoint.missing_ranks)
    ]
    best = min(found, key=lambda each: len(each.missing_ranks), default=None)
    if best is None:
        return None
    ranks = len(best.checkpoint.facts.expected_ranks or ())
    return best if len(best.missing_ranks) <= _MOST_SHARE * ranks else None


def _has_state(checkpoint: Checkpoint) -> bool:
    return {MODEL, OPTIMIZER} <= checkpoint.facts.role_names()

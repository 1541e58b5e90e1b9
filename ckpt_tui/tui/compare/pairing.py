"""Which two checkpoints are compared: by marks, by the cursor, and by what there is to resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run


class NoPairError(Exception):
    """There are not two checkpoints to compare; the message says what to do."""


def pair_of(
    marked: Sequence[Checkpoint], current: Checkpoint | None, run: Run | None
) -> tuple[Checkpoint, Checkpoint]:
    """The two to compare, the older one first.

    Args:
        marked: The marked ones.
        current: The one under the cursor.
        run: Its run.

    Raises:
        NoPairError: More than two are marked, or there is nothing to compare it with.
    """
    if len(marked) > 2:
        raise NoPairError(say("{count} are marked: two can be compared", count=len(marked)))
    if len(marked) == 2:
        return _older_first(marked[0], marked[1])
    if current is None:
        raise NoPairError(say("there is no checkpoint to compare"))
    if marked and marked[0].path != current.path:
        return _older_first(marked[0], current)
    other = _other(current, run)
    if other is None:
        raise NoPairError(say("mark two checkpoints with space to compare them"))
    return _older_first(other, current)


def _other(checkpoint: Checkpoint, run: Run | None) -> Checkpoint | None:
    """The next older one that a job could resume from; else the next older one at all."""
    attempts = run.checkpoints if run is not None else ()
    places = [place for place, other in enumerate(attempts) if other.path == checkpoint.path]
    older = attempts[places[0] + 1 :] if places else ()
    good = (other for other in older if other.resumable)
    return next(good, None) or next(iter(older), None)


def _older_first(one: Checkpoint, other: Checkpoint) -> tuple[Checkpoint, Checkpoint]:
    return (one, other) if one.order <= other.order else (other, one)

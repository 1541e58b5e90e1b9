"""Restarts that the order of commits shows: the step went back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint


COPY_SECONDS = 2.0
"""Times that lie closer together than this may come from a copy or a clone, in any order."""


class Restart(NamedTuple):
    """The job went on from an older step.

    Attributes:
        at: Seconds since the epoch of the first commit after it.
        from_step: Step of the checkpoint it went on from; None where none of it is left.
        reached_step: Highest step that had been attempted before.
        lost_steps: Steps that were computed twice, as far as the checkpoints show (a lower bound).
    """

    at: float
    from_step: int | None
    reached_step: int
    lost_steps: int


class Attempt(NamedTuple):
    """One attempt at a save, committed or not.

    Attributes:
        at: Seconds since the epoch of its commit, else of its newest write.
        resumable: Whether a restart could have gone on from it.
    """

    step: int
    at: float
    resumable: bool


def restarts_of(checkpoints: Sequence[Checkpoint]) -> tuple[Restart, ...]:
    """Finds the restarts that the checkpoints of a run show."""
    return restarts_between(
        [Attempt(c.step or 0, c.moment, c.resumable) for c in checkpoints if _counts(c)]
    )


def restarts_between(attempts: Iterable[Attempt]) -> tuple[Restart, ...]:
    """Finds the places where, in the order of time, the step did not grow.

    An attempt counts from its newest write, committed or not: a dead save of step 300 followed in
    time by a commit of step 260 shows that the job went on from a step below 260.
    """
    found: list[Restart] = []
    reached, reached_at = -1, 0.0
    good_steps: list[int] = []
    for step, at, resumable in sorted(attempts, key=lambda attempt: attempt.at):
        if step < reached and at - reached_at >= COPY_SECONDS:
            below = [s for s in good_steps if s < step]
            origin = max(below, default=None)
            found.append(Restart(at, origin, reached, reached - (origin or 0)))
            reached, reached_at = step, at
        elif step >= reached:
            reached, reached_at = step, at
        if resumable:
            good_steps.append(step)
    return tuple(found)


def _counts(checkpoint: Checkpoint) -> bool:
    facts = checkpoint.facts
    own = not facts.export and not facts.alias
    return own and facts.step is not None and checkpoint.moment > 0

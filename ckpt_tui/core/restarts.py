"""Restarts that the order of commits shows: the step went back."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.median import median
from ckpt_tui.core.vocabulary import RESUMABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts


COPY_SECONDS = 2.0
"""Times that lie closer together than this may come from a copy or a clone, in any order."""

_AGREE_SECONDS = 60.0
"""A stored time and the time of the files differ by less, unless something set the latter."""

_SAME_TIME_SECONDS = 1e-6  # times are kept as floats
_TOO_FAST = 4.0
"""No job does its steps so many times faster than it usually does ..."""
_MANY = 0.25
"""... before a larger share of its saves; one that died in a hurry says nothing."""


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
        name: The checkpoint's own name.
        facts: None where the checkpoint is gone, and only a history knows it.
        marked: Of one that is gone: whether the writer had stored the time.
    """

    step: int
    at: float
    resumable: bool
    name: str
    facts: CheckpointFacts | None = None
    marked: bool = False

    @property
    def stored(self) -> bool:
        """Whether the writer stored `at`: a copy sets the times of files, but not this one."""
        if self.facts is None:
            return self.marked
        return all(abs(at - self.at) > _SAME_TIME_SECONDS for at in _file_times(self.facts))


def restarts_of(checkpoints: Sequence[Checkpoint]) -> tuple[Restart, ...]:
    """Finds the restarts that the checkpoints of a run show."""
    return restarts_between(timed_attempts(checkpoints))


def timed_attempts(checkpoints: Iterable[Checkpoint]) -> list[Attempt]:
    """The attempts of a run of which step and time are known."""
    return [
        Attempt(c.step or 0, c.moment, c.verdict in RESUMABLE, c.facts.name, c.facts)
        for c in checkpoints
        if _counts(c)
    ]


def restarts_between(attempts: Iterable[Attempt]) -> tuple[Restart, ...]:
    """Finds the places where, in the order of time, the step did not grow.

    An attempt counts from its newest write, committed or not: a dead save of step 300 followed in
    time by a commit of step 260 shows that the job went on from a step below 260. Times of files
    count only where nothing shows that a copy or a touch set them.
    """
    ordered = sorted(attempts, key=lambda attempt: attempt.at)
    found = _went_back(ordered)
    telling = _telling(ordered) if found else ordered
    return found if len(telling) == len(ordered) else _went_back(telling)


def _went_back(ordered: Sequence[Attempt]) -> tuple[Restart, ...]:
    found: list[Restart] = []
    reached, reached_at = -1, 0.0
    good_steps: list[int] = []
    for attempt in ordered:
        step, at = attempt.step, attempt.at
        if step < reached and at - reached_at >= COPY_SECONDS:
            below = [s for s in good_steps if s < step]
            origin = max(below, default=None)
            found.append(Restart(at, origin, reached, reached - (origin or 0)))
            reached, reached_at = step, at
        elif step >= reached:
            reached, reached_at = step, at
        if attempt.resumable:
            good_steps.append(step)
    return tuple(found)


def _telling(ordered: Sequence[Attempt]) -> Sequence[Attempt]:
    """Those whose times can be compared: of one kind, or of two that agree."""
    stored = [attempt for attempt in ordered if attempt.stored]
    if not stored:
        return ordered if _may_be_of_a_job(ordered) else ()
    return ordered if all(map(_agrees, stored)) else stored


def _agrees(attempt: Attempt) -> bool:
    times = _file_times(attempt.facts) if attempt.facts is not None else []
    return not times or abs(max(times) - attempt.at) < _AGREE_SECONDS


def _may_be_of_a_job(ordered: Sequence[Attempt]) -> bool:
    """Whether a job can have written files in this order, at these times.

    What speaks against it: the order of the names as text; a step below all before it, which no
    checkpoint here leads to; saves that follow each other as the files of a copy do; and steps
    faster than the job computes them.
    """
    names = [attempt.name for attempt in ordered]
    if names == sorted(names) or min(ordered, key=lambda a: a.step).step < ordered[0].step:
        return False
    pairs = list(pairwise(ordered))
    if any(b.step < a.step and _follows_at_once(a, b) for a, b in pairs):
        return False
    forward = [(b.at - a.at, b.step - a.step) for a, b in pairs if b.step > a.step]
    if median(seconds for seconds, _ in forward) < COPY_SECONDS:
        return False
    paces = [seconds / steps for seconds, steps in forward]
    usual = median(paces)
    fast = sum(pace * _TOO_FAST < usual for pace in paces)
    return fast <= _MANY * len(paces)


def _follows_at_once(before: Attempt, after: Attempt) -> bool:
    """Whether no more time went by before its first file than between two of its own."""
    if before.facts is None or after.facts is None:
        return False
    times = sorted(_file_times(after.facts))
    pause = times[0] - max(_file_times(before.facts))
    pauses = [b - a for a, b in pairwise(times)]
    return bool(pauses) and 0 <= pause <= max(*pauses, COPY_SECONDS)


def _file_times(facts: CheckpointFacts) -> list[float]:
    return [file.mtime_ns / 1e9 for file in facts.files]


def _counts(checkpoint: Checkpoint) -> bool:
    facts = checkpoint.facts
    own = not facts.export and not facts.alias
    return own and facts.step is not None and checkpoint.moment > 0

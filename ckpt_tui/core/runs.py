"""A run: its checkpoints in order, the resume point, and how worried to be."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.findings import Finding, worst_severity
from ckpt_tui.core.per_object import per_object
from ckpt_tui.core.vocabulary import Level, PointerState, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.restarts import Restart


class Pointer(NamedTuple):
    """A pointer, judged: what it names and what that is worth.

    Attributes:
        target: Absolute path of the checkpoint it names; None where it names none.
        default: True where the framework follows it when it is told nothing else.
    """

    path: str
    kind: str
    raw: str
    target: str | None
    state: PointerState
    default: bool = True


class Run(NamedTuple):
    """The checkpoints of one format family that lie directly in one directory.

    Attributes:
        checkpoints: Highest order first; exports last.
        resume: What a restart should load, or None.
        findings: Problems of the run as a whole (pointers, order, cadence).
        restarts: Times the job went back to an older step.
    """

    path: str
    name: str
    format: str
    checkpoints: tuple[Checkpoint, ...]
    resume: Checkpoint | None
    pointers: tuple[Pointer, ...] = ()
    findings: tuple[Finding, ...] = ()
    restarts: tuple[Restart, ...] = ()
    level: Level = Level.OK

    @property
    def attempts(self) -> tuple[Checkpoint, ...]:
        """Checkpoints that count as attempts of the job: no exports."""
        return _attempts(self)

    @property
    def newest(self) -> Checkpoint | None:
        """The highest attempt, uncommitted ones included."""
        return next(iter(self.attempts), None)

    @property
    def in_flight(self) -> Checkpoint | None:
        """The save in flight, the newest where there are several."""
        return _in_flight(self)

    @property
    def rejected_newer(self) -> tuple[Checkpoint, ...]:
        """Attempts above the resume point, newest first: those that a restart must not take."""
        return _rejected_newer(self)

    @property
    def good(self) -> tuple[Checkpoint, ...]:
        """Resumable checkpoints, newest first."""
        return _good(self)

    @property
    def last_commit_at(self) -> float | None:
        """Seconds since the epoch of the latest commit; None where no time of any is known."""
        return _last_commit_at(self)


@per_object
def _attempts(run: Run) -> tuple[Checkpoint, ...]:
    return attempts_of(run.checkpoints)


@per_object
def _in_flight(run: Run) -> Checkpoint | None:
    return next((c for c in run.attempts if c.verdict is Verdict.SAVING), None)


@per_object
def _rejected_newer(run: Run) -> tuple[Checkpoint, ...]:
    if run.resume is None:
        return run.attempts
    return tuple(c for c in run.attempts if _is_above(c, run.resume))


@per_object
def _good(run: Run) -> tuple[Checkpoint, ...]:
    return tuple(c for c in run.checkpoints if c.resumable)


@per_object
def _last_commit_at(run: Run) -> float | None:
    commits = (c.committed_at for c in run.attempts if c.counts_as_commit)
    return max((at for at in commits if at), default=None)


def in_order(checkpoints: Sequence[Checkpoint]) -> tuple[Checkpoint, ...]:
    """Highest step first (numbers, never text); exports last; paths break ties."""
    counted = sorted(
        (c.facts.ordinal, c.step)
        for c in checkpoints
        if c.facts.ordinal is not None and c.step is not None and not c.facts.export
    )
    ranked = sorted(checkpoints, key=lambda c: c.path)
    ranked.sort(key=lambda c: (not c.facts.export, _order_among(c, counted)), reverse=True)
    return tuple(ranked)


def _order_among(
    checkpoint: Checkpoint, counted: Sequence[tuple[int, int]]
) -> tuple[int, int, float]:
    """A save of which only the count is known follows those with a lower count.

    Args:
        checkpoint: The one to place.
        counted: (count of saves, step) of those of which both are known, in order.
    """
    step, count, moment = checkpoint.order
    if checkpoint.step is None and checkpoint.facts.ordinal is not None:
        place = bisect_left(counted, (count, -1))
        step = counted[place - 1][1] if place else -1
    return step, count, moment


def attempts_of(checkpoints: Sequence[Checkpoint]) -> tuple[Checkpoint, ...]:
    """Without exports. What still has a temporary name counts: it may be the newest attempt."""
    return tuple(c for c in checkpoints if not c.facts.export)


def _is_above(checkpoint: Checkpoint, resume: Checkpoint) -> bool:
    """Whether an attempt is newer than the resume point.

    By step or count of saves; at the same one if it cannot be resumed from; by its newest write
    where neither is known.
    """
    if checkpoint.path == resume.path:
        return False
    mine, floor = checkpoint.order[:2], resume.order[:2]
    if checkpoint.step is None and resume.facts.ordinal is not None:
        mine, floor = (-1, mine[1]), (-1, floor[1])
    if checkpoint.step is None and checkpoint.facts.ordinal is None:
        return checkpoint.moment > resume.moment
    return mine > floor or (mine == floor and not checkpoint.resumable)


def named_by(pointers: Iterable[Pointer]) -> frozenset[str]:
    """Absolute paths of the checkpoints that pointers name."""
    return frozenset(pointer.target for pointer in pointers if pointer.target)


def resume_point(
    checkpoints: Sequence[Checkpoint], pointed: frozenset[str] = frozenset()
) -> Checkpoint | None:
    """What a restart should load.

    The resumable one of the highest step; at the same step an exact one before an inexact one,
    then one that is no alias or copy, then the one that a pointer names.

    Args:
        checkpoints: All of a run.
        pointed: Paths that the run's pointers name.
    """
    able = [c for c in checkpoints if c.resumable]
    return max(
        able,
        key=lambda c: (
            c.order[:2],
            c.verdict is Verdict.EXACT,
            not c.facts.alias,
            c.path in pointed,
            c.order[2],
        ),
        default=None,
    )


def run_level(
    checkpoints: Sequence[Checkpoint], resume: Checkpoint | None, findings: tuple[Finding, ...]
) -> Level:
    """How worried to be about a run, by the rules of the exit codes."""
    attempts = attempts_of(checkpoints)
    if not checkpoints or all(c.facts.export for c in checkpoints):
        return Level.EMPTY
    if resume is None:
        unread = all(c.verdict is Verdict.UNKNOWN for c in attempts)
        return Level.UNKNOWN if unread else Level.CRITICAL
    above = [c for c in attempts if _is_above(c, resume) and c.verdict is not Verdict.SAVING]
    heard = findings + tuple(f for c in (*above, resume) for f in c.findings)
    if worst_severity(heard) in (Severity.WARNING, Severity.ERROR):
        return Level.WARNING
    return Level.OK if all(c.resumable for c in above) else Level.WARNING

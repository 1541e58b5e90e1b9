"""Step order against time order: a job that went back, or two jobs in one directory."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.median import median
from ckpt_tui.core.restarts import COPY_SECONDS, restarts_of
from ckpt_tui.core.vocabulary import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

MIXED_RUNS = "mixed-runs"
PAUSE_SECONDS = 60.0
"""A job computes between two saves; a copy of several checkpoints hardly pauses."""

FEWEST_TURNS = 2
FARTHEST_INTERVALS = 3


def order_findings(checkpoints: Sequence[Checkpoint], run_path: str) -> tuple[Finding, ...]:
    """What the times of a run's commits say about its steps, or its counts of saves."""
    timed = sorted((c for c in checkpoints if c.counts_as_commit and c.committed_at), key=_time)
    steps = [c for c in timed if c.step is not None]
    if steps:
        return (*_disagreement(steps), *_two_jobs(steps, run_path))
    return _disagreement([c for c in timed if c.facts.ordinal is not None])


def younger_job_of(run: Run) -> Checkpoint | None:
    """Where two jobs write into one directory, what the younger could go on from; else None."""
    if run.resume is None or all(finding.code != MIXED_RUNS for finding in run.findings):
        return None
    latest = max(run.good, key=lambda c: c.committed_at or 0.0)
    return latest if latest.order < run.resume.order else None


def _disagreement(timed: Sequence[Checkpoint]) -> tuple[Finding, ...]:
    if len(timed) < 2:
        return ()
    latest = timed[-1]
    highest = max(timed, key=lambda c: c.order)
    behind = latest.order[:2] < highest.order[:2]
    if not behind or _time(latest) - _time(highest) < COPY_SECONDS:
        return ()
    told = f"{latest.title} was committed after {highest.title}"
    cause = "the job went back, or two jobs write here"
    if _follows_names(timed):
        cause += "; or a copy set the times, which follow the names as text"
    elif latest.step is not None and not restarts_of(timed):
        cause += "; or a copy or a touch set the times"
    return (
        Finding(
            "order-disagrees",
            Severity.WARNING,
            latest.path,
            f"{told}: {cause}",
            f"Make sure which of the two the job should go on from: {_name(latest)}"
            f" or {_name(highest)}.",
        ),
    )


def _two_jobs(timed: Sequence[Checkpoint], run_path: str) -> tuple[Finding, ...]:
    """Two series in one directory that no restart from a checkpoint in it explains."""
    if _follows_names(timed):
        return ()
    again = _began_again(timed)
    if again is not None:
        return (_began_finding(timed[:again], timed[again:], run_path),)
    turns = _turns(timed)
    return (_turns_finding(turns, run_path),) if len(turns) >= FEWEST_TURNS else ()


def _began_again(timed: Sequence[Checkpoint]) -> int | None:
    """Where a younger series begins at its own first save, below all that were there before.

    A job that goes back takes a checkpoint that is here, or was until lately: its next save is
    above that one. The first save of a job from step 0 is one interval high.
    """
    lowest = _step(timed[0]) if timed else 0
    for place, checkpoint in enumerate(timed):
        first = _step(checkpoint)
        if first >= lowest:
            continue
        lowest = first
        begun = checkpoint.facts.started_at or _time(checkpoint)
        if begun - _time(timed[place - 1]) < PAUSE_SECONDS:
            continue  # before what costs more: copied files may all have one time
        interval = _interval(timed[:place]) or _interval(timed[place:])
        if interval and first <= interval:
            return place
    return None


def _turns(timed: Sequence[Checkpoint]) -> list[tuple[Checkpoint, Checkpoint]]:
    """Pairs in time of which the second jumps back up, farther than the job could have come."""
    interval = _interval(timed)
    pauses = [_time(b) - _time(a) for a, b in pairwise(timed)]
    usual = median(pauses) if pauses else 0.0
    found: list[tuple[Checkpoint, Checkpoint]] = []
    reached = -1
    for a, b in pairwise(timed):
        reached = max(reached, _step(a))
        far = interval is not None and _step(b) - _step(a) > FARTHEST_INTERVALS * interval
        quick = COPY_SECONDS <= _time(b) - _time(a) <= 2 * usual
        if _step(a) < reached < _step(b) and far and quick:
            found.append((a, b))
    return found


def _began_finding(
    old: Sequence[Checkpoint], young: Sequence[Checkpoint], run_path: str
) -> Finding:
    reached, last = max(old, key=_step), max(young, key=_step)
    return Finding(
        MIXED_RUNS,
        Severity.WARNING,
        run_path,
        f"a job began from step 0 in a used directory: {_span(old)} had been saved before"
        f" {_span(young)}",
        f"Say which job is meant: {_name(reached)} of the older or {_name(last)} of the younger;"
        " give each job a directory of its own.",
    )


def _turns_finding(turns: Sequence[tuple[Checkpoint, Checkpoint]], run_path: str) -> Finding:
    low, high = (max((pair[place] for pair in turns), key=_step) for place in (0, 1))
    return Finding(
        MIXED_RUNS,
        Severity.WARNING,
        run_path,
        f"two jobs write here in turns: up to step {_step(low)} and up to step {_step(high)},"
        " one after the other faster than a job could compute the steps between",
        f"Say which job is meant: {_name(low)} or {_name(high)}; give each job a directory of its"
        " own.",
    )


def _interval(series: Sequence[Checkpoint]) -> float | None:
    steps = sorted({_step(c) for c in series})
    gaps = [b - a for a, b in pairwise(steps)]
    return median(gaps) if gaps else None


def _follows_names(timed: Sequence[Checkpoint]) -> bool:
    """Whether the order of times is that of the names as text, as a copy leaves them."""
    names = [_name(c) for c in timed]
    return names == sorted(names)


def _time(checkpoint: Checkpoint) -> float:
    return checkpoint.committed_at or 0.0


def _step(checkpoint: Checkpoint) -> int:
    return checkpoint.step or 0


def _name(checkpoint: Checkpoint) -> str:
    return os.path.basename(checkpoint.path)


def _span(series: Sequence[Checkpoint]) -> str:
    low, high = min(map(_step, series)), max(map(_step, series))
    return f"step {low}" if low == high else f"steps {low}–{high}"

"""Limits that an operator sets for a run, and the levels and findings that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import age_text, plural
from ckpt_tui.core.too_few_good import TOO_FEW_GOOD
from ckpt_tui.core.vocabulary import Level, Severity

if TYPE_CHECKING:
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot

# Clocks of a file server and of this machine may differ by so much without being worth a word.
CLOCK_SKEW_SECONDS = 60.0


class Thresholds(NamedTuple):
    """Limits of age (seconds), number of good checkpoints, and whether there must be any."""

    warn_age_seconds: float | None = None
    crit_age_seconds: float | None = None
    min_good: int | None = None
    expect_checkpoint: bool = False


def levels_of(snapshot: Snapshot, thresholds: Thresholds) -> tuple[Level, ...]:
    """The levels that count for a root; one where it has no run or cannot be read."""
    if snapshot.error:
        return (Level.UNKNOWN,)
    levels = [run.level for run in snapshot.current if run.level is not Level.EMPTY]
    if snapshot.problems:
        return (*levels, Level.UNKNOWN)
    # An export alone says nothing about a job.
    return tuple(levels) or (Level.CRITICAL if thresholds.expect_checkpoint else Level.EMPTY,)


def under(snapshot: Snapshot, thresholds: Thresholds, now: float) -> Snapshot:
    """The snapshot with the operator's limits applied to each run's level and findings."""
    return snapshot._replace(runs=tuple(run_under(run, thresholds, now) for run in snapshot.runs))


def run_under(run: Run, thresholds: Thresholds, now: float) -> Run:
    """One run under the operator's limits; one without a resume point has its level already."""
    if run.resume is None:
        return run
    findings = (*_too_old(run, thresholds, now), *_too_few(run, thresholds))
    if not findings:
        return run
    critical = any(finding.severity is Severity.ERROR for finding in findings)
    level = Level.CRITICAL if critical else Level.WARNING
    told = {finding.code for finding in findings}
    before = tuple(finding for finding in run.findings if finding.code not in told)
    return run._replace(level=level, findings=before + findings)


def _too_old(run: Run, thresholds: Thresholds, now: float) -> tuple[Finding, ...]:
    warn, crit = thresholds.warn_age_seconds, thresholds.crit_age_seconds
    if run.resume is None or (warn is None and crit is None):
        return ()
    committed_at = run.resume.committed_at
    if not committed_at or committed_at > now + CLOCK_SKEW_SECONDS:
        message = "the age of the resume point cannot be told: its time is missing or in the future"
        return (_old(run, Severity.WARNING, message),)
    age = now - committed_at
    for limit, severity in ((crit, Severity.ERROR), (warn, Severity.WARNING)):
        if limit is not None and age > limit:
            message = f"the resume point is {age_text(age)} old, the limit is {age_text(limit)}"
            return (_old(run, severity, message),)
    return ()


def _old(run: Run, severity: Severity, message: str) -> Finding:
    path = run.resume.path if run.resume else run.path
    remedy = "Look whether the job still runs and saves."
    return Finding("resume-point-old", severity, path, message, remedy)


def _too_few(run: Run, thresholds: Thresholds) -> tuple[Finding, ...]:
    wanted, good = thresholds.min_good, len(run.good)
    if wanted is None or good >= wanted:
        return ()
    return (
        Finding(
            TOO_FEW_GOOD,
            Severity.WARNING,
            run.path,
            f"{plural(good, 'resumable checkpoint')}, fewer than {wanted}",
            "Keep more checkpoints, or find out why saves fail.",
        ),
    )

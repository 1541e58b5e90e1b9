"""Alarms about what a run has to go on from."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from ckpt_tui.core.alarms.values import AlarmCode, AlarmLevel, Condition
from ckpt_tui.core.findings import worst_severity
from ckpt_tui.core.pointers import may_be_older
from ckpt_tui.core.reasons import CHANGES_AFTER_COMMIT, changes_after_commit, reason_of
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import Level, PointerState, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ckpt_tui.core.alarms.sight import Limits
    from ckpt_tui.core.alarms.traits import Traits
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.runs import Pointer

_LEVELS = {
    Severity.INFO: AlarmLevel.INFO,
    Severity.WARNING: AlarmLevel.WARNING,
    Severity.ERROR: AlarmLevel.CRITICAL,
}
_POINTER_SAYS = {
    PointerState.STALE: "{} is behind the newest",
    PointerState.AHEAD: "{} cannot be followed",
    PointerState.DANGLING: "{} names what is not there",
    PointerState.UNREADABLE: "{} cannot be read",
    PointerState.LOOP: "{} is a link to itself",
}
_TOLD_BY_REASON = frozenset({Verdict.UNCOMMITTED, Verdict.UNKNOWN})
"""Whose reason begins with the same in other words."""
POINTER_SECONDS = 10.0
"""A pointer is written after, or before, the checkpoint that it names: so long it may be wrong."""
_CODES = {
    "auto-resume-trap": AlarmCode.POINTER_TRAP,
    "starts-from-zero": AlarmCode.POINTER_TRAP,
    "mixed-runs": AlarmCode.MIXED_RUNS,
}
"""Findings of a run that are an alarm of their own."""


def run_conditions(traits: Traits, limits: Limits, good_before: int) -> Iterator[Condition]:
    """The rules that the time does not change.

    Args:
        traits: The run.
        limits: The operator's.
        good_before: How many good checkpoints the run was seen to have, now gone or not.
    """
    yield from _resume_point(traits)
    yield from _failed(traits)
    yield from _damaged(traits)
    yield from _too_few(traits, limits, good_before)
    yield from _pointers(traits)
    yield from _findings(traits)


def _resume_point(traits: Traits) -> Iterator[Condition]:
    run = traits.run
    if run.resume is not None:
        heard = [f for f in run.resume.findings if f.severity is not Severity.INFO]
        if heard:
            message = f"the resume point, {run.resume.title}: {_first(heard)}"
            code = AlarmCode.RESUME_POINT_WARNED
            yield _about(traits, code, AlarmLevel.WARNING, message, run.resume)
        return
    if run.level is Level.EMPTY:
        return
    count = plural(traits.settled + bool(traits.saving), "checkpoint")
    if changes_after_commit(run):
        level, why = AlarmLevel.CRITICAL, CHANGES_AFTER_COMMIT
    elif not traits.settled:
        level, why = AlarmLevel.INFO, "the first save is under way"
    elif run.level is Level.UNKNOWN:
        level, why = AlarmLevel.WARNING, f"{count}, none could be read"
    else:
        level, why = AlarmLevel.CRITICAL, f"{count}, none usable"
    code = AlarmCode.NOTHING_TO_RESUME
    yield _about(traits, code, level, f"nothing to resume from ({why})")


def _first(findings: Sequence[Finding]) -> str:
    worst = worst_severity(tuple(findings))
    return next(finding.message for finding in findings if finding.severity is worst)


def _failed(traits: Traits) -> Iterator[Condition]:
    if not traits.failed:
        return
    newest, more = traits.failed[0], len(traits.failed) - 1
    after = f" (and {more} more above the resume point)" if more and traits.run.resume else ""
    message = _told(newest) + after
    yield _about(traits, AlarmCode.NEWEST_FAILED, AlarmLevel.WARNING, message, newest)


def _damaged(traits: Traits) -> Iterator[Condition]:
    if not traits.damaged:
        return
    newest, more = traits.damaged[0], len(traits.damaged) - 1
    message = _told(newest) + (f" (and {more} more of the older ones)" if more else "")
    # One alarm, whichever of them is the newest: old damage is no news.
    made = _about(traits, AlarmCode.OLDER_DAMAGED, AlarmLevel.INFO, message, newest)
    yield made._replace(subject="")


def _told(checkpoint: Checkpoint) -> str:
    reason = reason_of(checkpoint)
    if checkpoint.verdict in _TOLD_BY_REASON and reason:
        return f"{checkpoint.title}: {reason}"
    state = f"{checkpoint.title} is {checkpoint.verdict.value}"
    return f"{state}: {reason}" if reason else state


def _too_few(traits: Traits, limits: Limits, good_before: int) -> Iterator[Condition]:
    if not 0 < traits.good < limits.min_good:
        return
    # A run that has only begun cannot have more.
    young = max(traits.settled, good_before) < limits.min_good
    level = AlarmLevel.INFO if young else AlarmLevel.WARNING
    message = f"only {plural(traits.good, 'good checkpoint')}, there should be {limits.min_good}"
    yield _about(traits, AlarmCode.TOO_FEW_GOOD, level, message)


def _pointers(traits: Traits) -> Iterator[Condition]:
    run = traits.run
    severities = {f.path: f.severity for f in run.findings if f.code.startswith("pointer-")}
    flying = traits.saving
    for pointer in run.pointers:
        if pointer.state is PointerState.OK or may_be_older(pointer, run.resume):
            continue
        level = _LEVELS[severities.get(pointer.path, Severity.WARNING)]
        if flying is not None and flying.path == pointer.target:
            level = AlarmLevel.INFO
        made = _about(traits, AlarmCode.POINTER_TRAP, level, _pointer_text(pointer, flying))
        yield made._replace(subject=pointer.path, raise_after_seconds=POINTER_SECONDS)


def _pointer_text(pointer: Pointer, flying: Checkpoint | None) -> str:
    name = posixpath.basename(pointer.path)
    target = posixpath.basename(pointer.target or "")
    if flying is not None and flying.path == pointer.target:
        return f"{name} names {target}, which is still being written"
    names = f" (names {target})" if target else ""
    return _POINTER_SAYS.get(pointer.state, "{}").format(name) + names


def _findings(traits: Traits) -> Iterator[Condition]:
    for finding in traits.run.findings:
        told = finding.code.startswith("pointer-") or finding.code == AlarmCode.TOO_FEW_GOOD
        if finding.severity is Severity.INFO or told:
            continue
        code = _CODES.get(finding.code, AlarmCode.RUN_FINDING)
        wait = POINTER_SECONDS if code is AlarmCode.POINTER_TRAP else 0.0
        made = _about(traits, code, _LEVELS[finding.severity], finding.message)
        yield made._replace(subject=finding.code, raise_after_seconds=wait)


def _about(
    traits: Traits,
    code: AlarmCode,
    level: AlarmLevel,
    message: str,
    checkpoint: Checkpoint | None = None,
) -> Condition:
    path = "" if checkpoint is None else checkpoint.path
    return Condition(code, level, message, traits.name, path, path)

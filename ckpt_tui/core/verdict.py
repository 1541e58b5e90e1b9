"""From facts to a verdict: the rules of what a restart can do with a checkpoint.

The first verdict that applies wins: unknown, saving, uncommitted, corrupt, incomplete,
weights-only, inexact, exact. Times alone never lower a verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.checkpoint import (
    LESSON_REQUIREMENTS,
    QUIET,
    Activity,
    Checkpoint,
    Requirements,
)
from ckpt_tui.core.findings import Finding, first_with_effect, has_effect
from ckpt_tui.core.lesson import inspect_roles
from ckpt_tui.core.remarks import (
    lacks_file,
    missing_role,
    not_committed,
    not_like_siblings,
    partial_role,
    perhaps_removed,
    weights_only,
)
from ckpt_tui.core.shards import shard_findings
from ckpt_tui.core.siblings import NO_SIBLINGS, Siblings
from ckpt_tui.core.text import ranks_text, words
from ckpt_tui.core.verified_findings import (
    files_of_states,
    verified_findings,
    verified_text,
)
from ckpt_tui.core.vocabulary import (
    DATALOADER,
    MODEL,
    OPTIMIZER,
    PROGRESS,
    REQUIRED_ROLES,
    RESUMABLE,
    RNG,
    SCHEDULER,
    Commit,
    Effect,
    Severity,
    Verdict,
)
from ckpt_tui.core.world_size import Fit, fit_world_size

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RoleFacts

_MIB = 1024 * 1024

MAY_BE_ABSENT = (SCHEDULER, RNG, DATALOADER)
"""Roles without which training still goes on from the checkpoint's step."""


class _Ruling(NamedTuple):
    verdict: Verdict
    reason: str
    remarks: tuple[Finding, ...] = ()


def judge(
    facts: CheckpointFacts,
    requirements: Requirements = LESSON_REQUIREMENTS,
    activity: Activity = QUIET,
    siblings: Siblings = NO_SIBLINGS,
) -> Checkpoint:
    """Judges one checkpoint.

    Args:
        facts: What its reader found.
        requirements: Required roles and the world size of the job that would resume.
        activity: Whether it still grows.
        siblings: What the run's other checkpoints have.
    """
    read = facts.findings + shard_findings(facts)
    findings = read + verified_findings(facts.verified, read, files_of_states(facts))
    missing = _missing_roles(facts, requirements)
    # What was verified has not changed since: that it is wrong is no sign of a save.
    grows = activity.active and _is_open(facts, read, missing, activity)
    ruling = _rule(facts, findings, missing, activity.evidence if grows else "", siblings)
    findings += ruling.remarks
    if siblings.oldest and _may_be_removed(ruling.verdict, findings):
        findings += (perhaps_removed(),)
    if ruling.verdict is Verdict.SAVING:
        findings = tuple(not_yet(finding) for finding in findings)
    resumable = ruling.verdict in RESUMABLE
    if resumable:
        fit = fit_world_size(facts, requirements.world_size)
        findings += fit.findings
        resumable = fit.loads
        ruling = _at_that_size(ruling, fit)
    return Checkpoint(
        facts=facts,
        commit=_commit(facts, read, ruling.verdict),
        verdict=ruling.verdict,
        why=_why(facts, ruling, activity),
        findings=_loudest_first(findings),
        missing_roles=missing,
        recoverable=ruling.verdict is Verdict.EXACT,
        resumable=resumable,
    )


def _may_be_removed(verdict: Verdict, findings: tuple[Finding, ...]) -> bool:
    codes = {finding.code for finding in findings}
    lacks_files = verdict is Verdict.INCOMPLETE and "missing-shard" in codes
    return (verdict is Verdict.UNCOMMITTED or lacks_files) and "partly-deleted" not in codes


def not_yet(finding: Finding) -> Finding:
    """What is short or absent in a save in flight may still come."""
    if finding.effect is Effect.NONE:
        return finding
    return finding._replace(
        severity=Severity.INFO, remedy="Wait: the save is in flight.", effect=Effect.NONE
    )


def _missing_roles(facts: CheckpointFacts, requirements: Requirements) -> tuple[str, ...]:
    entries = [
        {"role": role.role, "path": role.role, "size_mib": (role.size_bytes or _MIB) / _MIB}
        for role in facts.roles
    ]
    absent = inspect_roles(entries, True, requirements.roles)["missing_roles"]
    return tuple(role for role in requirements.roles if role in absent)


def _rule(
    facts: CheckpointFacts,
    findings: tuple[Finding, ...],
    missing: tuple[str, ...],
    growth: str,
    siblings: Siblings,
) -> _Ruling:
    """The first verdict that applies; `growth` is the evidence of a save in flight, or ""."""
    unread = first_with_effect(findings, Effect.UNKNOWN)
    if unread is not None:
        return _Ruling(Verdict.UNKNOWN, unread.message)
    if growth:
        return _Ruling(Verdict.SAVING, f"in flight: {growth}")
    if facts.commit.met is False:
        return _Ruling(
            Verdict.UNCOMMITTED,
            f"not committed: {facts.commit.missing or 'its end mark'} is missing,"
            " and nothing moves any more",
            not_committed(facts, findings),
        )
    damage = first_with_effect(findings, Effect.CORRUPT)
    if damage is not None:
        return _Ruling(Verdict.CORRUPT, damage.message)
    return _rule_of_content(facts, findings, missing, siblings)


def _at_that_size(ruling: _Ruling, fit: Fit) -> _Ruling:
    if ruling.verdict is not Verdict.EXACT or not fit.loses:
        return ruling
    reason = f"goes on from its step, but another world size loses {words(fit.loses)}"
    return ruling._replace(verdict=Verdict.INEXACT, reason=reason)


def _is_open(
    facts: CheckpointFacts,
    findings: tuple[Finding, ...],
    missing: tuple[str, ...],
    activity: Activity,
) -> bool:
    """Whether the save may still be going on, as far as content shows.

    A marker that is there proves the end of its own save, not that of a copy under way: growth
    that was seen between looks counts against damage.
    """
    if facts.export and facts.commit.met is not False:
        return False
    damaged = has_effect(findings, Effect.CORRUPT) or has_effect(findings, Effect.INCOMPLETE)
    if facts.commit.met is None:
        in_parts = not facts.is_made_of_files()
        to_come = in_parts and bool({MODEL, OPTIMIZER, PROGRESS} & set(missing))
        return damaged or to_come
    if facts.commit.met:
        return damaged and (facts.commit.rewritten or activity.seen)
    return True


def _rule_of_content(
    facts: CheckpointFacts,
    findings: tuple[Finding, ...],
    missing: tuple[str, ...],
    siblings: Siblings,
) -> _Ruling:
    gap = first_with_effect(findings, Effect.INCOMPLETE)
    if gap is not None:
        return _Ruling(Verdict.INCOMPLETE, gap.message)
    have = facts.role_names()
    if MODEL not in have:
        return _Ruling(Verdict.INCOMPLETE, "no model in it", (missing_role(MODEL, fatal=True),))
    torn = tuple(role for role in facts.roles if role.missing_ranks and _must_be_whole(role, facts))
    if torn:
        lacks = [f"{role.role} of {ranks_text(role.missing_ranks)}" for role in torn]
        return _Ruling(
            Verdict.INCOMPLETE, f"no {words(lacks)}", tuple(partial_role(r, True) for r in torn)
        )
    lost = siblings.roles - have - facts.loader.tolerates
    thinned = facts.declared and OPTIMIZER not in have
    if lost and not thinned:
        remark = not_like_siblings(facts, siblings, lost)
        return _Ruling(Verdict.INCOMPLETE, remark.message, (remark,))
    unopened = siblings.opens - facts.loader.opens
    if unopened and not thinned:
        remark = lacks_file(sorted(unopened))
        return _Ruling(Verdict.INCOMPLETE, remark.message, (remark,))
    if OPTIMIZER not in have:
        remark = weights_only()
        return _Ruling(Verdict.WEIGHTS_ONLY, remark.message, (remark,))
    return _rule_of_roles(facts, missing)


def _rule_of_roles(facts: CheckpointFacts, missing: tuple[str, ...]) -> _Ruling:
    needed = set(facts.loader.needs) | ({PROGRESS} & set(missing))
    absent = [*missing, *sorted(needed - set(missing) - facts.role_names())]
    fatal = [role for role in absent if role in needed or role not in MAY_BE_ABSENT]
    if fatal:
        stops = facts.loader.needs & set(fatal)
        remarks = tuple(missing_role(r, fatal=True, loads=r not in stops) for r in fatal)
        reason = f"the loader cannot resume without {words(fatal)}"
        if not stops:
            reason = "; ".join(remark.message for remark in remarks)
        return _Ruling(Verdict.INCOMPLETE, reason, remarks)
    partial = [role for role in facts.roles if role.missing_ranks and role.role in MAY_BE_ABSENT]
    remarks = tuple(missing_role(role, fatal=False) for role in missing)
    remarks += tuple(partial_role(role, False) for role in partial)
    lacks = [*missing, *(f"{role.role} of {ranks_text(role.missing_ranks)}" for role in partial)]
    if lacks:
        return _Ruling(
            Verdict.INEXACT, f"goes on from its step, but without {words(lacks)}", remarks
        )
    return _Ruling(Verdict.EXACT, "every required role is there, of one checkpoint")


def _must_be_whole(role: RoleFacts, facts: CheckpointFacts) -> bool:
    core = role.role in REQUIRED_ROLES and role.role not in MAY_BE_ABSENT
    return core or role.role in facts.loader.needs


def _commit(facts: CheckpointFacts, findings: tuple[Finding, ...], verdict: Verdict) -> Commit:
    if verdict is Verdict.SAVING:
        return Commit.SAVING
    if verdict is Verdict.UNKNOWN:
        return Commit.UNKNOWN
    if facts.commit.met is None:
        whole = not has_effect(findings, Effect.CORRUPT)
        return Commit.COMMITTED if whole else Commit.UNCOMMITTED
    return Commit.COMMITTED if facts.commit.met else Commit.UNCOMMITTED


def _why(facts: CheckpointFacts, ruling: _Ruling, activity: Activity) -> str:
    parts = [ruling.reason, f"rule: {facts.commit.rule}"]
    if ruling.verdict is Verdict.UNCOMMITTED and activity.evidence != QUIET.evidence:
        parts.append(activity.evidence)
    if facts.evidence:
        parts.append(facts.evidence)
    if facts.verified is not None:
        parts.append(verified_text(facts.verified))
    return "; ".join(part for part in parts if part)


def _loudest_first(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    order = (Severity.ERROR, Severity.WARNING, Severity.INFO)
    return tuple(sorted(findings, key=lambda finding: order.index(finding.severity)))

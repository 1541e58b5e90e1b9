"""Puts judged checkpoints together to runs: order, resume point, pointers, level."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.own_choice import own_choice_findings
from ckpt_tui.core.pointers import judge_pointer, pointer_findings
from ckpt_tui.core.restarts import COPY_SECONDS, restarts_of
from ckpt_tui.core.runs import Run, in_order, resume_point, run_level
from ckpt_tui.core.siblings import Habits
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Severity, Verdict
from ckpt_tui.formats.registry import reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.fs.listing import Directory
    from ckpt_tui.store.growth import Growth, Moment


class Options(NamedTuple):
    """What a store is asked for.

    Attributes:
        stall_after_seconds: A save that has not grown for so long is dead.
        silent_after_seconds: A rank that is behind and has not grown for so long is named.
    """

    requirements: Requirements = Requirements()
    stall_after_seconds: float = 120.0
    silent_after_seconds: float = 30.0


class Member(NamedTuple):
    """One checkpoint of a run as the store keeps it."""

    facts: CheckpointFacts
    growth: Growth


def read_pointers(format_name: str, directory: Directory | None) -> tuple[RawPointer, ...]:
    """The pointers that the format's reader knows of in a run's directory."""
    return reader(format_name).pointers(directory) if directory is not None else ()


def assemble_run(
    path: str,
    name: str,
    format_name: str,
    members: Sequence[Member],
    raw_pointers: Sequence[RawPointer],
    options: Options,
    now: Moment,
) -> Run:
    """Judges the checkpoints of one run and puts them together."""
    judged = in_order(_judge_all(members, options, now))
    pointers = tuple(judge_pointer(raw, judged) for raw in raw_pointers)
    named = frozenset(pointer.target for pointer in pointers if pointer.target)
    resume = resume_point(judged, named)
    findings = (
        *pointer_findings(pointers, resume),
        *own_choice_findings(judged, pointers, resume),
        *_order_findings(judged),
    )
    return Run(
        path=path,
        name=name,
        format=format_name,
        checkpoints=judged,
        resume=resume,
        pointers=pointers,
        findings=findings,
        restarts=restarts_of(judged),
        level=run_level(judged, resume, findings),
    )


def _judge_all(members: Sequence[Member], options: Options, now: Moment) -> tuple[Checkpoint, ...]:
    activities = [m.growth.activity(now, options.stall_after_seconds) for m in members]
    # What may still grow says nothing about what is usual in the run.
    settled = [
        member.facts
        for member, activity in zip(members, activities, strict=True)
        if member.facts.commit.met or not activity.active
    ]
    habits = Habits(settled)
    judged = [
        judge(member.facts, options.requirements, activity, habits.siblings_of(member.facts))
        for member, activity in zip(members, activities, strict=True)
    ]
    if all(c.verdict is not Verdict.SAVING for c in judged):
        return tuple(judged)
    last_whole = max((c for c in judged if c.resumable), key=lambda c: c.order, default=None)
    measure = last_whole.facts if last_whole else None
    return tuple(
        c._replace(
            progress=member.growth.progress(c.facts, measure, now, options.silent_after_seconds)
        )
        if c.verdict is Verdict.SAVING
        else c
        for c, member in zip(judged, members, strict=True)
    )


def _order_findings(judged: Sequence[Checkpoint]) -> tuple[Finding, ...]:
    """Step order against time order of what was committed."""
    timed = [c for c in judged if c.counts_as_commit and c.committed_at and c.step is not None]
    if len(timed) < 2:
        return ()
    latest = max(timed, key=lambda c: c.committed_at or 0.0)
    highest = max(timed, key=lambda c: c.step or 0)
    gap_seconds = (latest.committed_at or 0.0) - (highest.committed_at or 0.0)
    if latest.step == highest.step or gap_seconds < COPY_SECONDS:
        return ()
    return (
        Finding(
            "order-disagrees",
            Severity.WARNING,
            latest.path,
            f"step {latest.step} was committed after step {highest.step}:"
            " the job went back, or two jobs write here",
            f"Make sure which of the two the job should go on from: {os.path.basename(latest.path)}"
            f" or {os.path.basename(highest.path)}.",
        ),
    )

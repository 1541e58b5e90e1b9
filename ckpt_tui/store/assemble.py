"""Puts judged checkpoints together to runs: order, resume point, pointers, level."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.counted_names import names_count_saves, without_counter_remarks
from ckpt_tui.core.gaps import gap_findings
from ckpt_tui.core.order import order_findings
from ckpt_tui.core.own_choice import own_choice_findings
from ckpt_tui.core.pointers import copies_as_pointers, judge_pointer, pointer_findings
from ckpt_tui.core.restarts import restarts_of
from ckpt_tui.core.runs import Run, in_order, resume_point, run_level
from ckpt_tui.core.siblings import Habits
from ckpt_tui.core.too_few_good import last_one_findings
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Commit, Verdict
from ckpt_tui.formats.registry import reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.runs import Pointer
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
    if names_count_saves([member.facts for member in members]):
        members = [m._replace(facts=without_counter_remarks(m.facts)) for m in members]
    judged = in_order(_judge_all(members, options, now))
    pointers = tuple(judge_pointer(raw, judged) for raw in raw_pointers)
    told = {pointer.path for pointer in pointers}
    pointers += tuple(p for p in copies_as_pointers(judged, path) if p.path not in told)
    named = frozenset(pointer.target for pointer in pointers if pointer.target)
    resume = resume_point(judged, named)
    findings = _run_findings(path, judged, pointers, resume)
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


def _run_findings(
    path: str,
    judged: Sequence[Checkpoint],
    pointers: Sequence[Pointer],
    resume: Checkpoint | None,
) -> tuple[Finding, ...]:
    """What is wrong with the run as a whole; nothing where one checkpoint is looked at alone."""
    saving = next((c for c in judged if c.verdict is Verdict.SAVING), None)
    order = order_findings(judged, path)
    return (
        *pointer_findings(pointers, resume, saving),
        *own_choice_findings(judged, pointers, resume),
        *order,
        *gap_findings(judged, path, disordered=bool(order)),
        *last_one_findings(judged, path),
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
    judged = [_timed(c, member.growth) for c, member in zip(judged, members, strict=True)]
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


def _timed(checkpoint: Checkpoint, growth: Growth) -> Checkpoint:
    """With the save time that was watched, where file times know no more than a lower bound."""
    seconds = growth.settle() if checkpoint.commit is Commit.COMMITTED else None
    facts = checkpoint.facts
    if seconds is None or not facts.save_seconds_is_lower_bound:
        return checkpoint
    exact = facts._replace(save_seconds=seconds, save_seconds_is_lower_bound=False)
    return checkpoint._replace(facts=exact, watched=True)

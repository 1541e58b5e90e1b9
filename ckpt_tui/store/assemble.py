"""Puts judged checkpoints together to runs: order, resume point, pointers, level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.gaps import gap_findings
from ckpt_tui.core.order import order_findings
from ckpt_tui.core.own_choice import own_choice_findings
from ckpt_tui.core.pointers import copies_as_pointers, judge_pointer, pointer_findings
from ckpt_tui.core.restarts import restarts_of
from ckpt_tui.core.runs import Run, in_order, named_by, resume_point, run_level
from ckpt_tui.core.too_few_good import last_one_findings
from ckpt_tui.core.verified_findings import finite_findings
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.registry import reader
from ckpt_tui.store.judging import Judgements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.runs import Pointer
    from ckpt_tui.fs.listing import Directory
    from ckpt_tui.store.members import Member, Options
    from ckpt_tui.store.moment import Moment


def read_pointers(format_name: str, directory: Directory | None) -> tuple[RawPointer, ...]:
    """The pointers that the format's reader knows of in a run's directory."""
    return reader(format_name).pointers(directory) if directory is not None else ()


def _in_the_order_of(
    before: Sequence[Checkpoint], judged: Sequence[Checkpoint]
) -> tuple[Checkpoint, ...] | None:
    """The checkpoints in their last order, where none came or went or moved; else None."""
    by_path = {checkpoint.path: checkpoint for checkpoint in judged}
    ordered = tuple([by_path[old.path] for old in before if old.path in by_path])
    if len(ordered) != len(judged) or len(before) != len(judged):
        return None
    pairs = zip(ordered, before, strict=True)
    moved = (new is not old and _place(new) != _place(old) for new, old in pairs)
    return None if any(moved) else ordered


def _place(checkpoint: Checkpoint) -> tuple[bool, object]:
    return checkpoint.facts.export, checkpoint.order


def _differ_in_growth_only(before: Sequence[Checkpoint], judged: Sequence[Checkpoint]) -> bool:
    """Whether all that is new is how far the saves in flight are; both in the same order."""
    return all(
        new is old
        or (new.verdict is old.verdict is Verdict.SAVING and bool(new.moment) == bool(old.moment))
        for new, old in zip(judged, before, strict=True)
    )


class Assembler:
    """Puts one run together, look by look.

    Args:
        path: The run's directory.
        name: What it is called.
        format_name: The format of its checkpoints.
    """

    def __init__(self, path: str, name: str, format_name: str) -> None:
        self._path = path
        self._name = name
        self._format = format_name
        self._judgements = Judgements()
        self._run: Run | None = None
        self._raw_pointers: tuple[RawPointer, ...] = ()

    @property
    def by_the_clock(self) -> bool:
        """Whether time alone may make the run another one."""
        return self._judgements.awaited or bool(self._run and self._run.in_flight)

    def assemble(
        self,
        members: Sequence[Member],
        raw_pointers: tuple[RawPointer, ...],
        options: Options,
        now: Moment,
        *,
        alone: bool = False,
    ) -> Run:
        """Judges the checkpoints and puts them together.

        Args:
            members: The checkpoints as they were read.
            raw_pointers: Pointers in the run's directory.
            options: How to judge.
            now: The time of the look.
            alone: Whether one checkpoint was named by itself, and nothing beside it looked at.
        """
        judged = self._judgements.judge_all(members, options, now)
        before = self._run.checkpoints if self._run is not None else ()
        ordered = _in_the_order_of(before, judged)
        growing = ordered is not None and _differ_in_growth_only(before, ordered)
        if self._run is not None and ordered and growing and raw_pointers == self._raw_pointers:
            self._run = self._run._replace(checkpoints=ordered)
        else:
            self._run = self._put_together(ordered or in_order(judged), raw_pointers, alone)
        self._raw_pointers = raw_pointers
        return self._run

    def _put_together(
        self, judged: tuple[Checkpoint, ...], raw_pointers: tuple[RawPointer, ...], alone: bool
    ) -> Run:
        pointers = tuple(judge_pointer(raw, judged) for raw in raw_pointers)
        told = {pointer.path for pointer in pointers}
        copies = copies_as_pointers(judged, self._path)
        pointers += tuple(p for p in copies if p.path not in told)
        resume = resume_point(judged, named_by(pointers))
        findings = _run_findings(self._path, judged, pointers, resume, alone)
        return Run(
            path=self._path,
            name=self._name,
            format=self._format,
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
    alone: bool,
) -> tuple[Finding, ...]:
    """What is wrong with the run as a whole; nothing where one checkpoint is looked at alone."""
    if alone:
        return finite_findings(judged, resume, path)
    saving = next((c for c in judged if c.verdict is Verdict.SAVING), None)
    order = order_findings(judged, path)
    return (
        *pointer_findings(pointers, resume, saving),
        *own_choice_findings(judged, pointers, resume),
        *order,
        *gap_findings(judged, path, disordered=bool(order)),
        *last_one_findings(judged, path),
        *finite_findings(judged, resume, path),
    )

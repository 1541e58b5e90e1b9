"""Judges the checkpoints of a run, again only where something of them can differ.

In a run of ten thousand, one save in flight would else cost ten thousand verdicts at each look.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.counted_names import names_count_saves, without_counter_remarks
from ckpt_tui.core.siblings import Habits
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Commit, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.siblings import Siblings
    from ckpt_tui.store.growth import Growth
    from ckpt_tui.store.members import Member, Options
    from ckpt_tui.store.moment import Moment

_BY_THE_CLOCK = (Verdict.SAVING, Verdict.UNCOMMITTED)
"""Their reasons say how long ago something grew."""


class _Kept(NamedTuple):
    """A verdict, and what it was made from."""

    facts: CheckpointFacts
    active: bool
    habits: Habits
    siblings: Siblings
    checkpoint: Checkpoint

    def is_of(self, member: Member, active: bool) -> bool:
        """Whether the checkpoint is as it was."""
        return (
            self.facts is member.facts
            and self.active == active
            and member.growth.settled
            and not member.second_look.pending
            and self.checkpoint.verdict not in _BY_THE_CLOCK
        )

    def holds_among(self, siblings: Siblings) -> bool:
        """Whether its siblings are as they were, as far as they matter.

        How many there are does not matter to one that lacks nothing that they have.
        """
        own = self.facts
        return self.siblings == siblings or (
            self.siblings[1:] == siblings[1:]
            and siblings.roles <= own.role_names()
            and siblings.opens <= own.loader.opens
        )


class Judgements:
    """The verdicts of one run's checkpoints.

    Attributes:
        awaited: Whether one may still grow: when that is over, it is a measure for the others.
    """

    def __init__(self) -> None:
        self.awaited = False
        self._kept: dict[str, _Kept] = {}
        self._terms: object = None
        self._measured: list[CheckpointFacts] = []
        self._habits = Habits(())
        self._read: list[CheckpointFacts] = []
        self._names_count = False

    def judge_all(
        self, members: Sequence[Member], options: Options, now: Moment
    ) -> list[Checkpoint]:
        """A verdict for each; one that is as before is the same object."""
        terms = (options.requirements, options.stale_seconds)
        if terms != self._terms:
            self._kept, self._terms = {}, terms
        members = self._without_counter_remarks(members)
        active = [m.growth.is_active(now, options.stall_after_seconds) for m in members]
        self._measure(members, active)
        kept = {
            member.facts.path: self._judged(member, is_active, options, now)
            for member, is_active in zip(members, active, strict=True)
        }
        self._kept = kept
        return _with_progress([k.checkpoint for k in kept.values()], members, options, now)

    def _judged(self, member: Member, active: bool, options: Options, now: Moment) -> _Kept:
        facts, habits = member.facts, self._habits
        known = self._kept.get(facts.path)
        same = known is not None and known.is_of(member, active)
        if known is not None and same and known.habits is habits:
            return known
        siblings = habits.siblings_of(facts)
        if known is not None and same and known.holds_among(siblings):
            return known._replace(habits=habits, siblings=siblings)
        checkpoint = _judge(member, siblings, options, now)
        return _Kept(facts, active, habits, siblings, checkpoint)

    def _without_counter_remarks(self, members: Sequence[Member]) -> Sequence[Member]:
        """Without the remark that a name says another step, where names count saves."""
        read = [member.facts for member in members]
        if not _same(read, self._read):
            self._read, self._names_count = read, names_count_saves(read)
        if not self._names_count:
            return members
        return [m._replace(facts=without_counter_remarks(m.facts)) for m in members]

    def _measure(self, members: Sequence[Member], active: Sequence[bool]) -> None:
        """What may still grow says nothing about what is usual in the run."""
        measured = [
            member.facts
            for member, is_active in zip(members, active, strict=True)
            if member.facts.commit.met or not is_active
        ]
        self.awaited = len(measured) < len(members)
        if not _same(measured, self._measured):
            self._measured, self._habits = measured, Habits(measured)


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(map(is_, some, others))


def _judge(member: Member, siblings: Siblings, options: Options, now: Moment) -> Checkpoint:
    facts, stall_seconds = member.facts, options.stall_after_seconds
    activity = member.growth.activity(now, stall_seconds, marked=facts.commit.met is True)
    judged = judge(facts, options.requirements, activity, siblings)
    shown = member.second_look.show(judged, now, options.stale_seconds)
    return _timed(shown, member.growth)


def _timed(checkpoint: Checkpoint, growth: Growth) -> Checkpoint:
    """With the save time that was watched, where file times know no more than a lower bound."""
    whole = checkpoint.verdict not in (Verdict.CORRUPT, Verdict.INCOMPLETE)
    committed = checkpoint.commit is Commit.COMMITTED
    seconds = growth.settle(whole=whole) if committed else None
    facts = checkpoint.facts
    if seconds is None or not facts.save_seconds_is_lower_bound:
        return checkpoint
    exact = facts._replace(save_seconds=seconds, save_seconds_is_lower_bound=False)
    return checkpoint._replace(facts=exact, watched=True)


def _with_progress(
    judged: list[Checkpoint], members: Sequence[Member], options: Options, now: Moment
) -> list[Checkpoint]:
    """With the growth of what is in flight, against the run's last whole checkpoint."""
    flying = [place for place, c in enumerate(judged) if c.verdict is Verdict.SAVING]
    if not flying:
        return judged
    last_whole = max((c for c in judged if c.resumable), key=lambda c: c.order, default=None)
    measure = last_whole.facts if last_whole else None
    for place in flying:
        growth, saving = members[place].growth, judged[place]
        progress = growth.progress(saving.facts, measure, now, options.silent_after_seconds)
        judged[place] = saving._replace(progress=progress)
    return judged

"""Which checkpoints make one run: those of one format family that lie in one directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import has_effect
from ckpt_tui.core.vocabulary import Effect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.store.members import Member


def by_format(members: Iterable[Member]) -> dict[str, list[Member]]:
    """Format → the checkpoints of it, of one directory.

    A file that cannot be read says nothing of its format but by its name: it goes with the files
    of the directory that can, where these are of one format.
    """
    all_members = list(members)
    formats = {member.facts.format for member in all_members}
    if len(formats) == 1:
        return {formats.pop(): all_members}
    told = {
        m.facts.format
        for m in all_members
        if m.facts.is_made_of_files() and not _says_nothing(m.facts) and not m.facts.export
    }
    usual = told.pop() if len(told) == 1 else None
    groups: dict[str, list[Member]] = {}
    for member in all_members:
        if usual is not None and member.facts.format != usual and _says_nothing(member.facts):
            member = member._replace(facts=member.facts._replace(format=usual))
        groups.setdefault(member.facts.format, []).append(member)
    return groups


def _says_nothing(facts: CheckpointFacts) -> bool:
    unread = has_effect(facts.findings, Effect.CORRUPT) or has_effect(
        facts.findings, Effect.UNKNOWN
    )
    return facts.is_made_of_files() and not facts.roles and unread

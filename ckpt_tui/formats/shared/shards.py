"""What one rank wrote, by its files, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import ShardFacts
from ckpt_tui.words import later

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding

_PROBLEM_OF_CODE = {
    "missing-shard": later("missing"),
    "truncated-file": later("short"),
    "empty-file": later("empty"),
}


def shard_problem(finding: Finding) -> str:
    """What a finding about one of a rank's files is, in the words of `ShardFacts.problem`."""
    return _PROBLEM_OF_CODE.get(finding.code, later("unreadable"))


def shard_of(
    rank: int,
    there: Iterable[FileEntry],
    problem: str = "",
    *,
    paths: Iterable[str] | None = None,
    checkpoint_id: str | None = None,
) -> ShardFacts:
    """The facts of one rank.

    Args:
        rank: The writer.
        there: Its files, as far as they are there.
        problem: What is wrong with them, as in `ShardFacts`.
        paths: Paths that it has to have, where some may be absent; None for those that are there.
        checkpoint_id: The identity that the content names, where it names one.
    """
    entries = tuple(there)
    return ShardFacts(
        rank,
        checkpoint_id,
        sum(entry.size_bytes for entry in entries),
        tuple(entry.path for entry in entries) if paths is None else tuple(paths),
        problem,
        max((entry.mtime_ns for entry in entries), default=0),
    )

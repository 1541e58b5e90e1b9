"""The lesson's fourth question, asked of the facts of a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.lesson import validate_sharded_checkpoint
from ckpt_tui.core.text import ranks_text
from ckpt_tui.core.vocabulary import Effect, Severity

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts

_MIB = 1024 * 1024
_DAMAGE = ("short", "unreadable")


def shard_findings(facts: CheckpointFacts) -> tuple[Finding, ...]:
    """Findings of rank coverage, identity and emptiness that the reader did not name itself."""
    if facts.expected_ranks is None:
        return ()
    # The lesson numbers ranks without holes; in DCP a rank that had nothing to write has no shard.
    places = {rank: number for number, rank in enumerate(facts.expected_ranks)}
    report = validate_sharded_checkpoint(
        {
            "checkpoint_id": facts.checkpoint_id,
            "world_size": len(facts.expected_ranks),
            "committed": True,  # the commit rule is judged apart
        },
        [
            {
                "rank": places.get(shard.rank, len(places) + shard.rank),
                "checkpoint_id": shard.checkpoint_id or facts.checkpoint_id,
                "size_mib": 1 if shard.problem == "" else shard.size_bytes / _MIB,
            }
            for shard in facts.shards
            if shard.problem != "missing"
        ],
    )
    known = {finding.code for finding in facts.findings}
    found = []
    for issue in report["issues"]:
        finding = _finding_of(issue, facts)
        if finding.code not in known:
            found.append(finding)
    told = any(finding.effect is not Effect.NONE for finding in facts.findings)
    damaged = tuple(s.rank for s in facts.shards if s.problem in _DAMAGE and s.size_bytes > 0)
    if damaged and not told:
        found.append(_damaged(damaged))
    return tuple(found)


def _damaged(ranks: tuple[int, ...]) -> Finding:
    return Finding(
        "truncated-file",
        Severity.ERROR,
        "",
        f"the shard of {ranks_text(ranks)} is not whole",
        "Resume from another checkpoint, or copy the shard back from where it was written.",
        Effect.CORRUPT,
    )


def _finding_of(issue: str, facts: CheckpointFacts) -> Finding:
    if issue.startswith("rank coverage"):
        return _coverage(facts)
    if issue.startswith("checkpoint IDs"):
        others = sorted(
            {s.checkpoint_id for s in facts.shards if s.checkpoint_id} - {facts.checkpoint_id}
        )
        return Finding(
            "checkpoint-id-mismatch",
            Severity.ERROR,
            "",
            f"shards of another checkpoint are inside: {', '.join(others)}"
            f" beside {facts.checkpoint_id}",
            "Resume from another checkpoint: these shards do not belong together.",
            Effect.INCOMPLETE,
        )
    empty = tuple(s.rank for s in facts.shards if s.problem and s.size_bytes <= 0)
    return Finding(
        "empty-file",
        Severity.ERROR,
        "",
        f"the shard of {ranks_text(empty)} is empty",
        "Resume from another checkpoint, or copy the shard back from where it was written.",
        Effect.CORRUPT,
    )


def _coverage(facts: CheckpointFacts) -> Finding:
    got = {shard.rank for shard in facts.shards if shard.problem != "missing"}
    missing = tuple(rank for rank in facts.expected_ranks or () if rank not in got)
    if missing:
        ranks, of = ranks_text(missing), len(facts.expected_ranks or ())
        return Finding(
            "missing-shard",
            Severity.ERROR,
            "",
            f"{ranks} of {of} has no shard"
            if len(missing) == 1
            else f"{ranks} of {of} have no shard",
            "Copy the shard back if it was written to a node's own disk, or resume from another"
            " checkpoint.",
            Effect.INCOMPLETE,
        )
    extra = tuple(sorted(got - set(facts.expected_ranks or ())))
    return Finding(
        "extra-shard",
        Severity.WARNING,
        "",
        f"{ranks_text(extra)} is not named by the manifest"
        if extra
        else "a rank has more than one shard",
        "Files of an earlier save into the same directory may be left; the loader ignores them.",
    )

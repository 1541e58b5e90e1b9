"""The lesson's two questions about content: what is there, and do the shards agree?

`ckpt_tui.core.verdict` asks these same functions, so the public API and the product cannot drift
apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from ckpt_tui.core.vocabulary import REQUIRED_ROLES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


class ManifestReport(TypedDict):
    """Answer of `inspect_checkpoint_manifest`."""

    total_mib: float
    missing_roles: list[str]
    invalid_files: list[str]
    committed: bool
    recoverable: bool


class ShardReport(TypedDict):
    """Answer of `validate_sharded_checkpoint`."""

    recoverable: bool
    issues: list[str]


def inspect_checkpoint_manifest(
    entries: Iterable[Mapping[str, Any]], committed: bool
) -> ManifestReport:
    """Says whether a manifest lists all that a resumed run needs.

    Args:
        entries: One mapping per file, with `role`, `path` and `size_mib`.
        committed: Whether the whole manifest was committed.

    Returns:
        `total_mib` rounded to 2 digits, `missing_roles` and `invalid_files` (size ≤ 0) sorted,
        `committed`, and `recoverable`: committed, nothing missing, nothing invalid.
    """
    return inspect_roles(entries, committed, REQUIRED_ROLES)


def inspect_roles(
    entries: Iterable[Mapping[str, Any]], committed: bool, required: Collection[str]
) -> ManifestReport:
    """Like `inspect_checkpoint_manifest`, with the required roles given."""
    listed = list(entries)
    missing = sorted(set(required) - {entry["role"] for entry in listed})
    invalid = sorted(entry["path"] for entry in listed if entry["size_mib"] <= 0)
    return {
        "total_mib": round(sum(entry["size_mib"] for entry in listed), 2),
        "missing_roles": missing,
        "invalid_files": invalid,
        "committed": committed,
        "recoverable": bool(committed and not missing and not invalid),
    }


def validate_sharded_checkpoint(
    manifest: Mapping[str, Any], shards: Iterable[Mapping[str, Any]]
) -> ShardReport:
    """Says whether the shards of all ranks make one committed checkpoint.

    Args:
        manifest: `checkpoint_id`, `world_size`, `committed`.
        shards: One mapping per shard, with `rank`, `checkpoint_id` and `size_mib`.

    Returns:
        `recoverable`, and `issues` in this order: rank coverage, checkpoint IDs, empty shards,
        commit.
    """
    listed = list(shards)
    expected = list(range(manifest["world_size"]))
    got = sorted(shard["rank"] for shard in listed)
    issues = []
    if got != expected:
        issues.append(f"rank coverage mismatch: expected {expected}, got {got}")
    if any(shard["checkpoint_id"] != manifest["checkpoint_id"] for shard in listed):
        issues.append("checkpoint IDs are inconsistent")
    if any(shard["size_mib"] <= 0 for shard in listed):
        issues.append("one or more shards are empty")
    if not manifest["committed"]:
        issues.append("manifest is not committed")
    return {"recoverable": not issues, "issues": issues}

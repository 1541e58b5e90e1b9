"""A directory inside a checkpoint, read as if it were one itself, and its paths put back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.files import Tree
from ckpt_tui.formats.base import CheckpointFiles, Claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ckpt_tui.core.facts import RoleFacts, ShardFacts, TensorFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.shared.file_table import Mark


def nested_files(files: CheckpointFiles, directory: str) -> CheckpointFiles:
    """The files below one subdirectory, with paths relative to it.

    Args:
        files: The outer checkpoint.
        directory: Relative path of the subdirectory, without a slash at the end.
    """
    prefix = directory + "/"
    entries = tuple(
        entry._replace(path=entry.path.removeprefix(prefix))
        for entry in files.tree.entries
        if entry.path.startswith(prefix)
    )
    path = os.path.join(files.path, directory)
    return CheckpointFiles(Claim(files.claim.reader, path), Tree(path, entries), files.limits)


def outer_findings(directory: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings of a subdirectory, with paths and messages that hold for the outer checkpoint."""
    return tuple(
        finding._replace(
            path=f"{directory}/{finding.path}" if finding.path else directory,
            message=f"{directory}/: {finding.message}",
        )
        for finding in findings
    )


def outer_roles(directory: str, roles: Iterable[RoleFacts]) -> tuple[RoleFacts, ...]:
    """Roles of a subdirectory, with paths and evidence that hold for the outer checkpoint."""
    return tuple(
        role._replace(
            paths=tuple(f"{directory}/{path}" for path in role.paths),
            evidence=f"{role.evidence} (in {directory}/)",
        )
        for role in roles
    )


def outer_shards(directory: str, shards: Iterable[ShardFacts]) -> tuple[ShardFacts, ...]:
    """What the ranks wrote in a subdirectory, with paths that hold for the outer checkpoint."""
    return tuple(
        shard._replace(paths=tuple(f"{directory}/{path}" for path in shard.paths))
        for shard in shards
    )


def outer_tensors(directory: str, tensors: Iterable[TensorFacts]) -> tuple[TensorFacts, ...]:
    """Tensors of a subdirectory, with paths that hold for the outer checkpoint."""
    return tuple(
        tensor._replace(path=f"{directory}/{tensor.path}") if tensor.path else tensor
        for tensor in tensors
    )


def outer_marks(directory: str, marks: Mapping[str, Mark]) -> dict[str, Mark]:
    """What is known of a subdirectory's files, by their paths in the outer checkpoint."""
    return {f"{directory}/{path}": mark for path, mark in marks.items()}

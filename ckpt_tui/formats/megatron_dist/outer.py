"""NeMo 2's layout: `NAME/weights/` is the checkpoint, `NAME/context/` what built the model."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import LoaderFacts
from ckpt_tui.formats.shared.nested import (
    outer_findings,
    outer_roles,
    outer_shards,
    outer_tensors,
)

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

WEIGHTS = "weights"


def weights_of(directory: Directory) -> Directory | None:
    """The directory inside that holds the data, or None."""
    return directory.sub(WEIGHTS) if WEIGHTS in directory.directory_names() else None


def is_outer(tree: Tree) -> bool:
    """Whether the data lies one level down, and none of it here."""
    inside = any(entry.path.startswith(f"{WEIGHTS}/") for entry in tree.entries)
    return inside and not any(
        entry.path.endswith(".distcp") and "/" not in entry.path for entry in tree.entries
    )


def as_outer(files: CheckpointFiles, inner: CheckpointFacts) -> CheckpointFacts:
    """Facts of `weights/`, with paths that hold for the directory around it.

    Args:
        files: The outer directory.
        inner: What was read of the inner one, with the outer one's path and name.
    """
    return inner._replace(
        roles=outer_roles(WEIGHTS, inner.roles),
        shards=outer_shards(WEIGHTS, inner.shards),
        files=tuple(file._replace(path=f"{WEIGHTS}/{file.path}") for file in inner.files),
        findings=outer_findings(WEIGHTS, inner.findings),
        tensors=outer_tensors(WEIGHTS, inner.tensors),
        loader=LoaderFacts(
            flag=f"resume.resume_from_path={shlex.quote(files.path)}", tag=files.name
        ),
        size_bytes=files.tree.total_bytes(),
    )

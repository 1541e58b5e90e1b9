"""Several models in one checkpoint, each in a directory of its own, as RL trainers keep them.

verl: `global_step_N/{actor,critic}/*_world_size_W_rank_R.pt` and `data.pt`. RLinf:
`global_step_N/{actor,critic}/dcp_checkpoint/` and `data/data.pt`. Others put one torch file into
each. Their loaders open all of it; a critic that is gone stops the job, a lost `data.pt` is only
warned of and repeats data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.formats.dcp.files import METADATA, holds_dcp
from ckpt_tui.formats.dcp.parts import DcpParts, read_dcp_parts
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.nested import (
    nested_files,
    outer_findings,
    outer_marks,
    outer_roles,
    outer_tensors,
)
from ckpt_tui.formats.torch_file.names import SURE_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

MODEL_DIRECTORIES = ("actor", "critic", "model", "policy")


def holds_models(directory: Directory) -> bool:
    """Whether a subdirectory named for a model holds a torch file or a DCP directory."""
    return any(
        _holds_state(directory.sub(name))
        for name in directory.directory_names()
        if name in MODEL_DIRECTORIES
    )


def _holds_state(directory: Directory) -> bool:
    names = directory.file_names()
    if holds_dcp(names) or any(name.endswith(SURE_ENDINGS) for name in names):
        return True
    return any(holds_dcp(directory.sub(n).file_names()) for n in directory.directory_names())


def opened_parts(entries: Iterable[FileEntry]) -> frozenset[str]:
    """What a run's checkpoints of this kind have in common, numbers blotted out.

    Args:
        entries: The checkpoint's own files; empty where it is of another kind.
    """
    paths = [entry.path for entry in entries]
    if not any(path.partition("/")[0] in MODEL_DIRECTORIES for path in paths):
        return frozenset()
    return frozenset(plain_name(p) for p in paths if p.endswith((*SURE_ENDINGS, METADATA)))


def read_all_dcp(files: CheckpointFiles) -> DcpParts:
    """The DCP directories of the checkpoint, and those inside its models' directories."""
    found = read_dcp_parts(files)
    inside = {entry.path for entry in files.tree.entries if entry.kind is Kind.DIRECTORY}
    for name in MODEL_DIRECTORIES:
        if name in inside and name not in found.directories:
            found = _joined(found, name, read_dcp_parts(nested_files(files, name)))
    return found


def _joined(found: DcpParts, outer: str, inner: DcpParts) -> DcpParts:
    """Models have ranks of their own, so their shards are not added up rank by rank."""
    if not inner.directories:
        return found
    sizes = [size for size in (found.world_size, inner.world_size) if size is not None]
    return found._replace(
        directories=(*found.directories, *(f"{outer}/{name}" for name in inner.directories)),
        roles=(*found.roles, *outer_roles(outer, inner.roles)),
        world_size=max(sizes, default=None),
        missing=found.missing or (f"{outer}/{inner.missing}" if inner.missing else ""),
        findings=(*found.findings, *outer_findings(outer, inner.findings)),
        marks={**found.marks, **outer_marks(outer, inner.marks)},
        tensors=(*found.tensors, *outer_tensors(outer, inner.tensors))[:MOST_TENSORS],
        tensors_total=found.tensors_total + inner.tensors_total,
    )

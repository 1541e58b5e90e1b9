"""Reads Megatron-Core's distributed checkpoints: a torch DCP with `common.pt` and `metadata.json`.

`common.pt` is written first, then the data, `.metadata` by rename, and `metadata.json` last. Newer
versions keep the common state inside the data, and then have no `common.pt`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.facts import CheckpointFacts, FileFacts
from ckpt_tui.core.vocabulary import CONFIG, MODEL, OPTIMIZER, PROGRESS, RNG
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.dcp.content import DcpContent, read_dcp
from ckpt_tui.formats.dcp.files import INDEX_NOTE, METADATA, rank_of_data_file
from ckpt_tui.formats.megatron.naming import RELEASE, is_megatron_name, tracker_pointers
from ckpt_tui.formats.megatron.rank_order import axes_of_arguments
from ckpt_tui.formats.megatron.train_state import TRAIN_STATE
from ckpt_tui.formats.megatron_dist.bridge import RUN_CONFIG, BridgeFiles, read_bridge_files
from ckpt_tui.formats.megatron_dist.commit import absent_parts, commit_of
from ckpt_tui.formats.megatron_dist.common import (
    COMMON_FILE,
    CommonState,
    foreign_common,
    read_common,
)
from ckpt_tui.formats.megatron_dist.index import INDEX, read_index
from ckpt_tui.formats.megatron_dist.loading import loader_of, reshard_of
from ckpt_tui.formats.megatron_dist.outer import WEIGHTS, as_outer, is_outer, weights_of
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.nemo_marker import with_marker
from ckpt_tui.formats.shared.nested import nested_files
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import ParallelAxis, RawPointer, RoleFacts
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

NAME = "megatron-dist"

_LOOKED_AT_BYTES = 4 * 1024 * 1024
_OWN_MARKS = (b"common_state", b"/shard_", b"opt_param_scheduler")


class MegatronDistReader:
    """Checkpoints that `megatron.core.dist_checkpointing.save` wrote."""

    name = NAME

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A DCP directory with Megatron's files or name, or a save cut after `common.pt`."""
        inner = weights_of(directory)
        ours = _is_ours(directory) or (inner is not None and _is_ours(inner))
        return ClaimKind.CHECKPOINT if ours else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """No checkpoint of this format is a bare file."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """The trackers of Megatron-LM and Megatron-Bridge."""
        return tracker_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint; NeMo 2 keeps it one directory down."""
        if not is_outer(files.tree):
            return _read(files, files)
        return as_outer(files, _read(nested_files(files, WEIGHTS), files))


def _read(inside: CheckpointFiles, files: CheckpointFiles) -> CheckpointFacts:
    """Reads the directory that holds the data.

    Args:
        inside: That directory.
        files: The checkpoint, which has the name; most often the same.
    """
    content = read_dcp(inside)
    common = read_common(inside, content)
    index = read_index(inside)
    bridge = read_bridge_files(inside, common.arguments.there)
    findings = [*content.findings, *common.findings, *index.findings, *bridge.findings]
    findings += links_and_holes(inside.tree)
    findings += absent_parts(content, common, index)
    named = step_of_name(files.name)
    step, where = _step(content, common, bridge)
    findings += foreign_common(inside, common, named)
    shown = step_to_show(step, named, findings)
    findings += name_disagrees(named, shown, None, where)
    release = files.name == RELEASE
    roles = _roles(content, common, bridge, weights_alone=release)
    marker = inside.tree.get(INDEX) or inside.tree.get(METADATA)
    times = save_times([entry for entry in inside.tree.files() if _is_data(entry.path)], marker)
    commit = with_marker(commit_of(inside, content, common, index), files)
    has_rng = any(role.role == RNG for role in roles)
    return common_facts(files, NAME, commit, times)._replace(
        step=shown,
        world_size=_world_size(content, common),
        expected_ranks=content.data.expected_ranks,
        roles=roles,
        shards=content.data.shards,
        axes=_axes(content, common),
        files=content.data.files + _other_files(inside),
        findings=tuple(dict.fromkeys(findings)),
        loader=loader_of(files, common, has_rng=has_rng, bridge=bridge.there),
        reshard=reshard_of(content, common),
        export=release,
        save_mode=_save_mode(common),
        declared=commit.met is True,
        not_checked=content.not_checked,
        evidence=f"step from {where}" if shown == step else "step from the directory's name",
        tensors=content.tensors,
        tensors_total=content.tensors_total,
    )


def _is_ours(directory: Directory) -> bool:
    names = directory.file_names()
    has_data = METADATA in names or any(rank_of_data_file(name) is not None for name in names)
    named = is_megatron_name(directory.name)
    if COMMON_FILE in names:
        return has_data or named or INDEX in names
    if INDEX in names:
        return has_data and _holds(directory, INDEX, b'"sharded_backend"')
    # Other loops use such names for a plain DCP checkpoint.
    return has_data and named and (RUN_CONFIG in names or _may_be_cut(directory))


def _may_be_cut(directory: Directory) -> bool:
    """A save of ours that ended before `metadata.json`, as far as `.metadata` is there to tell."""
    if METADATA not in directory.file_names():
        return True
    return any(_holds(directory, METADATA, mark) for mark in _OWN_MARKS)


def _holds(directory: Directory, name: str, mark: bytes) -> bool:
    """Whether the first part of a file holds the mark; an unreadable file does not."""
    try:
        with FileSource(os.path.join(directory.path, name)) as source:
            return mark in source.read_at(0, _LOOKED_AT_BYTES)
    except ArtifactError:
        return False


def _step(content: DcpContent, common: CommonState, bridge: BridgeFiles) -> tuple[int | None, str]:
    """The step that the loader goes on from; torch's writer keeps it among the keys."""
    found = bridge.step or common.step
    if found is None and content.step is not None:
        return content.step.value, f"key `{content.step.key}` in {content.index_name}"
    return found if found is not None else (None, "")


def _roles(
    content: DcpContent, common: CommonState, bridge: BridgeFiles, *, weights_alone: bool
) -> tuple[RoleFacts, ...]:
    """The optimizer's moments are in the data; parameter groups alone restore nothing.

    Of `release` Megatron takes the weights alone, and begins at iteration 0.
    """
    has_moments = content.keyed.has(OPTIMIZER)
    of_common = [role for role in common.roles if role.role != OPTIMIZER or has_moments]
    roles = merge_roles((*content.keyed.roles, *of_common, *bridge.roles))
    return tuple(role for role in roles if not weights_alone or role.role in (MODEL, CONFIG))


def _world_size(content: DcpContent, common: CommonState) -> int | None:
    """The job's size where the arguments tell it: not every data-parallel rank has to write."""
    written, told = content.data.world_size, common.arguments.world_size
    return told if written is not None and told is not None and told > written else written


def _axes(content: DcpContent, common: CommonState) -> tuple[ParallelAxis, ...]:
    """Data files are numbered by process, so that the arguments tell where each is."""
    highest = max((shard.rank for shard in content.data.shards), default=0)
    return axes_of_arguments(common.arguments, highest)


def _save_mode(common: CommonState) -> str | None:
    if common.arguments.async_save is None:
        return None
    return "async" if common.arguments.async_save else "sync"


def _is_data(path: str) -> bool:
    return path == COMMON_FILE or rank_of_data_file(path) is not None


_NOTES = {
    COMMON_FILE: (PROGRESS, "step, arguments, schedule and parameter groups"),
    METADATA: ("", INDEX_NOTE),
    INDEX: ("", "commit mark"),
    TRAIN_STATE: (PROGRESS, "Megatron-Bridge's counters"),
    RUN_CONFIG: (CONFIG, "Megatron-Bridge's configuration"),
}


def _other_files(files: CheckpointFiles) -> tuple[FileFacts, ...]:
    return tuple(
        FileFacts(entry.path, entry.size_bytes, entry.mtime_ns, role=role, note=note)
        for entry in files.tree.files()
        if rank_of_data_file(entry.path) is None
        for role, note in [_NOTES.get(entry.path, ("", ""))]
    )

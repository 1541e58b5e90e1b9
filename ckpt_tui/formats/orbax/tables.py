"""What a step's files and arrays are, for the tables, and the times of its save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.zarr_metadata import NAMES
from ckpt_tui.core.facts import TensorFacts
from ckpt_tui.core.vocabulary import PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.orbax.items import Kind
from ckpt_tui.formats.orbax.names import (
    ARRAY_METADATAS,
    MARKER,
    SHARDING,
    STEP_METADATA,
    TREE_METADATA,
    started_by_name,
)
from ckpt_tui.formats.orbax.roles import role_of_array
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.facts import CheckpointFacts, RoleFacts
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.content import Content
    from ckpt_tui.formats.orbax.processes import Processes
    from ckpt_tui.formats.orbax.step_metadata import StepMetadata

_HOUSEKEEPING = frozenset({MARKER, SHARDING, TREE_METADATA, STEP_METADATA})
_BY_KIND = {Kind.RANDOM_KEY: RNG}
_INSIDE_OTHERS = frozenset({PROGRESS, SCHEDULER})
"""Roles that are a leaf or two of a tree whose bulk is something else."""


def marks_of(
    files: CheckpointFiles,
    contents: Sequence[Content],
    roles: Mapping[str, Sequence[RoleFacts]],
    processes: Processes,
) -> dict[str, Mark]:
    """Path → the role and the process of a file.

    Args:
        files: The checkpoint.
        contents: What was read of its items.
        roles: Directory of an item, with a slash at its end → its roles.
        processes: Who wrote what.
    """
    writers = processes.process_of_file()
    of_arrays = _roles_of_array_files(contents)
    held_in = {
        directory: [role.role for role in merge_roles(own)] for directory, own in roles.items()
    }
    marks = {}
    for entry in files.tree.files():
        item, slash, _ = entry.path.partition("/")
        held = held_in.get(item + slash, held_in.get("", []))
        bulk = [role for role in held if role not in _INSIDE_OTHERS] or held
        name = entry.path.rpartition("/")[2]
        role, note = of_arrays.get(entry.path, ""), ""
        if not role and bulk and name not in _HOUSEKEEPING and ARRAY_METADATAS not in entry.path:
            role = bulk[0]
            note = f"holds {', '.join(held)}" if len(held) > 1 else ""
        marks[entry.path] = Mark(role, writers.get(entry.path), note)
    return marks


def _roles_of_array_files(contents: Sequence[Content]) -> dict[str, str]:
    """Path → role, of files that hold a part of one array each."""
    found = {}
    for content in contents:
        for tree in content.pytrees:
            if tree.in_database:
                continue
            roles = role_of_array(content.item.name, tree.tree.leaves)
            for name, array in tree.arrays.by_name.items():
                role = roles.get(name) or _BY_KIND.get(content.item.kind, "")
                paths = [part.path for part in array.chunks.values()]
                paths += [f"{tree.directory}{name}/{described}" for described in NAMES]
                found.update(dict.fromkeys(paths, role))
    return found


def tensor_facts(contents: Sequence[Content]) -> tuple[TensorFacts, ...]:
    """All arrays, whole, under the names of their leaves."""
    found = []
    for content in contents:
        for tree in content.pytrees:
            role_by_name = role_of_array(content.item.name, tree.tree.leaves)
            prefix = f"{content.item.name}." if content.item.name else ""
            for name, array in tree.arrays.by_name.items():
                zarr = array.zarr
                path = next((part.path for part in array.chunks.values()), "")
                role = role_by_name.get(name) or _BY_KIND.get(content.item.kind, "")
                found.append(
                    TensorFacts(
                        f"{prefix}{name}", zarr.dtype, zarr.shape, zarr.size_bytes, role, path
                    )
                )
    return tuple(found)


def with_times(
    facts: CheckpointFacts, files: CheckpointFiles, metadata: StepMetadata
) -> CheckpointFacts:
    """Facts with the times of the save: as stored, else by the name and the files' times."""
    by_files = save_times(files.tree.files(), files.tree.get(MARKER))
    started = metadata.started_at or started_by_name(files.name)
    committed = metadata.committed_at
    if started is not None and committed is not None and committed >= started:
        facts = facts._replace(save_seconds=committed - started, save_seconds_is_lower_bound=False)
    elif facts.commit.met is not False:
        facts = facts._replace(save_seconds=by_files.save_seconds)
    if facts.commit.met is not False:
        at = committed or by_files.committed_at
        facts = facts._replace(commit=facts.commit._replace(committed_at=at))
    return facts._replace(started_at=started or by_files.started_at)

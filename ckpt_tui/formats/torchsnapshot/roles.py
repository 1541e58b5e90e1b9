"""Roles, step and tensors of a snapshot, by the keys of its manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES, decode_scalar
from ckpt_tui.artifacts.torch_tensors import TensorInfo
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import DATALOADER, MODEL, RNG
from ckpt_tui.formats.shared.archive_roles import ArchiveContent, content_of_value
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.tensor_walk import has_tensor, tensor_bytes, walk_tensors
from ckpt_tui.formats.torchsnapshot.manifest import METADATA
from ckpt_tui.formats.torchsnapshot.tree import inflate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.torchsnapshot.manifest import Entry, Snapshot

_PER_RANK = (RNG, DATALOADER)


class Told(NamedTuple):
    """What the manifest tells.

    Attributes:
        roles: The roles of all ranks together.
        content: Rank 0's state: its step, epoch and tensors.
        role_of_file: Location → role.
        kept_alone: Roles that each rank keeps a state of its own of.
    """

    roles: tuple[RoleFacts, ...]
    content: ArchiveContent
    role_of_file: dict[str, str]
    kept_alone: frozenset[str]


def roles_of(files: CheckpointFiles, snapshot: Snapshot, objects: Mapping[str, object]) -> Told:
    """Sorts every rank's states by role.

    Args:
        files: The checkpoint.
        snapshot: Its manifest.
        objects: Location → what the archive there holds.
    """
    found: list[RoleFacts] = []
    role_of_file: dict[str, str] = {}
    alone: set[str] = set()
    held: dict[str, set[int]] = {}
    for rank, entries in snapshot.ranks.items():
        states = _by_state(entries)
        for key, state in inflate(entries, objects).items():
            mine = states[key]
            for role in _roles_of_state(key, state, mine):
                found.append(role)
                held.setdefault(role.role, set()).add(rank)
                role_of_file.update((path, role.role) for path in role.paths if path != METADATA)
                if any(entry.extents and not entry.replicated for entry in mine.values()):
                    alone.add(role.role)
    first = snapshot.ranks.get(0, {})
    content = content_of_value(inflate(first, objects), _numbers_of(files, first), (), METADATA)
    everyone = range(snapshot.world_size)
    roles = tuple(
        role._replace(missing_ranks=tuple(r for r in everyone if r not in held[role.role]))
        if role.role in _PER_RANK and role.role in alone
        else role
        for role in merge_roles(found)
    )
    return Told(roles, content, role_of_file, frozenset(alone))


def _by_state(entries: Mapping[str, Entry]) -> dict[object, dict[str, Entry]]:
    """The entries of each top-level key, which is decoded as `inflate` does it."""
    found: dict[object, dict[str, Entry]] = {}
    for path, entry in entries.items():
        found.setdefault(unquote(path.partition("/")[0]), {})[path] = entry
    return found


def _roles_of_state(key: object, state: object, entries: Mapping[str, Entry]) -> list[RoleFacts]:
    content = content_of_value({key: state}, whole_number, (), METADATA)
    roles = list(content.roles)
    if not roles and any(e.kind == "OrderedDict" for e in entries.values()) and has_tensor(state):
        size_bytes = tensor_bytes(walk_tensors(state)) or None
        evidence = f"key `{key}` in {METADATA}: an ordered dictionary of tensors"
        roles.append(RoleFacts(MODEL, size_bytes, 1, evidence))
    places = [extent.location for entry in entries.values() for extent in entry.extents]
    paths = tuple(dict.fromkeys(places)) or (METADATA,)
    return [role._replace(files=len(paths), paths=paths) for role in roles]


def _numbers_of(
    files: CheckpointFiles, entries: Mapping[str, Entry]
) -> Callable[[object], int | None]:
    """Turns values into numbers; a raw tensor of one element is read from its slab."""

    def number_of(value: object) -> int | None:
        if not isinstance(value, TensorInfo):
            return whole_number(value)
        entry = entries[value.storage_key]
        extent = entry.extents[0]
        if extent.size_bytes != ITEM_BYTES[value.dtype]:
            return None
        try:
            with files.open(extent.location) as source:
                start = extent.span[0] if extent.span is not None else 0
                data = source.read_at(start, extent.size_bytes)
        except ArtifactError:
            return None
        return whole_number(decode_scalar(value.dtype, data))

    return number_of

"""Lists the tensors of a DCP `.metadata` with the chunks that each rank's file holds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.dcp_metadata import read_dcp_metadata
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES
from ckpt_tui.core.tensors import Chunk, NoteKind
from ckpt_tui.formats.dcp.roles import roles_of_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.dcp_metadata import DcpEntry, DcpItem, DcpMetadata
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.formats.shared.tensors_gathering import Gathering

UNKNOWN_DTYPE = "unknown"


def add_dcp_metadata(gathering: Gathering, path: str, source: Source) -> None:
    """Adds the tensors of a `.metadata`; pickled objects beside them are noted.

    Args:
        gathering: Where they go.
        path: Relative path of the `.metadata`; its files lie beside it.
        source: The file, open.

    Raises:
        ArtifactError: It cannot be read.
    """
    metadata = read_dcp_metadata(source, gathering.files.limits)
    directory = path[: path.rfind("/") + 1]
    role_of = roles_of_metadata(metadata, path, None).role_by_key
    items = _items_by_key(metadata)
    otherwise = gathering.marked(path).role
    objects = object_bytes = left = 0
    for entry in metadata.entries:
        if entry.kind != "tensor":
            objects += 1
            object_bytes += sum(item.length for item in items.get(entry.key, ()))
        elif gathering.full:
            left += 1
        else:
            chunks = _chunks(gathering, directory, entry, items.get(entry.key, ()))
            gathering.add(
                entry.key,
                entry.dtype or UNKNOWN_DTYPE,
                entry.shape or (),
                entry.size_bytes or 0,
                role_of.get(entry.key, otherwise),
                chunks,
                sum(chunk.size_bytes for chunk in chunks),
            )
    gathering.count(left)
    if objects:
        gathering.note(NoteKind.OBJECTS, path, objects, object_bytes)


def _items_by_key(metadata: DcpMetadata) -> Mapping[str, list[DcpItem]]:
    found: dict[str, list[DcpItem]] = {}
    for item in metadata.storage:
        found.setdefault(item.key, []).append(item)
    return found


def _chunks(
    gathering: Gathering, directory: str, entry: DcpEntry, items: list[DcpItem] | tuple[()]
) -> tuple[Chunk, ...]:
    """Where each piece lies, in the order of their offsets; the size is that of its elements."""
    lengths_at = dict(entry.pieces)
    item_bytes = ITEM_BYTES.get(entry.dtype or "", 0)
    whole = entry.shape or ()
    chunks = []
    for item in items:
        offsets = item.offset_index if item.offset_index is not None else (0,) * len(whole)
        shape = tuple(length for length in lengths_at.get(offsets, ()) if type(length) is int)
        size = math.prod(shape) * item_bytes if len(shape) == len(whole) else 0
        path = f"{directory}{item.relative_path}"
        rank = gathering.marked(path).rank
        chunks.append(Chunk(path, rank, offsets, shape, size, item.offset))
    chunks.sort(key=lambda chunk: chunk.offsets)
    return tuple(chunks)

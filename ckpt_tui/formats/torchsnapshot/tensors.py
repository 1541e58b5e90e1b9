"""Gathers the tensors of a snapshot's manifest: shards of all ranks put together by their name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES
from ckpt_tui.core.tensors import Chunk, NoteKind
from ckpt_tui.formats.shared.roles import role_of_key
from ckpt_tui.formats.torchsnapshot.manifest import METADATA, SHARDED, Entry, read_manifest

if TYPE_CHECKING:
    from ckpt_tui.formats.shared.tensors_gathering import Gathering

_OBJECT = "object"


class _Place(NamedTuple):
    """What makes two entries one tensor: its name, and its rank where each keeps its own."""

    name: str
    rank: int | None


def add_tensors(gathering: Gathering) -> None:
    """Gathers every tensor that the manifest names; files are not opened."""
    reading = gathering.reading
    reading.files_total = 1
    try:
        snapshot = read_manifest(gathering.files)
    except ArtifactError as error:
        gathering.note(NoteKind.UNREADABLE, METADATA, detail=error.message)
        return
    found: dict[_Place, list[tuple[Entry, int]]] = {}
    objects = elsewhere = 0
    for rank, entries in snapshot.ranks.items():
        for logical, entry in entries.items():
            objects += entry.kind == _OBJECT
            elsewhere += sum(extent.elsewhere for extent in entry.extents)
            if entry.dtype and entry.extents:
                shared = entry.replicated or entry.kind in SHARDED
                place = _Place(unquote(logical), None if shared else rank)
                found.setdefault(place, []).append((entry, rank))
    for place, parts in found.items():
        _add(gathering, place, parts)
    if objects:
        gathering.note(NoteKind.OBJECTS, METADATA, objects)
    if elsewhere:
        gathering.note(NoteKind.ELSEWHERE, METADATA, elsewhere)
    reading.files_done = 1


def _add(gathering: Gathering, place: _Place, parts: list[tuple[Entry, int]]) -> None:
    first = parts[0][0]
    shapes = [entry.shape for entry, _ in parts if len(entry.shape) == len(first.shape)]
    shape = tuple(max(lengths) for lengths in zip(*shapes, strict=True))
    item_bytes = ITEM_BYTES.get(first.dtype, 0)
    chunks: dict[tuple[object, ...], Chunk] = {}
    for entry, rank in parts:
        for chunk in _chunks(entry, rank, item_bytes):  # two ranks may name the same bytes
            chunks.setdefault((chunk.path, chunk.begin, chunk.offsets), chunk)
    in_order = tuple(sorted(chunks.values(), key=lambda chunk: chunk.offsets))
    size_bytes = math.prod(shape) * item_bytes
    state = place.name.partition("/")[0]
    role = role_of_key(state) or gathering.marked(in_order[0].path).role
    stored = sum(chunk.size_bytes for chunk in in_order)
    gathering.add(place.name, first.dtype, shape, size_bytes, role, in_order, stored)


def _chunks(entry: Entry, rank: int, item_bytes: int) -> list[Chunk]:
    """Where its parts lie; what all ranks have alike is stored once, by any of them."""
    boxes = entry.boxes or (((0,) * len(entry.shape), entry.shape),)
    return [
        Chunk(
            extent.location,
            None if entry.replicated else rank,
            offsets,
            lengths,
            math.prod(lengths) * item_bytes,
            extent.span[0] if extent.span is not None else 0,
        )
        for extent, (offsets, lengths) in zip(entry.extents, boxes, strict=True)
    ]

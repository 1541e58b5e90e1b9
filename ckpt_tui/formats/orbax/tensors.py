"""Lists the arrays of a step with the file and the place of each chunk.

A chunk begins where its stored, most often compressed, bytes do; its size is that of its elements.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.core.tensors import Chunk, NoteKind
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.orbax.content import read_item
from ckpt_tui.formats.orbax.items import items_of
from ckpt_tui.formats.orbax.roles import role_of_array
from ckpt_tui.formats.orbax.step_metadata import read_step_metadata

if TYPE_CHECKING:
    from ckpt_tui.formats.orbax.arrays import StoredArray
    from ckpt_tui.formats.orbax.content import Content
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_tensors(gathering: Gathering) -> None:
    """Gathers the arrays of all items; no chunk is read."""
    files, reading = gathering.files, gathering.reading
    items = items_of(files, read_step_metadata(files))
    reading.files_total = len(items)
    for item in items:
        _add_item(gathering, read_item(files, item))
        reading.files_done += 1


def _add_item(gathering: Gathering, content: Content) -> None:
    prefix = f"{content.item.name}." if content.item.name else ""
    for finding in content.findings:
        if finding.effect is not Effect.NONE:
            gathering.note(NoteKind.UNREADABLE, finding.path, detail=finding.message)
    for tree in content.pytrees:
        roles = role_of_array(content.item.name, tree.tree.leaves)
        for name, array in tree.arrays.by_name.items():
            _add_array(gathering, f"{prefix}{name}", roles.get(name, ""), array)


def _add_array(gathering: Gathering, name: str, role: str, array: StoredArray) -> None:
    zarr = array.zarr
    chunks = []
    for index, part in sorted(array.chunks.items()):
        edges = zip(index, zarr.chunk_shape, zarr.shape, strict=True)
        offsets = tuple(number * length for number, length, _ in edges)
        lengths = tuple(
            min(length, whole - begin)
            for begin, length, whole in zip(offsets, zarr.chunk_shape, zarr.shape, strict=True)
        )
        rank = gathering.marked(part.path).rank
        size_bytes = math.prod(lengths) * zarr.item_bytes
        if part.inline is None:
            chunks.append(Chunk(part.path, rank, offsets, lengths, size_bytes, part.begin))
            continue
        key = f"{name}/{zarr.chunk_key(index)}"
        chunks.append(Chunk(part.path, rank, offsets, lengths, size_bytes, record=key))
    gathering.add(name, zarr.dtype, zarr.shape, zarr.size_bytes, role, tuple(chunks))

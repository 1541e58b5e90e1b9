"""The chunks of a dataset, from the tree that says where they are."""

from __future__ import annotations

import itertools
import math
import struct
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.layout import Index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.hdf5.layout import Layout
    from ckpt_tui.artifacts.hdf5.view import View

_TREE = b"TREE"
_HEAD = struct.Struct("<4sBBH")
_CHUNK_NODE = 1
_ROOT = 256
"""Higher than any level that a node can give."""


class Chunk(NamedTuple):
    """One stored chunk.

    Attributes:
        offsets: Index of its first element in the dataset.
        address: Where its bytes are.
        stored_bytes: How many they are, after the filters.
        mask: A bit for each filter that it went without.
    """

    offsets: tuple[int, ...]
    address: int
    stored_bytes: int
    mask: int


def read_chunks(
    view: View, layout: Layout, shape: tuple[int, ...], item_bytes: int
) -> Iterator[Chunk]:
    """The stored chunks of a dataset; those that were never written are not among them.

    Raises:
        ArtifactError: `unreadable-archive`, `limit-exceeded`.
    """
    if layout.address is None:
        return
    whole = math.prod(layout.chunk_shape) * item_bytes
    if layout.chunk_index is Index.SINGLE:
        chunks: Iterator[Chunk] = iter(
            [Chunk((0,) * len(shape), layout.address, layout.size_bytes, layout.mask)]
        )
    elif layout.chunk_index is Index.IMPLICIT:
        chunks = _in_rows(view, layout, shape, whole)
    else:
        chunks = _of_tree(view, layout, len(shape))
    for chunk in chunks:
        view.require(chunk.address, chunk.stored_bytes, "a chunk of a dataset")
        yield chunk


def _in_rows(view: View, layout: Layout, shape: tuple[int, ...], whole: int) -> Iterator[Chunk]:
    steps = [
        range(0, length, chunk) for length, chunk in zip(shape, layout.chunk_shape, strict=True)
    ]
    count = math.prod(map(len, steps))
    view.require(layout.address or 0, count * whole, "the chunks of a dataset")
    for number, offsets in enumerate(itertools.product(*steps)):
        yield Chunk(offsets, (layout.address or 0) + number * whole, whole, 0)


def _of_tree(view: View, layout: Layout, rank: int) -> Iterator[Chunk]:
    width = view.offset_bytes
    key = 8 + 8 * (rank + 1)
    begin = _HEAD.size + 2 * width
    pending = [(layout.address or 0, _ROOT)]
    seen: set[int] = set()
    while pending:
        address, above = pending.pop()
        head = view.read(address, begin, "a node of a chunk index")
        magic, kind, level, count = _HEAD.unpack_from(head)
        if magic != _TREE or kind != _CHUNK_NODE or level >= above or address in seen:
            raise view.wrong(f"no node of a chunk index begins at address {address}")
        seen.add(address)
        data = view.read(address + begin, count * (key + width) + key, "a node of a chunk index")
        children = []
        for at in range(0, count * (key + width), key + width):
            child = view.offset_at(data, at + key)
            if level:
                children.append((child, level))
                continue
            size, mask = struct.unpack_from("<II", data, at)
            offsets = struct.unpack_from(f"<{rank}Q", data, at + 8)
            yield Chunk(offsets, child, size, mask)
        pending += reversed(children)

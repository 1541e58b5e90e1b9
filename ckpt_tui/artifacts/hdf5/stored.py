"""What `verify` needs of an HDF5 file: which checksums it has, and where its numbers lie.

HDF5 protects its structures from version 2 on (lookup3), the chunks of a dataset only under the
fletcher32 filter, and the bytes of a contiguous dataset by nothing.
"""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.contents import read_contents
from ckpt_tui.artifacts.hdf5.datatype import Class
from ckpt_tui.artifacts.hdf5.fletcher32 import FLETCHER32_BYTES, has_fletcher32
from ckpt_tui.artifacts.hdf5.layout import DEFLATE, FLETCHER32, SHUFFLE, Placing
from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.hdf5.contents import Dataset
    from ckpt_tui.artifacts.hdf5.layout import Filter
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source

_KNOWN_FILTERS = frozenset({DEFLATE, SHUFFLE, FLETCHER32})


class Piece(NamedTuple):
    """A stretch of stored bytes of one dataset.

    Attributes:
        offset: Its first byte in the file (of the source that was read).
        stored_bytes: How many there are.
        size_bytes: How many there are once the filters are undone.
        filters: What it went through, in the writer's order.
        data: The bytes themselves where they lie in a header; else empty.
    """

    offset: int
    stored_bytes: int
    size_bytes: int
    filters: tuple[Filter, ...] = ()
    data: bytes = b""

    @property
    def is_plain(self) -> bool:
        """Whether the bytes lie in the file as they are in memory."""
        return not self.filters and not self.data

    @property
    def has_checksum(self) -> bool:
        """Whether `undone` compares a checksum."""
        return any(one.number == FLETCHER32 for one in self.filters)

    @property
    def can_be_undone(self) -> bool:
        """Whether all its filters are known here."""
        return all(one.number in _KNOWN_FILTERS for one in self.filters)


class StoredDataset(NamedTuple):
    """One dataset and its pieces.

    Attributes:
        name: Its path, "layers/dense/vars/0".
        dtype: As numpy names it (`float32`, `bfloat16`); "" where it has no such name.
        floating: Whether its elements can be NaN or infinite.
        big_endian: Byte order.
        shape: () for one element.
        item_bytes: Size of an element.
        pieces: One for a contiguous dataset, one a chunk else; a chunk at the edge reaches over it
            (the bytes beyond are the fill value).
    """

    name: str
    dtype: str
    floating: bool
    big_endian: bool
    shape: tuple[int, ...]
    item_bytes: int
    pieces: tuple[Piece, ...]


class Stored(NamedTuple):
    """What a whole walk found.

    Attributes:
        datasets: In the order of the file's groups, by path.
        structure_bytes: Bytes of structure that were read and are consistent.
        checksums: Structures whose own checksum was compared, and is right.
        checksum_bytes: Bytes that these cover.
        is_open: Whether its writer has not closed it (consistency flags).
        checked: (first byte, byte after the last) of what these cover, themselves included.
    """

    datasets: tuple[StoredDataset, ...]
    structure_bytes: int
    checksums: int
    checksum_bytes: int
    is_open: bool
    checked: tuple[tuple[int, int], ...] = ()


def read_stored(source: Source, limits: Limits) -> Stored:
    """Walks the whole structure of a file and tells where its datasets lie.

    Raises:
        ArtifactError: What contradicts itself; see `read_contents`.
    """
    contents = read_contents(source, limits)
    view = contents.view
    datasets = tuple(
        StoredDataset(
            path,
            dataset.dtype(view),
            dataset.datatype.kind is Class.FLOAT or dataset.dtype(view) == "bfloat16",
            dataset.datatype.big_endian,
            dataset.shape or (),
            dataset.datatype.size_bytes,
            tuple(_pieces(dataset, view.superblock.base)),
        )
        for path, dataset in sorted(contents.datasets.items())
    )
    return Stored(
        datasets,
        view.read_bytes,
        view.checksums,
        view.checked_bytes,
        contents.is_open,
        tuple(view.checked),
    )


def undone(piece: Piece, data: bytes, item_bytes: int, path: str = "") -> bytes:
    """The bytes of a piece as they are in memory, with its fletcher32 checksum compared.

    Args:
        piece: What was stored.
        data: Exactly its stored bytes.
        item_bytes: Size of an element, for the shuffle filter.
        path: The file, for the message.

    Raises:
        ArtifactError: `checksum-mismatch`; `unreadable-archive` where it does not decompress to
            its size; `unsupported-version` for an unknown filter.
    """
    for step in reversed(piece.filters):
        if step.number == FLETCHER32:
            if not has_fletcher32(data):
                raise ArtifactError(
                    "checksum-mismatch",
                    f"the chunk at byte {piece.offset} has another fletcher32 checksum than is"
                    " stored behind it",
                    path,
                )
            data = data[:-FLETCHER32_BYTES]
        elif step.number == DEFLATE:
            data = _inflated(piece, data, path)
        elif step.number == SHUFFLE:
            data = _unshuffled(data, step.values[0] if step.values else item_bytes)
        else:
            raise ArtifactError(
                "unsupported-version", f"the filter {step.number} is not read here", path
            )
    if len(data) != piece.size_bytes:
        raise ArtifactError(
            "unreadable-archive",
            f"the chunk at byte {piece.offset} has {len(data)} bytes instead of {piece.size_bytes}",
            path,
        )
    return data


def _inflated(piece: Piece, data: bytes, path: str) -> bytes:
    try:
        # A chunk below a fletcher32 filter is longer by the checksum that it holds inside.
        return zlib.decompressobj().decompress(data, piece.size_bytes + FLETCHER32_BYTES + 1)
    except zlib.error as error:
        raise ArtifactError(
            "unreadable-archive", f"the chunk at byte {piece.offset} does not decompress", path
        ) from error


def _unshuffled(data: bytes, item_bytes: int) -> bytes:
    """Puts back the bytes of the elements, of which all first ones lie together, then all second.

    What is left over behind the last whole element was not moved.
    """
    count = len(data) // item_bytes if item_bytes else 0
    if item_bytes < 2 or count < 2:
        return data
    result = bytearray(data)
    for place in range(item_bytes):
        result[place : count * item_bytes : item_bytes] = data[place * count : (place + 1) * count]
    return bytes(result)


def _pieces(dataset: Dataset, base: int) -> Iterator[Piece]:
    size, layout = dataset.size_bytes, dataset.layout
    if layout.placing is Placing.COMPACT:
        yield Piece(0, size, size, (), layout.data[:size])
    elif layout.placing is Placing.CONTIGUOUS and layout.address is not None and size:
        yield Piece(base + layout.address, size, size)
    whole = math.prod(layout.chunk_shape) * dataset.datatype.size_bytes
    for chunk in dataset.chunks:
        filters = tuple(
            one for place, one in enumerate(dataset.filters) if not chunk.mask >> place & 1
        )
        yield Piece(base + chunk.address, chunk.stored_bytes, whole, filters)

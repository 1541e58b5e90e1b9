"""The floating datasets of an HDF5 file, which may lie in another file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.hdf5.stored import read_stored, undone
from ckpt_tui.artifacts.limits import MIB, ArtifactError
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.finite.scan import FloatPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.hdf5.stored import Piece, StoredDataset
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.verify.stream import FileStream

MOST_PIECE_BYTES: Final = 64 * MIB
"""Of a chunk that went through filters: it is undone as a whole."""


def hdf5_floats(stream: FileStream, window: Source, begin: int) -> Iterator[FloatPart]:
    """The floating datasets.

    Args:
        stream: The file.
        window: The HDF5 file alone.
        begin: Where it begins in the file.

    Raises:
        ArtifactError: It cannot be read; ``limit-exceeded``: a chunk cannot be undone here.
    """
    for dataset in read_stored(window, LISTING_LIMITS).datasets:
        if dataset.floating:
            for piece in dataset.pieces:
                pieces = _bytes_of(stream, dataset, piece, begin)
                yield FloatPart(dataset.name, dataset.dtype, pieces, dataset.big_endian)


def _bytes_of(
    stream: FileStream, dataset: StoredDataset, piece: Piece, begin: int
) -> Iterator[bytes | memoryview]:
    stream.check()
    if piece.data:
        yield piece.data
    elif piece.is_plain:
        yield from stream.pieces(begin + piece.offset, piece.stored_bytes)
    elif piece.can_be_undone and max(piece.stored_bytes, piece.size_bytes) <= MOST_PIECE_BYTES:
        stored = read_exactly(stream, begin + piece.offset, piece.stored_bytes, "a chunk")
        yield undone(piece, stored, dataset.item_bytes, stream.name)
    else:
        message = f"the chunk at byte {begin + piece.offset} is too large, or its filter not known"
        raise ArtifactError("limit-exceeded", message, stream.name)

"""HDF5: the structure with its own checksums; of the data, chunks under fletcher32 have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.hdf5.stored import read_stored, undone
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.examined import NOTHING, STRUCTURE
from ckpt_tui.verify.finite.hdf5_datasets import MOST_PIECE_BYTES, hdf5_floats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.verify.examined import Examined, FileJob
    from ckpt_tui.verify.finite.scan import FloatPart

_METHOD = "HDF5 checksums"
_UNKNOWN = ("unsupported-version", "limit-exceeded")
"""What is not known of HDF5 here is no damage, and hardly any of it is protected."""


def check(job: FileJob, found: Examined) -> None:
    """Walks the file, and undoes the filters of every chunk.

    Raises:
        ArtifactError: The structure cannot be right.
        StoppedError: Nobody wants it any more.
    """
    found.method = STRUCTURE
    try:
        stored = read_stored(job.stream, LISTING_LIMITS)
    except ArtifactError as error:
        if error.code not in _UNKNOWN:
            raise
        found.method, found.note = NOTHING, error.message
        return
    for begin, end in stored.checked:
        found.method = _METHOD
        found.cover(begin, end)
    for dataset in stored.datasets:
        for piece in dataset.pieces:
            job.stream.check()
            small = max(piece.stored_bytes, piece.size_bytes) <= MOST_PIECE_BYTES
            if not piece.filters or not piece.can_be_undone or not small:
                continue
            if piece.has_checksum:
                found.method = _METHOD
                found.cover(piece.offset, piece.offset + piece.stored_bytes)
            data = read_exactly(job.stream, piece.offset, piece.stored_bytes, "a chunk")
            try:
                undone(piece, data, dataset.item_bytes, job.stream.name)
            except ArtifactError as error:
                found.failed(error, f"chunk at byte {piece.offset}", dataset.name)


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The floating datasets.

    Raises:
        ArtifactError: The file cannot be read.
    """
    yield from hdf5_floats(job.stream, job.stream, 0)

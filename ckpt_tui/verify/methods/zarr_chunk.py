"""A chunk of a zarr array that is a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.verify.examined import STRUCTURE
from ckpt_tui.verify.methods.zarr_values import check_stored_chunk, chunk_floats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.verify.examined import Examined, FileJob
    from ckpt_tui.verify.finite.scan import FloatPart

_METHOD = "zstd or index checksum"


def check(job: FileJob, found: Examined) -> None:
    """Checks the chunk, decompressing it.

    Raises:
        StoppedError: Nobody wants it any more.
    """
    found.method = STRUCTURE
    chunk = job.context.indexes.zarr_chunk(job.path, job.stream.size)
    if chunk is not None:
        try:
            check_stored_chunk(job.stream, chunk, found)
        except ArtifactError as error:
            found.failed(error, tensor=chunk.tensor)
    if found.covered():
        found.method = _METHOD


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The elements of the chunk.

    Raises:
        ArtifactError: It cannot be read.
    """
    chunk = job.context.indexes.zarr_chunk(job.path, job.stream.size)
    if chunk is not None:
        yield from chunk_floats(job.stream, chunk)

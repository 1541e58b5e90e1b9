"""OCDBT: manifests and tree nodes carry a CRC-32C of all their bytes, values outside them none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.verify.chunk import Chunk
from ckpt_tui.verify.examined import NOTHING, STRUCTURE
from ckpt_tui.verify.methods.zarr_values import check_stored_chunk, chunk_floats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.ocdbt import BrokenNode
    from ckpt_tui.verify.examined import Examined, FileJob
    from ckpt_tui.verify.finite.scan import FloatPart

METHOD = "OCDBT CRC-32C"


def check(job: FileJob, found: Examined) -> None:
    """Checks a data file: the nodes in it, and the structure of the values.

    Raises:
        StoppedError: Nobody wants it any more.
    """
    parts = job.context.indexes.in_ocdbt(job.path)
    found.method = STRUCTURE if parts else NOTHING
    if not parts:
        found.note = "no manifest that can be read refers to it: nothing in it is loaded"
    for in_file in parts:
        for node in in_file.nodes:
            found.cover(node.offset, node.end)
            found.method = METHOD
        for broken in in_file.broken:
            found.method = METHOD
            for tensor in in_file.lost or ("",):
                found.failed(broken.error, _place_of(broken), tensor)
            if broken.error.code == "checksum-mismatch":
                found.cover(broken.place.offset, broken.place.end)
        for value in in_file.values:
            if value.array is None:
                continue
            chunk = Chunk(value.array, value.tensor, value.begin, value.length)
            try:
                check_stored_chunk(job.stream, chunk, found)
            except ArtifactError as error:
                found.failed(error, f"value {value.key} at byte {value.begin}", value.tensor)


def _place_of(broken: BrokenNode) -> str:
    place = f"tree node at byte {broken.place.offset}"
    return f"{place}, with {broken.keys} keys below it" if broken.keys else place


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The elements of all chunks that lie in a data file.

    Raises:
        ArtifactError: One cannot be read.
    """
    seen: set[int] = set()
    for in_file in job.context.indexes.in_ocdbt(job.path):
        for value in in_file.values:
            if value.array is not None and value.begin not in seen:
                seen.add(value.begin)
                chunk = Chunk(value.array, value.tensor, value.begin, value.length)
                yield from chunk_floats(job.stream, chunk)

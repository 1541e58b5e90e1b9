"""A data file of a TensorFlow bundle: the index beside it has a CRC-32C of each tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.bundle_checksums import crc32c_of_entry
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.tensor_bundle import STRING, VARIANT
from ckpt_tui.verify.finite.scan import FloatPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.bundle_checksums import ProtectedSpan
    from ckpt_tui.verify.examined import Examined, FileJob

METHOD = "TensorBundle CRC-32C"


def check(job: FileJob, found: Examined) -> None:
    """Checks every tensor that lies in the file.

    Raises:
        StoppedError: Nobody wants it any more.
    """
    bundle = job.context.indexes.bundle_spans(job.path)
    if bundle is None:
        found.note = "its index cannot be read, or names nothing in it: no checksum is known"
        return
    found.method = METHOD
    for span in bundle.spans:
        end = span.offset + span.size_bytes
        place = f"bytes {span.offset} to {end}"
        try:
            crc32c = _crc32c(job, span, bundle.big_endian)
        except ArtifactError as error:
            found.failed(error, place, span.entry.key)
            continue
        found.cover(span.offset, end)
        if crc32c != span.crc32c:
            message = f"they have the CRC-32C {crc32c:08x}, the index says {span.crc32c:08x}"
            found.wrong("checksum-mismatch", place, span.entry.key, message)


def _crc32c(job: FileJob, span: ProtectedSpan, big_endian: bool) -> int:
    if span.entry.dtype in (STRING, VARIANT):
        return crc32c_of_entry(job.stream, span.entry, big_endian=big_endian)
    return job.stream.crc32c(span.offset, span.size_bytes)


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The floating tensors that lie in the file."""
    bundle = job.context.indexes.bundle_spans(job.path)
    if bundle is not None:
        for span in bundle.spans:
            pieces = job.stream.pieces(span.offset, span.size_bytes)
            yield FloatPart(span.entry.key, span.entry.dtype, pieces, bundle.big_endian)

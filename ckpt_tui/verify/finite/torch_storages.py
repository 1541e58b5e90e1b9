"""The floating tensors of one torch archive, storage by storage."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES
from ckpt_tui.artifacts.zip_directory import is_stored_plainly, record_data_offset
from ckpt_tui.formats.shared.archive_roles import parts_by_role
from ckpt_tui.formats.shared.tensor_walk import MOST_NODES, walk_tensors
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.finite.kinds import KINDS
from ckpt_tui.verify.finite.scan import FloatPart
from ckpt_tui.verify.methods.inflating import inflated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.torch_archive import TorchArchive
    from ckpt_tui.artifacts.zip_directory import ZipRecord
    from ckpt_tui.verify.stream import FileStream


class _Span(NamedTuple):
    """Bytes of one storage that a tensor shows."""

    begin: int
    end: int
    tensor: str
    is_one_of_no_role: bool = False


def torch_floats(
    stream: FileStream, window: Source, begin: int, name: str = ""
) -> Iterator[FloatPart]:
    """The floating tensors of an archive; of several that share bytes the first has them all.

    Args:
        stream: The file.
        window: The archive alone.
        begin: Where it begins in the file.
        name: Name of its only tensor; "" where the archive names its tensors.

    Raises:
        ArtifactError: It cannot be read.
    """
    archive = read_torch_archive(window, LISTING_LIMITS)
    spans: dict[tuple[str, str], list[_Span]] = {}
    of_a_role = _names_of_roles(archive.value)
    for tensor, info in walk_tensors(archive.value, "", MOST_NODES):
        if info.dtype in KINDS and info.storage_key and info.size_bytes:
            first = info.storage_offset * ITEM_BYTES[info.dtype]
            one = not name and math.prod(info.shape) == 1 and tensor not in of_a_role
            span = _Span(first, first + info.size_bytes, name or tensor, one)
            spans.setdefault((info.storage_key, info.dtype), []).append(span)
    for (key, dtype), found in spans.items():
        for span in _apart(found):
            pieces = _pieces(stream, window, begin, archive, key, span)
            big_endian, one = archive.big_endian, span.is_one_of_no_role
            yield FloatPart(span.tensor, dtype, pieces, big_endian, may_be_infinite=one)


def _names_of_roles(value: object) -> frozenset[str]:
    """The tensors below keys that name a role; all of them where no key does."""
    parts = parts_by_role(value) or {"": [("", value)]}
    return frozenset(
        tensor.name
        for pairs in parts.values()
        for key, part in pairs
        for tensor in walk_tensors(part, key, MOST_NODES)
    )


def _apart(spans: Iterable[_Span]) -> Iterator[_Span]:
    """The spans without what one before them has: no byte is read twice."""
    end = 0
    for span in sorted(spans, key=lambda span: (span.begin, -span.end)):
        if span.end > end:
            yield span._replace(begin=max(span.begin, end))
            end = span.end


def _pieces(
    stream: FileStream, window: Source, begin: int, archive: TorchArchive, key: str, span: _Span
) -> Iterator[bytes | memoryview]:
    offset = archive.legacy_offsets.get(key)
    if offset is None:
        record = archive.zip_records[f"data/{key}"]
        offset = record_data_offset(window, record)
        if not is_stored_plainly(record):
            yield from _inflated_span(stream, record, begin + offset, span)
            return
    yield from stream.pieces(begin + offset + span.begin, span.end - span.begin)


def _inflated_span(
    stream: FileStream, record: ZipRecord, offset: int, span: _Span
) -> Iterator[bytes]:
    at, inflater = 0, zlib.decompressobj(-zlib.MAX_WBITS)
    for piece in stream.pieces(offset, record.stored_bytes):
        for content in inflated(inflater, piece):
            yield content[max(0, span.begin - at) : max(0, span.end - at)]
            at += len(content)
        if at >= span.end:
            return

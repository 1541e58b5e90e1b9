"""The floating arrays of an npz file, compressed or not."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.npz_archive import read_npz
from ckpt_tui.artifacts.zip_directory import is_stored_plainly, record_data_offset
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.finite.scan import FloatPart
from ckpt_tui.verify.methods.inflating import inflated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.npz_archive import NpzMember
    from ckpt_tui.verify.stream import FileStream


def npz_floats(stream: FileStream) -> Iterator[FloatPart]:
    """The arrays of all members.

    Raises:
        ArtifactError: The file cannot be read.
    """
    for name, member in read_npz(stream, LISTING_LIMITS).items():
        array = member.array
        yield FloatPart(name, array.dtype, _pieces(stream, member), array.big_endian)


def _pieces(stream: FileStream, member: NpzMember) -> Iterator[bytes | memoryview]:
    record, left = member.record, member.data_begin
    begin = record_data_offset(stream, record)
    if is_stored_plainly(record):
        yield from stream.pieces(begin + left, record.size_bytes - left)
        return
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    for piece in stream.pieces(begin, record.stored_bytes):
        for content in inflated(inflater, piece):
            yield content[left:]
            left = max(0, left - len(content))

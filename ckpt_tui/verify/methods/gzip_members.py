"""gzip: each member ends with the CRC-32 and the length of its content (RFC 1952)."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.verify.methods.inflating import inflated

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.verify.examined import Examined, FileJob

_METHOD = "gzip CRC-32"
_FIXED_HEADER_BYTES: Final = 10
_TRAILER_BYTES: Final = 8
_MOST_HEADER_BYTES: Final = 64 * 1024
_CHECKSUM, _EXTRA, _NAME, _COMMENT = 2, 4, 8, 16
_WITH_HEADER: Final = 16 + zlib.MAX_WBITS


def check(job: FileJob, found: Examined) -> None:
    """Decompresses every member; zlib compares its checksum and its length.

    Raises:
        ArtifactError: ``checksum-mismatch`` or ``unreadable-archive``; ``truncated-file``.
        StoppedError: Nobody wants it any more.
    """
    found.method = _METHOD
    inflater = zlib.decompressobj(_WITH_HEADER)
    begin = at = 0
    for piece in job.stream.pieces(0, job.stream.size):
        at += len(piece)
        left: bytes | memoryview = piece
        while left:
            _pass_through(inflater, left, job, begin)
            left = inflater.unused_data
            if inflater.eof:
                end = at - len(left)
                _cover(job.stream, begin, end, found)
                begin, inflater = end, zlib.decompressobj(_WITH_HEADER)
    if begin != job.stream.size:
        raise ArtifactError(
            "truncated-file", f"the gzip member at byte {begin} has no end", job.stream.name
        )


def _pass_through(
    inflater: zlib._Decompress, data: bytes | memoryview, job: FileJob, begin: int
) -> None:
    try:
        for _ in inflated(inflater, data):
            pass
    except zlib.error as error:
        wrong = "incorrect data check" in str(error) or "incorrect length check" in str(error)
        raise ArtifactError(
            "checksum-mismatch" if wrong else "unreadable-archive",
            f"the gzip member at byte {begin} does not decompress: {error}",
            job.stream.name,
        ) from error


def _cover(source: Source, begin: int, end: int, found: Examined) -> None:
    """The stream and its trailer; the header's texts, and the bits after the last code, are not."""
    found.cover(begin + _header_bytes(source, begin), end - _TRAILER_BYTES - 1)
    found.cover(end - _TRAILER_BYTES, end)


def _header_bytes(source: Source, begin: int) -> int:
    header = source.read_at(begin, _MOST_HEADER_BYTES)
    flags, at = header[3], _FIXED_HEADER_BYTES
    if flags & _EXTRA:
        at += 2 + int.from_bytes(header[at : at + 2], "little")
    for text in (_NAME, _COMMENT):
        if flags & text:
            at = header.find(b"\0", at) + 1 or len(header)
    return at + (2 if flags & _CHECKSUM else 0)

"""bzip2 and xz: the library compares their checksums while it decompresses.

bzip2 keeps a CRC-32 of each block and of the stream; xz one of its headers, and the check of each
block that its writer chose. The former form of xz, `.lzma`, has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ckpt_tui.artifacts.compression import BZIP2, LZMA, XZ
from ckpt_tui.artifacts.limits import MIB, ArtifactError
from ckpt_tui.verify.examined import STRUCTURE

if TYPE_CHECKING:
    from ckpt_tui.artifacts.compression import Compression
    from ckpt_tui.verify.examined import Examined, FileJob

_KINDS: Final = (BZIP2, XZ, LZMA)
_METHODS: Final = {BZIP2: "bzip2 CRC-32", XZ: "xz check"}
_BZIP2_HEADER_BYTES: Final = 4


def check(job: FileJob, found: Examined) -> None:
    """Decompresses every stream to its end.

    Raises:
        ArtifactError: ``unreadable-archive`` or ``truncated-file``; ``limit-exceeded`` or
            ``unsupported-version`` where it cannot be decompressed here.
        StoppedError: Nobody wants it any more.
    """
    kind = next(kind for kind in _KINDS if job.start.startswith(kind.magic))
    found.method = _METHODS.get(kind, STRUCTURE)
    member, damage = kind.decompressor(job.stream.name)
    begin = at = 0
    for piece in job.stream.pieces(0, job.stream.size):
        at += len(piece)
        left: bytes | memoryview = piece
        while left:
            if kind is XZ and 0 < begin == at - len(left):
                left = bytes(left).lstrip(b"\0")  # what may fill up the end of a stream
                begin = at - len(left)
            try:
                left = _pass_through(job, member, left)
            except damage as error:
                raise kind.refused(error, job.stream.name) from error
            if member.eof:
                end = at - len(left)
                _cover(kind, member, begin, end, found)
                begin, member = end, kind.new()[0]
    if begin != job.stream.size:
        message = f"the {kind.name} stream at byte {begin} has no end"
        raise ArtifactError("truncated-file", message, job.stream.name)


def _pass_through(job: FileJob, member: Any, data: bytes | memoryview) -> bytes:
    """Decompresses some input, a piece at a time; returns what lies behind the member's end."""
    member.decompress(data, MIB)
    while not (member.eof or member.needs_input):
        job.stream.check()  # a bomb makes hours of output out of one piece of input
        member.decompress(b"", MIB)
    return bytes(member.unused_data)


def _cover(kind: Compression, member: Any, begin: int, end: int, found: Examined) -> None:
    """bzip2's header is in no checksum; nor are the bits that fill up its last byte."""
    if kind is BZIP2:
        found.cover(begin + _BZIP2_HEADER_BYTES, end - 1)
    elif kind is XZ and member.check:
        found.cover(begin, end)
    else:
        found.method = STRUCTURE

"""Where a zstd frame ends, by its block headers alone: nothing is decompressed (RFC 8878, 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.artifacts.zstd import MAGIC

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

_DICTIONARY_BYTES: Final = (0, 1, 2, 4)
_SIZE_BYTES: Final = (0, 2, 4, 8)
_RLE, _RESERVED = 1, 3
_MOST_BLOCKS: Final = 1 << 20


def frame_end(source: Source) -> int:
    """Bytes of the frame that a source begins with; each block costs one read of 3 bytes.

    Raises:
        ArtifactError: ``empty-file``, ``truncated-file`` for a frame that is cut,
            ``unreadable-archive`` for what is no frame.
    """
    if source.size == 0:
        raise ArtifactError("empty-file", "the file is empty (0 bytes)", source.name)
    position, checksum = _after_header(source)
    for _ in range(_MOST_BLOCKS):
        header = int.from_bytes(read_exactly(source, position, 3, "a zstd block"), "little")
        kind, size = header >> 1 & 3, header >> 3
        if kind == _RESERVED:
            raise ArtifactError("unreadable-archive", "a zstd block of no type", source.name)
        position += 3 + (1 if kind == _RLE else size)
        if header & 1:
            return _checked_end(source, position + checksum)
    raise ArtifactError("limit-exceeded", "a zstd frame of too many blocks", source.name)


def _after_header(source: Source) -> tuple[int, int]:
    """(where the first block begins, bytes of the checksum after the last one)."""
    head = read_exactly(source, 0, len(MAGIC) + 1, "a zstd header")
    if not head.startswith(MAGIC):
        raise ArtifactError("unreadable-archive", "it is no zstd frame", source.name)
    flags = head[-1]
    single = flags >> 5 & 1
    size_flag = flags >> 6
    length = len(head) + (1 - single) + _DICTIONARY_BYTES[flags & 3] + _SIZE_BYTES[size_flag]
    if single and not size_flag:
        length += 1
    return length, 4 if flags & 4 else 0


def _checked_end(source: Source, end: int) -> int:
    if end > source.size:
        message = f"its zstd frame needs {end} bytes, but only {source.size} are there"
        raise ArtifactError("truncated-file", message, source.name)
    return end

"""A source whose bytes are in memory: what a gzip file holds, decompressed within a bound."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import MIB, ArtifactError, Deadline, Limits

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

GZIP_MAGIC: Final = b"\x1f\x8b"
_WITH_GZIP_HEADER: Final = 31


class MemorySource:
    """Bytes under the name of the file that they are from."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self.name = name
        self.size = len(data)

    def read_at(self, offset: int, length: int) -> bytes:
        """Returns up to `length` bytes from `offset`."""
        return self._data[offset : offset + max(0, length)] if offset >= 0 else b""

    def close(self) -> None:
        """There is nothing to release."""


def gunzipped(source: Source, limits: Limits) -> MemorySource:
    """The content of a gzip file of one or several members, each checked by its CRC-32.

    Of one that is cut it is what there is: whether that is enough its reader can tell. Python's
    gzip does not look at the trailer before it is asked for more than a pickle needs.

    Raises:
        ArtifactError: ``unreadable-archive`` for damage, ``limit-exceeded`` for more than
            `limits.metadata_bytes`.
    """
    deadline = Deadline(limits, source.name)
    parts: list[bytes] = []
    left, at = limits.metadata_bytes, 0
    member = zlib.decompressobj(_WITH_GZIP_HEADER)
    pending = b""
    while pending or at < source.size:
        deadline.check()
        if not pending:
            pending = source.read_at(at, MIB)
            at += len(pending)
            if not pending:
                break
        if member.eof:
            if not pending.startswith(GZIP_MAGIC[:1]):
                break  # padding behind the last member
            member = zlib.decompressobj(_WITH_GZIP_HEADER)
        try:
            part = member.decompress(pending, left + 1)
        except zlib.error as error:
            message = f"the gzip data is damaged: {error}"
            raise ArtifactError("unreadable-archive", message, source.name) from error
        left -= len(part)
        if left < 0:
            message = f"it holds more than the limit of {limits.metadata_bytes} bytes, compressed"
            raise ArtifactError("limit-exceeded", message, source.name)
        parts.append(part)
        pending = member.unused_data if member.eof else member.unconsumed_tail
    return MemorySource(b"".join(parts), source.name)

"""What a loop compressed by itself, decompressed into memory within a bound."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from ckpt_tui.artifacts.limits import MIB, ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.memory_source import MemorySource
from ckpt_tui.artifacts.zstd import MAGIC as ZSTD_MAGIC
from ckpt_tui.artifacts.zstd import new_decompressor

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.artifacts.source import Source

_WITH_GZIP_HEADER: Final = 31
_LONGEST_MAGIC: Final = 6
_MOST_MEMORY_BYTES: Final = 256 * MIB
"""More than xz takes to decompress what its highest preset wrote (65 MiB)."""
_LARGEST_GROWTH: Final = 1.02
_LARGEST_FRAME_BYTES: Final = 4096
"""What cannot be compressed grows by no more: a larger file need not be read to know its size."""
_MEMORY: Final = "memory"
"""In what xz and zstd raise where a dictionary is too large for their bounds, and in no other."""


class Decompressor(Protocol):
    """What decompresses one member of a file; those of zlib, bz2, lzma and zstd are alike."""

    @property
    def eof(self) -> bool:
        """Whether the member's end was reached."""

    @property
    def unused_data(self) -> bytes:
        """What was given to it after the member's end."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """What some input makes, `max_length` bytes at most."""


class Compression(NamedTuple):
    """One way of compressing.

    Attributes:
        name: In words.
        magic: First bytes of every member.
        new: What decompresses one member, and what it raises for damage.
    """

    name: str
    magic: bytes
    new: Callable[[], tuple[Decompressor, type[Exception]]]

    def decompressor(self, path: str) -> tuple[Decompressor, type[Exception]]:
        """What decompresses one member, and what it raises for damage.

        Args:
            path: The file, for messages.

        Raises:
            ArtifactError: ``unsupported-version`` where this Python lacks the module.
        """
        try:
            return self.new()
        except ImportError as error:
            message = f"this Python lacks what decompresses {self.name}: it was not read"
            raise ArtifactError("unsupported-version", message, path) from error

    def refused(self, error: Exception, path: str) -> ArtifactError:
        """What is wrong, by what the decompressor raised: damage, or too large a dictionary."""
        if _MEMORY in str(error).lower():
            message = "decompressing it takes more memory than may be used"
            return ArtifactError("limit-exceeded", message, path)
        message = f"the {self.name} data is damaged: {error}"
        return ArtifactError("unreadable-archive", message, path)


def _new_gzip() -> tuple[Decompressor, type[Exception]]:
    return zlib.decompressobj(_WITH_GZIP_HEADER), zlib.error


def _new_bzip2() -> tuple[Decompressor, type[Exception]]:
    from bz2 import BZ2Decompressor  # rarely wanted, and absent from some builds of Python

    return BZ2Decompressor(), OSError


def _new_xz() -> tuple[Decompressor, type[Exception]]:
    from lzma import LZMADecompressor, LZMAError

    return LZMADecompressor(memlimit=_MOST_MEMORY_BYTES), LZMAError


BZIP2: Final = Compression("bzip2", b"BZh", _new_bzip2)
XZ: Final = Compression("xz", b"\xfd7zXZ\0", _new_xz)
LZMA: Final = Compression("lzma", b"\x5d\0\0", _new_xz)
"""xz' former form, without a checksum; such bytes begin no pickle."""
_ALL: Final = (
    Compression("gzip", b"\x1f\x8b", _new_gzip),
    BZIP2,
    XZ,
    LZMA,
    Compression("zstd", ZSTD_MAGIC, new_decompressor),
)


def compression_of(source: Source) -> Compression | None:
    """How a file is compressed by its first bytes; None where it is not."""
    start = source.read_at(0, _LONGEST_MAGIC)
    return next((one for one in _ALL if start.startswith(one.magic)), None)


def decompressed(source: Source, compression: Compression, limits: Limits) -> MemorySource:
    """The content of a file of one or several members, each compared with its own checksum.

    Of one that is cut it is what there is: whether that is enough its reader can tell. Python does
    not look at the end of a member before it is asked for more than a pickle needs.

    Raises:
        ArtifactError: ``unreadable-archive`` for damage, ``truncated-file`` where nothing is left,
            ``limit-exceeded`` for more than `limits.metadata_bytes` or too large a dictionary,
            ``unsupported-version`` where this Python lacks the module.
    """
    if source.size > limits.metadata_bytes * _LARGEST_GROWTH + _LARGEST_FRAME_BYTES:
        raise _too_large(limits, source.name)
    deadline = Deadline(limits, source.name)
    parts: list[bytes] = []
    left, at = limits.metadata_bytes, 0
    member, damage = compression.decompressor(source.name)
    pending = b""
    while pending or at < source.size:
        deadline.check()
        if not pending:
            pending = source.read_at(at, MIB)
            at += len(pending)
            if not pending:
                break
        if member.eof:
            if not pending.startswith(compression.magic[:1]):
                break  # padding behind the last member
            member, damage = compression.decompressor(source.name)
        try:
            part = member.decompress(pending, left + 1)
        except damage as error:
            raise compression.refused(error, source.name) from error
        left -= len(part)
        if left < 0:
            raise _too_large(limits, source.name)
        parts.append(part)
        pending = member.unused_data if member.eof else b""  # below the bound it takes all of it
    if not member.eof and not any(parts):
        message = f"the {compression.name} data ends before its first block does"
        raise ArtifactError("truncated-file", message, source.name)
    return MemorySource(b"".join(parts), source.name)


def _too_large(limits: Limits, path: str) -> ArtifactError:
    message = f"it holds more than the limit of {limits.metadata_bytes} bytes, compressed"
    return ArtifactError("limit-exceeded", message, path)

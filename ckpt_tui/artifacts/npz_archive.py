"""Reads the arrays of a `numpy.savez` file by the headers of its members.

A member has to be as long as its header asks for; small ones are compared with their checksum,
which numpy looks at whenever it reads one.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.memory_source import MemorySource
from ckpt_tui.artifacts.npy_header import MAGIC, read_npy_header, stored_array
from ckpt_tui.artifacts.source import WindowSource, read_exactly
from ckpt_tui.artifacts.zip_directory import (
    ZipRecord,
    is_stored_plainly,
    read_record,
    read_zip_directory,
    record_data_offset,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.stored_array import StoredArray

ENDING: Final = ".npy"

_LOCAL: Final = struct.Struct("<4s5H3I2H")
_CHECKED_BYTES: Final = 64 * 1024
"""Of one member: a small one is read whole, and its checksum compared."""
_MOST_CHECKED_BYTES: Final = 8 * 1024 * 1024
"""Of all members of one file."""
_HEAD_BYTES: Final = 16 * 1024
_DEFLATED: Final = 8
_NOT_LOADED: Final = 1 | 0x20 | 0x40


class NpzMember(NamedTuple):
    """One array.

    Attributes:
        record: Its record in the archive.
        array: Its description; `object` as dtype where its elements are pickled.
        data_begin: Where its elements, or their pickle, begin in the member.
    """

    record: ZipRecord
    array: StoredArray
    data_begin: int

    @property
    def is_pickled(self) -> bool:
        """Whether its elements are Python objects."""
        return self.array.dtype == "object" and not self.array.pieces


def read_npz(source: Source, limits: Limits) -> Mapping[str, NpzMember]:
    """The arrays by their names, without `.npy`.

    Raises:
        ArtifactError: `empty-file`, `truncated-file` without the archive's end,
            `unreadable-archive`, `checksum-mismatch`, `limit-exceeded`.
    """
    if source.size == 0:
        raise ArtifactError("empty-file", "the file is empty (0 bytes)", source.name)
    deadline = Deadline(limits, source.name)
    left = _MOST_CHECKED_BYTES
    found: dict[str, NpzMember] = {}
    for record in read_zip_directory(source, limits, deadline).values():
        deadline.check()
        if record.name.endswith("/"):
            continue
        whole = max(record.size_bytes, record.stored_bytes) <= min(left, _CHECKED_BYTES)
        left -= record.size_bytes if whole else 0
        member = _member(source, record, limits, whole)
        if member is not None:
            found[record.name.removesuffix(ENDING)] = member
    return found


def pickle_of(source: Source, member: NpzMember, limits: Limits) -> tuple[Source, int | None]:
    """The pickle of a member of objects, and where it begins in the file if it lies there plainly.

    Raises:
        ArtifactError: It cannot be read, or is larger than may be.
    """
    record = member.record
    if is_stored_plainly(record):
        begin = record_data_offset(source, record) + member.data_begin
        return WindowSource(source, begin, record.size_bytes - member.data_begin), begin
    data = read_record(source, record, limits)
    return MemorySource(data[member.data_begin :], source.name), None


def _member(source: Source, record: ZipRecord, limits: Limits, whole: bool) -> NpzMember | None:
    """One member; None for one that is no array, which numpy hands out as bytes."""
    begin = _data_begin(source, record)
    plain = is_stored_plainly(record)
    head: Source
    if whole:
        data = read_record(source, record, limits)
        if zlib.crc32(data) != record.crc32:
            raise ArtifactError(
                "checksum-mismatch",
                f"the member {record.name!r} has another checksum than the archive says",
                source.name,
            )
        head = MemorySource(data, source.name)
    elif plain:
        head = WindowSource(source, begin, record.size_bytes)
    else:
        head = _Padded(_beginning(source, record, begin), record.size_bytes, source.name)
    if head.read_at(0, len(MAGIC)) != MAGIC:
        if not record.name.endswith(ENDING):
            return None
        raise ArtifactError(
            "unreadable-archive", f"the member {record.name!r} is no array", source.name
        )
    try:
        header = read_npy_header(head)
        array = stored_array(header, head, begin)
    except ArtifactError as error:
        raise ArtifactError(
            "unreadable-archive", f"the member {record.name!r}: {error.message}", source.name
        ) from error
    if not plain or header.dtype.has_objects:
        array = array._replace(pieces=())
    return NpzMember(record, array._replace(record=record.name), header.data_begin)


class _Padded(MemorySource):
    """The beginning of a member that is not decompressed further, with the size of the whole."""

    def __init__(self, data: bytes, size: int, name: str) -> None:
        super().__init__(data, name)
        self.size = size


def _beginning(source: Source, record: ZipRecord, begin: int) -> bytes:
    """The first decompressed bytes of a member.

    Raises:
        ArtifactError: `unreadable-archive`: they do not decompress.
    """
    if record.method != _DEFLATED:
        raise ArtifactError(
            "unreadable-archive",
            f"the member {record.name!r} is compressed in an unknown way",
            source.name,
        )
    data = read_exactly(source, begin, min(record.stored_bytes, _HEAD_BYTES), "a member")
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, _HEAD_BYTES)
    except zlib.error as error:
        raise ArtifactError(
            "unreadable-archive", f"the member {record.name!r} does not decompress", source.name
        ) from error


def _data_begin(source: Source, record: ZipRecord) -> int:
    """Where a member's bytes begin; its own header has to give the name that the directory gives.

    Raises:
        ArtifactError: `unreadable-archive`: it does not, or it is encrypted.
    """
    begin = record_data_offset(source, record)
    header = read_exactly(source, record.header_offset, _LOCAL.size, "a member's header")
    name_bytes = _LOCAL.unpack(header)[9]
    name = source.read_at(record.header_offset + _LOCAL.size, name_bytes)
    if name != record.name.encode() or record.flags & _NOT_LOADED:
        raise ArtifactError(
            "unreadable-archive",
            f"the member {record.name!r} has another name in its own header, or is encrypted",
            source.name,
        )
    return begin

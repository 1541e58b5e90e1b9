"""Finds the end records of a zip archive and says where its directory lies.

Field layouts are those of PKWARE's APPNOTE.TXT, sections 4.3.14 to 4.3.16. What is refused and
what is passed over is what miniz, torch's reader, refuses and passes over.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

_END_SIGNATURE: Final = b"PK\x05\x06"
_END64_SIGNATURE: Final = b"PK\x06\x06"
_LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
_END: Final = struct.Struct("<4s4H2IH")
_LOCATOR: Final = struct.Struct("<4sIQI")
_END64: Final = struct.Struct("<4sQ2H2I4Q")
_LONGEST_COMMENT: Final = 0xFFFF
_LEAST_END64_BYTES: Final = _END64.size - 12  # its own size field counts from the next field


class ZipEnd(NamedTuple):
    """Where the directory is.

    Attributes:
        entries: Number of records.
        directory_bytes: Size of the directory.
        directory_offset: Where it begins, from the start of the archive.
        position: Where the first end record begins: the directory ends there at the latest.
    """

    entries: int
    directory_bytes: int
    directory_offset: int
    position: int


def read_zip_end(source: Source, *, at_the_end: bool = False) -> ZipEnd:
    """Returns what the last end record says; at most 64 KiB are read.

    Args:
        source: The archive, perhaps after other data.
        at_the_end: Whether the record has to end where the source ends. Loaders pass over
            bytes behind it, but a file of many archives is whole only if it ends with one.

    Raises:
        ArtifactError: `truncated-file` without an end record, `unreadable-archive` for one
            that cannot be right.
    """
    # Hardly any archive has a comment after its end record.
    for length in (_END.size, _END.size + _LONGEST_COMMENT):
        length = min(source.size, length)
        start = source.size - length
        tail = source.read_at(start, length)
        at = _find_exact_end(tail)
        if at < 0 and not at_the_end and length > _END.size:
            at = tail.rfind(_END_SIGNATURE, 0, len(tail) - _END.size + len(_END_SIGNATURE))
        if at >= 0:
            return _with_zip64(source, tail[at : at + _END.size], start + at)
    raise ArtifactError(
        "truncated-file",
        f"the zip archive of {source.size} bytes has no end record in its last {length} bytes",
        source.name,
    )


def _find_exact_end(tail: bytes) -> int:
    """The place of the last end record whose comment reaches exactly to the end, or -1."""
    at = tail.rfind(_END_SIGNATURE)
    while at >= 0:
        if len(tail) - at >= _END.size:
            comment_bytes = _END.unpack_from(tail, at)[7]
            if at + _END.size + comment_bytes == len(tail):
                return at
        at = tail.rfind(_END_SIGNATURE, 0, at)
    return -1


def _with_zip64(source: Source, data: bytes, position: int) -> ZipEnd:
    """Takes the numbers from the ZIP64 end record where there is one."""
    _, *narrow, _ = _END.unpack(data)
    at = position - _LOCATOR.size
    data = source.read_at(at, _LOCATOR.size) if at >= 0 else b""
    if not data.startswith(_LOCATOR_SIGNATURE) or len(data) != _LOCATOR.size:
        return _checked(source, narrow, position)
    # The locator's own offset counts from the archive's start, which a concatenation moves; the
    # record without extensible data, the only kind that checkpoint writers write, is before it.
    _, _, record_offset, disks = _LOCATOR.unpack(data)
    at -= _END64.size
    if record_offset > source.size - _END64.size:
        raise _unreadable(source, f"its ZIP64 locator points to offset {record_offset}")
    data = source.read_at(at, _END64.size) if at >= 0 else b""
    if not data.startswith(_END64_SIGNATURE) or len(data) != _END64.size:
        return _checked(source, narrow, position)
    _, record_bytes, _, _, *wide = _END64.unpack(data)
    if record_bytes < _LEAST_END64_BYTES or disks != 1:
        raise _unreadable(source, f"its ZIP64 end record at offset {at} contradicts itself")
    return _checked(source, wide, at)


def _checked(source: Source, fields: list[int], position: int) -> ZipEnd:
    disk, directory_disk, entries_here, entries, directory_bytes, directory_offset = fields
    if (disk, directory_disk) not in ((0, 0), (1, 1)) or entries_here != entries:
        raise _unreadable(source, "its end record speaks of an archive of several disks")
    return ZipEnd(entries, directory_bytes, directory_offset, position)


def _unreadable(source: Source, message: str) -> ArtifactError:
    return ArtifactError("unreadable-archive", message, source.name)

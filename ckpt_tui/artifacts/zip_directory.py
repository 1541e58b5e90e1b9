"""Reads the directory of a zip archive, ZIP64 included, without reading its records.

Field layouts are those of PKWARE's APPNOTE.TXT, sections 4.3.7 to 4.3.12 and 4.5.3.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits, check_metadata_size
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.artifacts.zip_end import read_zip_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.zip_end import ZipEnd

LOCAL_SIGNATURE: Final = b"PK\x03\x04"
_DIRECTORY_SIGNATURE: Final = b"PK\x01\x02"
_DIRECTORY: Final = struct.Struct("<4s6H3I5H2I")
_LOCAL: Final = struct.Struct("<4s5H3I2H")
_IN_ZIP64: Final = 0xFFFFFFFF
_ZIP64_FIELD: Final = 1
_STORED: Final = 0
_DEFLATED: Final = 8
_ENCRYPTED: Final = 1
_MASKED: Final = 0x2000
_DOS_DIRECTORY: Final = 0x10
_BETWEEN_CHECKS: Final = 4096


class ZipRecord(NamedTuple):
    """One record as the archive's directory describes it.

    Attributes:
        name: Its whole name.
        header_offset: Where its local header begins; the data follow the header.
        stored_bytes: Size in the archive.
        size_bytes: Size after decompression.
        crc32: Checksum of the decompressed bytes; writers may leave it wrong on purpose.
        method: Compression: 0 is stored, 8 is deflated.
        flags: General purpose bit flags.
    """

    name: str
    header_offset: int
    stored_bytes: int
    size_bytes: int
    crc32: int
    method: int
    flags: int


def has_zip_end(source: Source) -> bool:
    """Tells whether a zip archive, perhaps after other data, ends where the source ends.

    At most 64 KiB are read. A file that was cut while it was written has no end record there.

    Raises:
        ArtifactError: The source cannot be read.
    """
    try:
        end = read_zip_end(source, at_the_end=True)
        start = end.position - end.directory_bytes
        if start < 0:
            return False
        return end.entries == 0 or source.read_at(start, 4) == _DIRECTORY_SIGNATURE
    except ArtifactError as error:
        if error.code in ("truncated-file", "unreadable-archive"):
            return False
        raise


def first_record_name(source: Source) -> str:
    """Name of the record that a zip archive begins with; "" where it begins with none.

    Raises:
        ArtifactError: The source cannot be read.
    """
    start = source.read_at(0, _LOCAL.size)
    if len(start) < _LOCAL.size or not start.startswith(LOCAL_SIGNATURE):
        return ""
    length = _LOCAL.unpack(start)[9]
    return source.read_at(_LOCAL.size, length).decode("utf-8", "replace")


def read_zip_directory(
    source: Source, limits: Limits, deadline: Deadline | None = None
) -> dict[str, ZipRecord]:
    """Returns the archive's records by name, in the order of the directory.

    Checked: the end record is there, the directory is whole, and every record lies between the
    start of the file and the directory without reaching into the next one.

    Raises:
        ArtifactError: `truncated-file` without an end record, `unreadable-archive` for
            anything that contradicts itself, `limit-exceeded`.
    """
    deadline = deadline or Deadline(limits, source.name)
    end = read_zip_end(source)
    check_metadata_size("the zip directory", end.directory_bytes, limits, source.name)
    if end.directory_offset + end.directory_bytes > end.position:
        raise _unreadable(
            source,
            f"the zip directory at offset {end.directory_offset} with {end.directory_bytes} "
            f"bytes reaches past its end record at offset {end.position}",
        )
    data = read_exactly(source, end.directory_offset, end.directory_bytes, "the zip directory")
    records: dict[str, ZipRecord] = {}
    for number, record in enumerate(_records(source, data, end)):
        if number % _BETWEEN_CHECKS == 0:
            deadline.check()
        if record.name in records:
            raise _unreadable(source, f"the zip directory names {record.name!r} twice")
        records[record.name] = record
    if len(records) != end.entries:
        raise _unreadable(
            source,
            f"the zip directory has {len(records)} entries, its end record says {end.entries}",
        )
    _check_ranges(source, records, end.directory_offset)
    return records


def record_data_offset(source: Source, record: ZipRecord) -> int:
    """Returns where a record's data begin, from its local header.

    Raises:
        ArtifactError: `unreadable-archive`: the local header is not what the directory says.
    """
    header = read_exactly(source, record.header_offset, _LOCAL.size, "a zip record's header")
    fields = _LOCAL.unpack(header)
    if fields[0] != LOCAL_SIGNATURE:
        raise _unreadable(
            source, f"no zip record begins at offset {record.header_offset} ({record.name!r})"
        )
    offset = int(record.header_offset + _LOCAL.size + fields[9] + fields[10])
    if offset + record.stored_bytes > source.size:
        raise _unreadable(source, f"the record {record.name!r} reaches past the end of the file")
    return offset


def read_record(source: Source, record: ZipRecord, limits: Limits) -> bytes:
    """Returns the bytes of one record, decompressed.

    Raises:
        ArtifactError: `limit-exceeded` above `Limits.metadata_bytes` (also when only its
            decompressed form is), `unreadable-archive` for encryption, another compression or
            a wrong size.
    """
    what = f"the record {record.name!r}"
    check_metadata_size(what, max(record.size_bytes, record.stored_bytes), limits, source.name)
    offset = record_data_offset(source, record)
    data = read_exactly(source, offset, record.stored_bytes, what)
    if record.flags & _ENCRYPTED or record.method not in (_STORED, _DEFLATED):
        raise _unreadable(source, f"{what} is encrypted or compressed in an unknown way")
    if record.method == _DEFLATED:
        data = _inflate(source, data, record)
    if len(data) != record.size_bytes:
        raise _unreadable(source, f"{what} has {len(data)} bytes instead of {record.size_bytes}")
    return data


def check_crc32(source: Source, record: ZipRecord, data: bytes) -> None:
    """Compares a record's bytes with its checksum, unless its writer computed none.

    Raises:
        ArtifactError: `checksum-mismatch`.
    """
    # Torch can be told not to compute checksums; it writes 0 then.
    if record.crc32 and zlib.crc32(data) != record.crc32:
        raise ArtifactError(
            "checksum-mismatch",
            f"the record {record.name!r} has another checksum than the {record.crc32:08x} "
            "of the zip directory",
            source.name,
        )


def is_stored_plainly(record: ZipRecord) -> bool:
    """Tells whether the record's bytes lie in the file as they are."""
    plain = record.method == _STORED and not record.flags & _ENCRYPTED
    return plain and record.stored_bytes == record.size_bytes


def _inflate(source: Source, data: bytes, record: ZipRecord) -> bytes:
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        # One byte more than promised is enough to see that the promise is wrong.
        return stream.decompress(data, record.size_bytes + 1)
    except zlib.error as error:
        raise _unreadable(source, f"the record {record.name!r} does not decompress") from error


def _records(source: Source, data: bytes, end: ZipEnd) -> Iterator[ZipRecord]:
    at = 0
    while at < len(data):
        place = end.directory_offset + at
        if len(data) - at < _DIRECTORY.size or not data.startswith(_DIRECTORY_SIGNATURE, at):
            raise _unreadable(source, f"no zip directory entry begins at offset {place}")
        fields = _DIRECTORY.unpack_from(data, at)
        flags, method, crc32, stored, size = fields[3], fields[4], *fields[7:10]
        name_end = at + _DIRECTORY.size + fields[10]
        extra_end = name_end + fields[11]
        if extra_end + fields[12] > len(data):
            raise _unreadable(source, f"the zip directory entry at offset {place} is cut")
        name = data[at + _DIRECTORY.size : name_end]
        wide = _wide_fields(data[name_end:extra_end], (size, stored, fields[16]))
        if wide is None:
            raise _unreadable(
                source, f"the zip directory entry at offset {place} lacks its ZIP64 sizes"
            )
        size, stored, offset = wide
        if not _is_consistent(fields, stored, size):
            raise _unreadable(
                source, f"the zip directory entry at offset {place} contradicts itself"
            )
        try:
            text = name.decode()
        except UnicodeDecodeError:
            raise _unreadable(
                source, f"the name in the zip directory entry at offset {place} is no UTF-8"
            ) from None
        yield ZipRecord(text, offset, stored, size, crc32, method, flags)
        at = extra_end + fields[12]


def _is_consistent(fields: tuple[int, ...], stored_bytes: int, size_bytes: int) -> bool:
    """Whether miniz, torch's reader, takes an entry: one disk, open headers, sizes that fit.

    It passes over the bytes of an entry that is marked as a directory.
    """
    flags, method, time, disk, attributes = fields[3], fields[4], fields[5], fields[13], fields[15]
    directory = attributes & _DOS_DIRECTORY
    if disk > 1 or flags & _MASKED or (size_bytes and (not stored_bytes or directory)):
        return False
    return bool(method or time) or stored_bytes == size_bytes


def _wide_fields(extra: bytes, narrow: tuple[int, int, int]) -> tuple[int, int, int] | None:
    """Replaces the fields (size, stored size, offset) that are kept in the ZIP64 extra field."""
    if _IN_ZIP64 not in narrow:
        return narrow
    field = _find_extra(extra, _ZIP64_FIELD)
    values = [field[at : at + 8] for at in range(0, len(field) - 7, 8)]
    wide = []
    for value in narrow:
        if value == _IN_ZIP64:
            if not values:
                return None
            value = int.from_bytes(values.pop(0), "little")
        wide.append(value)
    return wide[0], wide[1], wide[2]


def _find_extra(extra: bytes, wanted: int) -> bytes:
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == wanted:
            return extra[at + 4 : at + 4 + length]
        at += 4 + length
    return b""


def _check_ranges(source: Source, records: dict[str, ZipRecord], directory_offset: int) -> None:
    limit = directory_offset
    for record in sorted(records.values(), key=lambda record: -record.header_offset):
        least = _LOCAL.size + record.stored_bytes
        if record.header_offset + least > limit:
            raise _unreadable(
                source,
                f"the record {record.name!r} at offset {record.header_offset} needs at least "
                f"{least} bytes, but only {max(0, limit - record.header_offset)} are there",
            )
        limit = record.header_offset


def _unreadable(source: Source, message: str) -> ArtifactError:
    return ArtifactError("unreadable-archive", message, source.name)

"""The records of one zip archive against the CRC-32 that its directory holds of each."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.artifacts.zip_directory import LOCAL_SIGNATURE, read_zip_directory
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.checksums import crc32_function
from ckpt_tui.verify.methods.inflating import inflated

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.zip_directory import ZipRecord
    from ckpt_tui.verify.examined import Examined
    from ckpt_tui.verify.stream import FileStream

METHOD = "zip CRC-32"
_LOCAL: Final = struct.Struct("<4s5H3I2H")
_STORED, _DEFLATED = 0, 8
_ENCRYPTED: Final = 1
_SIZES_FOLLOW: Final = 8
_IN_ZIP64: Final = 0xFFFFFFFF
_MOST_RATIO: Final = 1032
"""Deflate makes at most so many bytes of one."""
_SLACK_BYTES: Final = 4096


class Archive(NamedTuple):
    """An archive within a file.

    Attributes:
        stream: The file.
        window: The archive alone.
        begin: Where it begins in the file.
        tensor_of: Name of the tensor that a record holds, or "".
    """

    stream: FileStream
    window: Source
    begin: int
    tensor_of: Callable[[ZipRecord], str]


def check_records(archive: Archive, found: Examined) -> None:
    """Checks every record; a record without a checksum is covered by nothing.

    Raises:
        ArtifactError: The directory cannot be read.
        StoppedError: Nobody wants it any more.
    """
    found.method = METHOD
    for record in read_zip_directory(archive.window, LISTING_LIMITS).values():
        place = f"record {record.name} at byte {archive.begin + record.header_offset}"
        try:
            _check_record(archive, record, place, found)
        except ArtifactError as error:
            found.failed(error, place, archive.tensor_of(record))


def _check_record(archive: Archive, record: ZipRecord, place: str, found: Examined) -> None:
    data_offset = archive.begin + _data_offset(archive.window, record)
    end = data_offset + record.stored_bytes
    if record.flags & _ENCRYPTED or record.method not in (_STORED, _DEFLATED):
        message = f"{place} is encrypted or compressed in an unknown way"
        raise ArtifactError("unsupported-version", message, archive.window.name)
    if record.method == _STORED:
        crc32 = archive.stream.crc32(data_offset, record.stored_bytes)
    else:
        crc32 = _inflated_crc32(archive, record, data_offset)
        end -= 1  # the bits behind the last code are read by nobody
    if crc32 == record.crc32:
        found.cover(data_offset, end)
    elif record.crc32:
        found.cover(data_offset, end)
        found.wrong(
            "checksum-mismatch",
            place,
            archive.tensor_of(record),
            f"its bytes have the CRC-32 {crc32:08x}, the zip directory says {record.crc32:08x}",
        )
    else:  # torch writes 0 where it was told to compute none
        found.note = "its writer stored no checksum for some of its records"


def _data_offset(window: Source, record: ZipRecord) -> int:
    """Where a record's data begin; its own header has to say what the directory says.

    Raises:
        ArtifactError: ``unreadable-archive``: it does not.
    """
    name = record.name.encode()
    header = read_exactly(
        window, record.header_offset, _LOCAL.size + len(name), "a zip record's header"
    )
    fields = _LOCAL.unpack_from(header)
    flags, method, crc32, stored, size = fields[2], fields[3], *fields[6:9]
    told = (
        fields[0] == LOCAL_SIGNATURE
        and method == record.method
        and fields[9] == len(name)
        and header[_LOCAL.size :] == name
    )
    if told and not flags & _SIZES_FOLLOW:
        told = (
            crc32 == record.crc32
            and stored in (record.stored_bytes, _IN_ZIP64)
            and size in (record.size_bytes, _IN_ZIP64)
        )
    offset = int(record.header_offset + _LOCAL.size + fields[9] + fields[10])
    if not told or offset + record.stored_bytes > window.size:
        raise ArtifactError(
            "unreadable-archive",
            f"the header of the record {record.name!r} at offset {record.header_offset} is not "
            "what the zip directory says",
            window.name,
        )
    return offset


def _inflated_crc32(archive: Archive, record: ZipRecord, data_offset: int) -> int:
    """The CRC-32 of what a deflated record holds, made piece by piece.

    Raises:
        ArtifactError: ``unreadable-archive``: it does not decompress to the size that it should.
    """
    what = f"the record {record.name!r}"
    if record.size_bytes > record.stored_bytes * _MOST_RATIO + _SLACK_BYTES:
        message = f"{what} cannot hold {record.size_bytes} bytes in {record.stored_bytes}"
        raise ArtifactError("unreadable-archive", message, archive.window.name)
    update, crc32, size = crc32_function(), 0, 0
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for piece in archive.stream.pieces(data_offset, record.stored_bytes):
            for content in inflated(inflater, piece):
                crc32, size = update(content, crc32), size + len(content)
    except zlib.error as error:
        message = f"{what} does not decompress"
        raise ArtifactError("unreadable-archive", message, archive.window.name) from error
    if size != record.size_bytes or not inflater.eof:
        message = f"{what} has other than the {record.size_bytes} bytes that it should have"
        raise ArtifactError("unreadable-archive", message, archive.window.name)
    return crc32

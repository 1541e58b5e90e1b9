"""What the checksums of a tensor bundle cover, as bytes to compute them over.

A tensor of numbers is covered byte by byte. Strings and variants are not: the lengths count as
whole numbers, however few bytes they take in the file (`WriteStringTensor` and
`WriteVariantTensor` of TensorFlow 2.21's `core/util/tensor_bundle/tensor_bundle.cc`).
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, NoReturn

from ckpt_tui.artifacts.crc32c import crc32c, unmasked
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.protobuf import read_varint
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.artifacts.tensor_bundle import STRING, VARIANT, data_file_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.tensor_bundle import Bundle, BundleEntry

_CHECKSUM_BYTES: Final = 4
_MOST_VARINT_BYTES: Final = 10
_UINT32_END: Final = 1 << 32


class ProtectedSpan(NamedTuple):
    """Bytes of one data file that a checksum covers.

    Attributes:
        path: Name of the data file.
        offset: Of the first byte.
        size_bytes: How many.
        crc32c: What `checksummed_bytes` must give, unmasked.
        entry: The tensor or slice that lies there.
    """

    path: str
    offset: int
    size_bytes: int
    crc32c: int
    entry: BundleEntry


def protected_spans(bundle: Bundle, prefix: str) -> tuple[ProtectedSpan, ...]:
    """Everything in the data files that is protected, file by file and in the order of offsets.

    Args:
        bundle: The index.
        prefix: What the names of the bundle's files begin with ("ckpt-3").
    """
    spans = [
        ProtectedSpan(
            data_file_name(prefix, entry.shard, bundle.shards),
            entry.offset,
            entry.size_bytes,
            entry.crc32c,
            entry,
        )
        for entry in bundle.entries
        if not entry.slices
    ]
    return tuple(sorted(spans, key=lambda span: (span.entry.shard, span.offset)))


def checksummed_bytes(
    source: Source, entry: BundleEntry, *, big_endian: bool = False, piece_bytes: int = 1 << 20
) -> Iterator[bytes]:
    """Yields pieces of bytes; their CRC-32C, one after another, is the one that is stored.

    Args:
        source: The data file.
        entry: What lies in it.
        big_endian: Byte order of the machine that wrote the bundle.
        piece_bytes: Most bytes to read at once.

    Raises:
        ArtifactError: `truncated-file` where the file ends before; `checksum-mismatch` where a
            checksum inside of the lengths or of one variant differs; `unreadable-archive` where
            the lengths cannot be right.
    """
    if entry.dtype == STRING:
        return _strings(source, entry, big_endian, piece_bytes)
    if entry.dtype == VARIANT:
        return _variants(source, entry, piece_bytes)
    return _pieces(source, entry.offset, entry.size_bytes, piece_bytes)


def crc32c_of_entry(source: Source, entry: BundleEntry, *, big_endian: bool = False) -> int:
    """The checksum that the stored bytes of one entry give.

    Raises:
        ArtifactError: As `checksummed_bytes`.
    """
    checksum = 0
    for piece in checksummed_bytes(source, entry, big_endian=big_endian):
        checksum = crc32c(piece, checksum)
    return checksum


def string_elements(source: Source, entry: BundleEntry, most_bytes: int) -> tuple[bytes, ...]:
    """The strings of one entry.

    Args:
        source: The data file.
        entry: A tensor of strings.
        most_bytes: Most bytes to read.

    Raises:
        ArtifactError: `limit-exceeded` where it is larger; else as `checksummed_bytes`.
    """
    if entry.size_bytes > most_bytes:
        raise ArtifactError(
            "limit-exceeded",
            f"{entry.key!r} has {entry.size_bytes} bytes, more than the limit of {most_bytes}",
            source.name,
        )
    lengths, at = _string_lengths(source, entry)
    found, at = [], at + _CHECKSUM_BYTES
    for length in lengths:
        found.append(read_exactly(source, at, length, f"a string of {entry.key!r}"))
        at += length
    return tuple(found)


def _pieces(source: Source, offset: int, length: int, piece_bytes: int) -> Iterator[bytes]:
    for begin in range(offset, offset + length, piece_bytes):
        size_bytes = min(piece_bytes, offset + length - begin)
        yield read_exactly(source, begin, size_bytes, "a tensor's bytes")


def _strings(
    source: Source, entry: BundleEntry, big_endian: bool, piece_bytes: int
) -> Iterator[bytes]:
    """[length]… [checksum of the lengths] [bytes of all strings]."""
    if not entry.size_bytes:
        return
    lengths, at = _string_lengths(source, entry)
    order: Literal["big", "little"] = "big" if big_endian else "little"
    counted = b"".join(n.to_bytes(4 if n < _UINT32_END else 8, order) for n in lengths)
    yield counted
    stored = read_exactly(source, at, _CHECKSUM_BYTES, "the checksum of lengths")
    _require_checksum(source, entry, int.from_bytes(stored, order), crc32c(counted))
    yield from _pieces(source, at, entry.offset + entry.size_bytes - at, piece_bytes)


def _string_lengths(source: Source, entry: BundleEntry) -> tuple[list[int], int]:
    """The length of each string, and the place after the last of these numbers."""
    end = entry.offset + entry.size_bytes
    if entry.elements > entry.size_bytes:
        _refuse(source, entry, f"{entry.elements} strings cannot have {entry.size_bytes} bytes")
    room = min(entry.size_bytes, entry.elements * _MOST_VARINT_BYTES)
    head = read_exactly(source, entry.offset, room, f"the lengths of {entry.key!r}")
    lengths, at = [], 0
    for _ in range(entry.elements):
        length, at = read_varint(head, at, source.name)
        lengths.append(length)
    at += entry.offset
    if at + _CHECKSUM_BYTES + sum(lengths) != end:
        _refuse(source, entry, "its strings' lengths are not those of its bytes")
    return lengths, at


def _variants(source: Source, entry: BundleEntry, piece_bytes: int) -> Iterator[bytes]:
    """For each: [length] [bytes] [checksum of all so far]."""
    at, end = entry.offset, entry.offset + entry.size_bytes
    checksum = 0
    for _ in range(entry.elements if entry.size_bytes else 0):
        if at >= end:
            _refuse(source, entry, "it ends before its last element")
        room = min(_MOST_VARINT_BYTES, end - at)
        length, used = read_varint(read_exactly(source, at, room, "a length"), 0, source.name)
        at += used
        if at + length + _CHECKSUM_BYTES > end:
            _refuse(source, entry, "an element reaches out of it")
        counted = (length.to_bytes(8, "little"),)
        for piece in chain(counted, _pieces(source, at, length, piece_bytes)):
            checksum = crc32c(piece, checksum)
            yield piece
        at += length
        stored = read_exactly(source, at, _CHECKSUM_BYTES, "an element's checksum")
        _require_checksum(source, entry, int.from_bytes(stored, "little"), checksum)
        checksum = crc32c(stored, checksum)
        yield stored
        at += _CHECKSUM_BYTES


def _require_checksum(source: Source, entry: BundleEntry, stored: int, computed: int) -> None:
    if unmasked(stored) != computed:
        raise ArtifactError(
            "checksum-mismatch",
            f"tensor {entry.key!r} has another CRC-32C than is stored inside it",
            source.name,
        )


def _refuse(source: Source, entry: BundleEntry, message: str) -> NoReturn:
    raise ArtifactError("unreadable-archive", f"tensor {entry.key!r}: {message}", source.name)

"""Reads a sorted string table, the layout of LevelDB's table files as TensorFlow writes it.

By `doc/table_format.md` of LevelDB, and TensorFlow's `core/lib/io/format.cc` (2.21), which keeps
it: data blocks, a block of metadata, a block that indexes the data blocks, and a footer of 48
bytes. Each block is followed by a byte for its compression and by the masked CRC-32C of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from ckpt_tui.artifacts.crc32c import crc32c, unmasked
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits, check_metadata_size
from ckpt_tui.artifacts.protobuf import read_varint
from ckpt_tui.artifacts.source import read_exactly, require_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.source import Source

FOOTER_BYTES: Final = 48
_MAGIC: Final = bytes.fromhex("57fb808b247547db")
_TRAILER_BYTES: Final = 5
_RESTART_BYTES: Final = 4
_PLAIN: Final = 0
_SNAPPY: Final = 1
_MOST_KEY_BYTES: Final = 64 * 1024
_BETWEEN_CHECKS: Final = 256


class Block(NamedTuple):
    """One block as it lies in the file.

    Attributes:
        offset: Of its first byte.
        size_bytes: Without the trailer of 5 bytes.
        crc32c: What its bytes and the byte after them must give, unmasked.
        what: "index", "metadata" or "data".
    """

    offset: int
    size_bytes: int
    crc32c: int
    what: str

    @property
    def protected_bytes(self) -> int:
        """Bytes from `offset` that the checksum covers: the block and its compression byte."""
        return self.size_bytes + 1


class Table(NamedTuple):
    """A whole table.

    Attributes:
        entries: (key, value) in the file's order, which is that of the keys' bytes.
        blocks: The index and the data blocks, in this order.
    """

    entries: tuple[tuple[bytes, bytes], ...]
    blocks: tuple[Block, ...]


def read_table(source: Source, limits: Limits) -> Table:
    """Reads all entries; the checksum of every block that holds some is computed anew.

    Raises:
        ArtifactError: `empty-file`; `truncated-file` where it ends before its footer;
            `checksum-mismatch` with the block; `unreadable-archive` where the structure cannot
            be right; `unsupported-version` for compressed blocks; `limit-exceeded`.
    """
    require_content(source)
    check_metadata_size("the table", source.size, limits, source.name)
    deadline = Deadline(limits, source.name)
    blocks: list[Block] = []
    found: list[tuple[bytes, bytes]] = []
    key_bytes = 0
    for block, content in read_blocks(source, deadline):
        if block.what == "metadata":  # of filters; no loader of bundles reads it
            continue
        if crc32c(content) != block.crc32c:
            raise ArtifactError(
                "checksum-mismatch",
                f"the {block.what} block at offset {block.offset} has another CRC-32C than is"
                " stored after it",
                source.name,
            )
        blocks.append(block)
        if block.what == "data":
            _require_plain(source, content)
            for item in _entries(source, content[:-1], deadline):
                key_bytes += len(item[0])
                check_metadata_size("the keys together", key_bytes, limits, source.name)
                found.append(item)
    _check_order(source, found)
    return Table(tuple(found), tuple(blocks))


def read_blocks(source: Source, deadline: Deadline) -> Iterator[tuple[Block, bytes]]:
    """Yields every block with its bytes, the one for compression included; checksums unread.

    The index comes first, then the metadata, then the data blocks in the index's order.

    Raises:
        ArtifactError: As `read_table`, but for checksums.
    """
    metadata, index = _footer(source)
    block, content = _block(source, index, "index")
    yield block, content
    if sum(metadata) + _TRAILER_BYTES <= source.size - FOOTER_BYTES:
        yield _block(source, metadata, "metadata")
    _require_plain(source, content)
    end = 0
    for _, value in _entries(source, content[:-1], deadline):
        handle, _ = _handle(source, value, 0)
        _check_bounds(source, handle)
        if handle[0] < end:
            _refuse(source, f"a data block at offset {handle[0]} overlaps the one before it")
        end = handle[0] + handle[1]
        yield _block(source, handle, "data")


def _footer(source: Source) -> tuple[tuple[int, int], tuple[int, int]]:
    """Handles of the metadata block and of the index block."""
    if source.size < FOOTER_BYTES:
        raise ArtifactError(
            "truncated-file",
            f"the file has {source.size} bytes, fewer than the {FOOTER_BYTES} of a table's footer",
            source.name,
        )
    footer = read_exactly(source, source.size - FOOTER_BYTES, FOOTER_BYTES, "the footer")
    if footer[-len(_MAGIC) :] != _MAGIC:
        raise ArtifactError(
            "truncated-file",
            f"the file's last {FOOTER_BYTES} bytes are no footer of a table: it was cut, or it is"
            " no table",
            source.name,
        )
    metadata, at = _handle(source, footer, 0)
    index, _ = _handle(source, footer, at)
    _check_bounds(source, index)
    return metadata, index


def _handle(source: Source, data: bytes, at: int) -> tuple[tuple[int, int], int]:
    """The (offset, size) of a block that is named at `at`, and the place after it."""
    offset, at = read_varint(data, at, source.name)
    size_bytes, at = read_varint(data, at, source.name)
    return (offset, size_bytes), at


def _check_bounds(source: Source, handle: tuple[int, int]) -> None:
    offset, size_bytes = handle
    if offset + size_bytes + _TRAILER_BYTES > source.size - FOOTER_BYTES:
        _refuse(source, f"a block at offset {offset} of {size_bytes} bytes reaches into the footer")


def _block(source: Source, handle: tuple[int, int], what: str) -> tuple[Block, bytes]:
    offset, size_bytes = handle
    data = read_exactly(source, offset, size_bytes + _TRAILER_BYTES, f"the {what} block")
    stored = unmasked(int.from_bytes(data[size_bytes + 1 :], "little"))
    return Block(offset, size_bytes, stored, what), data[: size_bytes + 1]


def _require_plain(source: Source, content: bytes) -> None:
    kind = content[-1]
    if kind == _SNAPPY:
        raise ArtifactError(
            "unsupported-version", "its blocks are compressed with Snappy", source.name
        )
    if kind != _PLAIN:
        _refuse(source, f"a block is compressed in an unknown way ({kind})")


def _entries(source: Source, block: bytes, deadline: Deadline) -> Iterator[tuple[bytes, bytes]]:
    """The entries of one block: each key shares its beginning with the one before it."""
    if len(block) < _RESTART_BYTES:
        _refuse(source, "a block has no room for its restart points")
    restarts = int.from_bytes(block[-_RESTART_BYTES:], "little")
    end = len(block) - _RESTART_BYTES * (restarts + 1)
    if end < 0:
        _refuse(source, f"a block of {len(block)} bytes cannot have {restarts} restart points")
    at, key, number = 0, b"", 0
    while at < end:
        shared, at = read_varint(block, at, source.name)
        own, at = read_varint(block, at, source.name)
        length, at = read_varint(block, at, source.name)
        if shared > len(key) or own + length > end - at:
            _refuse(source, "an entry reaches out of its block")
        if shared + own > _MOST_KEY_BYTES:
            _refuse(source, f"a key has {shared + own} bytes: no name of a tensor is that long")
        if not number % _BETWEEN_CHECKS:
            deadline.check()
        number += 1
        key = key[:shared] + block[at : at + own]
        at += own
        yield key, block[at : at + length]
        at += length


def _check_order(source: Source, entries: list[tuple[bytes, bytes]]) -> None:
    """Keys rise from one to the next: a search among them finds nothing otherwise."""
    before: bytes | None = None
    for key, _ in entries:
        if before is not None and key <= before:
            _refuse(source, f"key {key[:60]!r} does not follow the one before it")
        before = key


def _refuse(source: Source, message: str) -> NoReturn:
    raise ArtifactError("unreadable-archive", f"sorted table: {message}", source.name)


def is_table(source: Source) -> bool:
    """Whether the file ends as a table does.

    Raises:
        ArtifactError: It cannot be read.
    """
    if source.size < FOOTER_BYTES:
        return False
    return source.read_at(source.size - len(_MAGIC), len(_MAGIC)) == _MAGIC

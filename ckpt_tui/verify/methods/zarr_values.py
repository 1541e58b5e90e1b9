"""One stored chunk of a zarr array: a file, or a value in an OCDBT database.

The elements are under no checksum, unless the writer asked zstd for one. Decompressing a chunk
proves its structure and its size; the index of a shard has a CRC-32C (codec `sharding_indexed`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.memory_source import MemorySource
from ckpt_tui.artifacts.source import WindowSource
from ckpt_tui.artifacts.zarr_chunks import check_chunk, shard_places
from ckpt_tui.artifacts.zarr_metadata import RAW, ZSTD
from ckpt_tui.artifacts.zstd import MAGIC
from ckpt_tui.verify.chunk import Chunk
from ckpt_tui.verify.finite.kinds import KINDS
from ckpt_tui.verify.finite.scan import FloatPart
from ckpt_tui.verify.methods.inflating import unzstd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.zarr_metadata import ZarrArray
    from ckpt_tui.verify.examined import Examined
    from ckpt_tui.verify.stream import FileStream

_HAS_CHECKSUM: Final = 4
_CHECKSUM_BYTES: Final = 4


def check_stored_chunk(stream: FileStream, chunk: Chunk, found: Examined) -> None:
    """Checks one stored chunk and all that lie inside it.

    Raises:
        ArtifactError: It cannot be right.
        StoppedError: Nobody wants it any more.
    """
    window = WindowSource(stream, chunk.begin, chunk.length)
    check_chunk(window, chunk.array)
    for inner in _inner(stream, chunk):
        if chunk.array.coding == ZSTD:
            _check_frame(stream, inner, found)
    if chunk.array.inner_shape is not None:
        end = chunk.begin + chunk.length
        index_bytes = chunk.array.inner_count * 16 + _CHECKSUM_BYTES
        found.cover(end - index_bytes, end)


def chunk_floats(stream: FileStream, chunk: Chunk) -> Iterator[FloatPart]:
    """The elements of one stored chunk, decompressed.

    Raises:
        ArtifactError: It cannot be read; ``unsupported-version``: its compression is not known.
    """
    _require_known(chunk.array, stream.name)
    for inner in _inner(stream, chunk):
        yield _part(inner, stream.pieces(inner.begin, inner.length), stream.name)


def inline_floats(array: ZarrArray, tensor: str, data: bytes, path: str) -> Iterator[FloatPart]:
    """The same of a chunk whose bytes are here.

    Raises:
        ArtifactError: As `chunk_floats`.
    """
    _require_known(array, path)
    for inner in _inner(MemorySource(data, path), Chunk(array, tensor, 0, len(data))):
        piece = data[inner.begin : inner.begin + inner.length]
        yield _part(inner, iter((piece,)), path)


def _require_known(array: ZarrArray, path: str) -> None:
    if array.coding not in (RAW, ZSTD) and array.dtype in KINDS:
        message = "its chunks are compressed in a way that is not known here"
        raise ArtifactError("unsupported-version", message, path)


def _part(chunk: Chunk, pieces: Iterator[bytes | memoryview], path: str) -> FloatPart:
    array = chunk.array
    if array.coding == ZSTD:
        pieces = iter(unzstd(pieces, _told(chunk), path))
    return FloatPart(chunk.tensor, array.dtype, pieces, array.big_endian)


def _inner(source: Source, chunk: Chunk) -> Iterator[Chunk]:
    """The chunks inside of a stored one; without sharding that is itself."""
    if chunk.array.inner_shape is None:
        yield chunk
        return
    window = WindowSource(source, chunk.begin, chunk.length)
    for place in shard_places(window, chunk.array):
        if place is not None:
            yield chunk._replace(begin=chunk.begin + place[0], length=place[1])


def _check_frame(stream: FileStream, chunk: Chunk, found: Examined) -> None:
    size = 0
    for content in unzstd(stream.pieces(chunk.begin, chunk.length), _told(chunk), stream.name):
        size += len(content)
        if size > chunk.array.chunk_bytes:
            break
    if chunk.array.item_bytes and size != chunk.array.chunk_bytes:
        message = f"the {_told(chunk)} holds {size} bytes or more, not {chunk.array.chunk_bytes}"
        raise ArtifactError("size-mismatch", message, stream.name)
    flags = stream.read_at(chunk.begin + len(MAGIC), 1)
    if flags and flags[0] & _HAS_CHECKSUM:
        end = chunk.begin + chunk.length
        found.cover(chunk.begin + len(MAGIC) + 1, end)


def _told(chunk: Chunk) -> str:
    return f"chunk at byte {chunk.begin}"

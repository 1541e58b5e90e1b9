"""Stored chunks of zarr arrays: whether one is whole, and the value of a scalar."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.crc32c import crc32c
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.artifacts.torch_dtypes import decode_scalar
from ckpt_tui.artifacts.zarr_metadata import RAW, ZSTD
from ckpt_tui.artifacts.zstd import decompress
from ckpt_tui.artifacts.zstd_frames import frame_end

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.zarr_metadata import ZarrArray

_PLACE: Final = struct.Struct("<QQ")
_CHECKSUM: Final = struct.Struct("<I")
_ABSENT: Final = ((1 << 64) - 1, (1 << 64) - 1)
_MOST_INDEX_BYTES: Final = 16 * 1024 * 1024


def check_chunk(source: Source, array: ZarrArray) -> None:
    """Checks that a stored chunk is as long as its own headers say; the elements are not read.

    Raises:
        ArtifactError: ``empty-file``, ``truncated-file``, ``size-mismatch``, or what its headers
            cannot be.
    """
    if source.size == 0 and (array.coding != RAW or array.chunk_bytes or array.inner_count):
        raise ArtifactError("empty-file", "the chunk is empty (0 bytes)", source.name)
    if array.inner_shape is not None:
        shard_places(source, array)
    elif array.coding == ZSTD:
        frame_end(source)
    elif array.coding == RAW and array.item_bytes and source.size != array.chunk_bytes:
        code = "truncated-file" if source.size < array.chunk_bytes else "size-mismatch"
        message = f"a chunk of {array.chunk_bytes} bytes has {source.size}"
        raise ArtifactError(code, message, source.name)


def shard_places(source: Source, array: ZarrArray) -> list[tuple[int, int] | None]:
    """(offset, length) of each inner chunk of a stored one; None for one that is not stored.

    Raises:
        ArtifactError: The index at its end is cut or damaged, or names bytes that are not there.
    """
    index_bytes = array.inner_count * _PLACE.size
    if index_bytes > _MOST_INDEX_BYTES:
        message = f"its index takes more than {_MOST_INDEX_BYTES} bytes"
        raise ArtifactError("limit-exceeded", message, source.name)
    start = source.size - index_bytes - _CHECKSUM.size
    if start < 0:
        message = f"a shard of {source.size} bytes is too short for its index"
        raise ArtifactError("truncated-file", message, source.name)
    index = read_exactly(source, start, index_bytes, "the index of a shard")
    stored = read_exactly(source, start + index_bytes, _CHECKSUM.size, "a checksum")
    if crc32c(index) != _CHECKSUM.unpack(stored)[0]:
        message = "the index at its end has another CRC-32C than it says: it is cut or damaged"
        raise ArtifactError("checksum-mismatch", message, source.name)
    places: list[tuple[int, int] | None] = []
    for offset, length in _PLACE.iter_unpack(index):
        if (offset, length) == _ABSENT:
            places.append(None)
            continue
        if offset + length > start:
            message = f"an inner chunk ends at byte {offset + length}, after the data's end"
            raise ArtifactError("truncated-file", message, source.name)
        places.append((offset, length))
    return places


def scalar_of(source: Source, array: ZarrArray) -> int | float | None:
    """The value of an array of one element, from its only chunk; None where it is no number.

    Raises:
        ArtifactError: The chunk cannot be read.
    """
    if array.shape not in ((), (1,)) or not array.item_bytes or array.chunk_bytes > 1 << 16:
        return None
    offset, length = 0, source.size
    if array.inner_shape is not None:
        places = shard_places(source, array)
        if len(places) != 1 or places[0] is None:
            return None
        offset, length = places[0]
    if length > 1 << 20:
        return None
    data = read_exactly(source, offset, length, "a chunk")
    if array.coding == ZSTD:
        data = decompress(data, array.chunk_bytes, source.name)
    elif array.coding != RAW:
        return None
    return decode_scalar(array.dtype, data[: array.item_bytes], big_endian=array.big_endian)

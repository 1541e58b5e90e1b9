"""Makes tensor bundles and sorted tables byte by byte, as TensorFlow writes them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.crc32c import crc32c

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

MAGIC = bytes.fromhex("57fb808b247547db")
DTYPES = {"float32": (1, "f"), "int32": (3, "i"), "int64": (9, "q")}
STRING, VARIANT = 7, 21
RESTART_INTERVAL = 16


class Tensor(NamedTuple):
    """What goes into a bundle.

    Attributes:
        dtype: "float32", "int32", "int64"; "string" or "variant" for bytes.
        values: Its elements, flat.
        shape: None for one dimension.
        shard: Number of its data file.
    """

    dtype: str
    values: tuple[float | int | bytes, ...]
    shape: tuple[int, ...] | None = None
    shard: int = 0


def masked(checksum: int) -> int:
    rotated = (checksum >> 15 | checksum << 17) & 0xFFFFFFFF
    return (rotated + 0xA282EAD8) & 0xFFFFFFFF


def varint(number: int) -> bytes:
    number &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number: int, value: int | bytes, *, fixed: bool = False) -> bytes:
    """One field of a message: a varint, 4 bytes, or bytes with their length."""
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    if fixed:
        return varint(number << 3 | 5) + struct.pack("<I", value)
    return varint(number << 3) + varint(value)


def block(entries: Iterable[tuple[bytes, bytes]]) -> bytes:
    """A block with its trailer; keys share their beginnings as far as restart points let them."""
    out, restarts, before = bytearray(), [0], b""
    for number, (key, value) in enumerate(entries):
        shared = 0
        if number % RESTART_INTERVAL == 0:
            restarts = [*restarts, len(out)] if number else restarts
        else:
            while shared < min(len(key), len(before)) and key[shared] == before[shared]:
                shared += 1
        out += (
            varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        )
        before = key
    out += b"".join(struct.pack("<I", place) for place in (*restarts, len(restarts)))
    return bytes(out) + trailer(bytes(out))


def trailer(content: bytes, kind: int = 0) -> bytes:
    return bytes([kind]) + struct.pack("<I", masked(crc32c(content + bytes([kind]))))


def table(entries: Mapping[bytes, bytes], per_block: int = 8) -> bytes:
    """A whole table."""
    out, index = bytearray(), []
    items = sorted(entries.items())
    for begin in range(0, len(items), per_block):
        part = items[begin : begin + per_block]
        data = block(part)
        index.append((part[-1][0], varint(len(out)) + varint(len(data) - 5)))
        out += data
    handles = []
    for content in (block([]), block(index)):
        handles.append(varint(len(out)) + varint(len(content) - 5))
        out += content
    return bytes(out) + b"".join(handles).ljust(40, b"\0") + MAGIC


def shape_message(shape: tuple[int, ...]) -> bytes:
    return b"".join(field(2, field(1, size)) for size in shape)


def header(shards: int = 1, *, big_endian: bool = False, min_consumer: int = 0) -> bytes:
    version = field(1, 1) + (field(2, min_consumer) if min_consumer else b"")
    return field(1, shards) + (field(2, 1) if big_endian else b"") + field(3, version)


def entry(
    dtype: int, shape: tuple[int, ...], shard: int, place: tuple[int, int], crc: int
) -> bytes:
    message = field(1, dtype) + field(2, shape_message(shape)) + field(3, shard)
    return message + field(4, place[0]) + field(5, place[1]) + field(6, masked(crc), fixed=True)


def stored_bytes(tensor: Tensor) -> tuple[int, bytes, int]:
    """Number of the data type, bytes in the data file, and their checksum."""
    if tensor.dtype == "string":
        texts = [value for value in tensor.values if isinstance(value, bytes)]
        lengths = b"".join(map(varint, map(len, texts)))
        checksum = crc32c(b"".join(struct.pack("<I", len(text)) for text in texts))
        inner = struct.pack("<I", masked(checksum))
        checksum = crc32c(inner + b"".join(texts), checksum)
        return STRING, lengths + inner + b"".join(texts), checksum
    if tensor.dtype == "variant":
        parts, checksum = bytearray(), 0
        for value in tensor.values:
            assert isinstance(value, bytes)
            checksum = crc32c(struct.pack("<Q", len(value)) + value, checksum)
            inner = struct.pack("<I", masked(checksum))
            parts += varint(len(value)) + value + inner
            checksum = crc32c(inner, checksum)
        return VARIANT, bytes(parts), checksum
    number, code = DTYPES[tensor.dtype]
    data = struct.pack(f"<{len(tensor.values)}{code}", *tensor.values)
    return number, data, crc32c(data)


def write_bundle(prefix: Path, tensors: Mapping[str, Tensor], shards: int = 1) -> None:
    """Writes an index and its data files."""
    data = [bytearray() for _ in range(shards)]
    entries = {b"": header(shards)}
    for key, tensor in sorted(tensors.items()):
        number, content, checksum = stored_bytes(tensor)
        shape = (len(tensor.values),) if tensor.shape is None else tensor.shape
        place = (len(data[tensor.shard]), len(content))
        entries[key.encode()] = entry(number, shape, tensor.shard, place, checksum)
        data[tensor.shard] += content
    for number, content in enumerate(data):
        name = f"{prefix.name}.data-{number:05d}-of-{shards:05d}"
        prefix.with_name(name).write_bytes(bytes(content))
    prefix.with_name(f"{prefix.name}.index").write_bytes(table(entries))

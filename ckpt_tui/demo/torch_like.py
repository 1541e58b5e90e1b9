"""Write files that `torch.load(weights_only=True)` accepts, without torch.

The layout is what `torch.save` of torch 2.x leaves: a stored zip whose records lie below one
root and start at multiples of 64 bytes; `data.pkl` is a protocol 2 pickle in which a tensor is
`torch._utils._rebuild_tensor_v2` of a persistent ID
`('storage', torch.FloatStorage, key, 'cpu', numel)`; `data/KEY` are the raw storages.
"""

from __future__ import annotations

import math
import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ALIGNMENT_BYTES = 64


class TensorType(NamedTuple):
    """How torch calls a storage of this element type, and the element's size in bytes."""

    storage: str
    item_bytes: int


TENSOR_TYPES = {
    "float32": TensorType("FloatStorage", 4),
    "int64": TensorType("LongStorage", 8),
    "uint8": TensorType("ByteStorage", 1),
}


class Tensor(NamedTuple):
    """A contiguous tensor: element type, shape, and raw little-endian bytes in row order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


Tree = None | bool | int | float | str | Tensor | list["Tree"] | dict[str | int, "Tree"]


def torch_file(tree: Tree, root: str) -> list[bytes]:
    """A checkpoint file as `torch.save` writes it, in pieces that follow each other.

    Args:
        tree: What to store.
        root: The name above all records; torch takes the stem of the file's name.

    Raises:
        ValueError: A tensor's bytes do not fit its shape and type, or its type is unknown.
    """
    pickler = _Pickler()
    pickled = pickler.pickle(tree)
    archive = _Archive(root)
    archive.add("data.pkl", pickled)
    archive.add(".format_version", b"1")
    archive.add(".storage_alignment", str(ALIGNMENT_BYTES).encode())
    archive.add("byteorder", b"little")
    for key, data in enumerate(pickler.storages):
        archive.add(f"data/{key}", data)
    archive.add("version", b"3\n")
    archive.add(".data/serialization_id", f"{zlib.crc32(pickled):040}".encode())
    return archive.finish()


def rechunk(pieces: Iterable[bytes], chunk_bytes: int) -> Iterator[bytes]:
    """The same bytes in chunks of at most `chunk_bytes`, to be written one after the other."""
    joined = memoryview(b"".join(pieces))
    for start in range(0, len(joined), chunk_bytes):
        yield bytes(joined[start : start + chunk_bytes])


class _Pickler:
    """Protocol 2 opcodes by hand, for the few kinds of value that a checkpoint holds."""

    def __init__(self) -> None:
        self.storages: list[bytes] = []

    def pickle(self, tree: Tree) -> bytes:
        return b"\x80\x02" + self._value(tree) + b"."

    def _value(self, value: Tree) -> bytes:
        if value is None:
            return b"N"
        if isinstance(value, bool):
            return b"\x88" if value else b"\x89"
        if isinstance(value, int):
            return _integer(value)
        if isinstance(value, float):
            return b"G" + struct.pack(">d", value)
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, list):
            return b"](" + b"".join(map(self._value, value)) + b"e"
        pairs = (self._value(key) + self._value(item) for key, item in value.items())
        return b"}(" + b"".join(pairs) + b"u"

    def _tensor(self, tensor: Tensor) -> bytes:
        count = math.prod(tensor.shape)
        kind = TENSOR_TYPES.get(tensor.dtype)
        if kind is None or len(tensor.data) != count * kind.item_bytes:
            raise ValueError(
                f"{len(tensor.data)} bytes are no {tensor.dtype} tensor of shape {tensor.shape}"
            )
        key = str(len(self.storages))
        self.storages.append(tensor.data)
        storage = _global("torch", kind.storage)
        identity = _tuple(_text("storage"), storage, _text(key), _text("cpu"), _integer(count))
        no_hooks = _global("collections", "OrderedDict") + b")R"
        arguments = _tuple(
            identity + b"Q",
            _integer(0),
            _tuple(*map(_integer, tensor.shape)),
            _tuple(*map(_integer, contiguous_strides(tensor.shape))),
            b"\x89",
            no_hooks,
        )
        return _global("torch._utils", "_rebuild_tensor_v2") + arguments + b"R"


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Elements to skip per dimension in a tensor that is stored row by row."""
    return tuple(math.prod(map(_at_least_one, shape[axis + 1 :])) for axis in range(len(shape)))


def _at_least_one(size: int) -> int:
    return max(size, 1)


def _integer(value: int) -> bytes:
    if 0 <= value < 2**8:
        return b"K" + struct.pack("<B", value)
    if 0 <= value < 2**16:
        return b"M" + struct.pack("<H", value)
    if -(2**31) <= value < 2**31:
        return b"J" + struct.pack("<i", value)
    encoded = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + struct.pack("<B", len(encoded)) + encoded


def _text(value: str) -> bytes:
    encoded = value.encode()
    return b"X" + struct.pack("<I", len(encoded)) + encoded


def _global(module: str, name: str) -> bytes:
    return f"c{module}\n{name}\n".encode()


def _tuple(*items: bytes) -> bytes:
    return b"(" + b"".join(items) + b"t" if items else b")"


class _Archive:
    """A stored zip, written as torch writes it: sizes follow the data, zip64 end records."""

    _LOCAL = struct.Struct("<4s5H3I2H")
    _DESCRIPTOR = struct.Struct("<4s3I")
    _CENTRAL = struct.Struct("<4s6H3I5H2I")
    _END_64 = struct.Struct("<4sQ2H2I4Q")
    _LOCATOR_64 = struct.Struct("<4sIQI")
    _END = struct.Struct("<4s4H2IH")
    _UTF8_NAME = 0x0800
    _SIZES_FOLLOW = 0x0008
    _MADE_BY = 0x031E
    _NEEDS = 45

    def __init__(self, root: str) -> None:
        self._root = root
        self._pieces: list[bytes] = []
        self._central: list[bytes] = []
        self._offset_bytes = 0

    def add(self, record: str, data: bytes) -> None:
        name = f"{self._root}/{record}".encode()
        flags = self._UTF8_NAME | (self._SIZES_FOLLOW if data else 0)
        start = self._offset_bytes
        padding = self._padding(start + self._LOCAL.size + len(name))
        crc32, size_bytes = zlib.crc32(data), len(data)
        header = (0, flags, 0, 0, 0, 0, 0, 0, len(name), len(padding))
        self._put(self._LOCAL.pack(b"PK\x03\x04", *header) + name + padding)
        self._put(data)
        if data:
            self._put(self._DESCRIPTOR.pack(b"PK\x07\x08", crc32, size_bytes, size_bytes))
        sizes = (crc32, size_bytes, size_bytes, len(name))
        listed = (0, 0, flags, 0, 0, 0, *sizes, 0, 0, 0, 0, 0, start)
        self._central.append(self._CENTRAL.pack(b"PK\x01\x02", *listed) + name)

    def finish(self) -> list[bytes]:
        count, start = len(self._central), self._offset_bytes
        self._put(b"".join(self._central))
        end = self._offset_bytes
        size_bytes = end - start
        self._put(
            self._END_64.pack(
                b"PK\x06\x06",
                self._END_64.size - 12,
                self._MADE_BY,
                self._NEEDS,
                0,
                0,
                count,
                count,
                size_bytes,
                start,
            )
        )
        self._put(self._LOCATOR_64.pack(b"PK\x06\x07", 0, end, 1))
        self._put(self._END.pack(b"PK\x05\x06", 0, 0, count, count, size_bytes, start, 0))
        return self._pieces

    def _put(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._offset_bytes += len(piece)

    @staticmethod
    def _padding(offset_bytes: int) -> bytes:
        """An extra field `FB` that moves the data to the next multiple of 64 bytes."""
        fill = -(offset_bytes + 4) % ALIGNMENT_BYTES
        return b"FB" + struct.pack("<H", fill) + b"Z" * fill

"""Reads the index of a TensorFlow bundle: which tensors there are, and where their bytes lie.

A bundle is `PREFIX.index`, a sorted table, and data files `PREFIX.data-SSSSS-of-NNNNN`. Key ""
holds a header, every other key a tensor or a slice of one, by the messages of TensorFlow's
`core/protobuf/tensor_bundle.proto`; what is refused here, its `core/util/tensor_bundle` refuses.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from ckpt_tui.artifacts.bundle_keys import read_slice_key
from ckpt_tui.artifacts.crc32c import unmasked
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.protobuf import BYTES, fields, signed
from ckpt_tui.artifacts.sstable import read_table

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.sstable import Block

INDEX_ENDING: Final = ".index"

STRING: Final = "string"
VARIANT: Final = "variant"

# Number of a data type (`types.proto`): its name, and bytes of one element; 0 where they vary.
_DTYPES: Final = {
    1: ("float32", 4), 2: ("float64", 8), 3: ("int32", 4), 4: ("uint8", 1), 5: ("int16", 2),
    6: ("int8", 1), 7: (STRING, 0), 8: ("complex64", 8), 9: ("int64", 8), 10: ("bool", 1),
    11: ("qint8", 1), 12: ("quint8", 1), 13: ("qint32", 4), 14: ("bfloat16", 2),
    15: ("qint16", 2), 16: ("quint16", 2), 17: ("uint16", 2), 18: ("complex128", 16),
    19: ("float16", 2), 21: (VARIANT, 0), 22: ("uint32", 4), 23: ("uint64", 8),
    24: ("float8_e5m2", 1), 25: ("float8_e4m3fn", 1), 26: ("float8_e4m3fnuz", 1),
    27: ("float8_e4m3b11fnuz", 1), 28: ("float8_e5m2fnuz", 1), 29: ("int4", 1), 30: ("uint4", 1),
    31: ("int2", 1), 32: ("uint2", 1), 33: ("float4_e2m1fn", 1),
}  # fmt: skip

_OUR_VERSION: Final = 1
_MOST_DIMENSIONS: Final = 254
_MOST_SHARDS: Final = 100_000
_BETWEEN_CHECKS: Final = 256


class BundleEntry(NamedTuple):
    """One tensor, or one slice of a tensor that several writers share.

    Attributes:
        key: Its name; for a slice that of the tensor it is a part of.
        dtype: Such as `float32`; "string", "variant".
        shape: Length of each dimension; empty for a scalar.
        shard: Number of the data file that holds it.
        offset: Of its first byte there.
        size_bytes: How many bytes it has there.
        crc32c: What its bytes must give, unmasked (`bundle_checksums` says over what).
        slices: How many slices it is stored as; 0 where its bytes are its own. A tensor in slices
            has no bytes under its own key.
        is_slice: True for a slice.
        starts: Where a slice begins in each dimension of its tensor; empty where that is unknown.
    """

    key: str
    dtype: str
    shape: tuple[int, ...]
    shard: int
    offset: int
    size_bytes: int
    crc32c: int
    slices: int = 0
    is_slice: bool = False
    starts: tuple[int, ...] = ()

    @property
    def elements(self) -> int:
        """How many elements the shape has."""
        return math.prod(self.shape)


class Bundle(NamedTuple):
    """An index, whole.

    Attributes:
        shards: How many data files there are.
        big_endian: Byte order of the machine that wrote it.
        entries: All tensors and slices, in the order of the keys.
        blocks: The blocks of the index file.
    """

    shards: int
    big_endian: bool
    entries: tuple[BundleEntry, ...]
    blocks: tuple[Block, ...]


def data_file_name(prefix: str, shard: int, shards: int) -> str:
    """Name of a data file; the numbers have at least five digits."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def read_bundle(source: Source, limits: Limits) -> Bundle:
    """Reads an index file.

    Raises:
        ArtifactError: As `sstable.read_table`; `unreadable-archive` where the header or an entry
            cannot be right; `unsupported-version` for a newer format or an unknown data type.
    """
    table = read_table(source, limits)
    if not table.entries or table.entries[0][0] != b"":
        _refuse(source, "the header, under an empty key, is missing")
    shards, big_endian = _header(source, table.entries[0][1])
    deadline = Deadline(limits, source.name)
    entries: list[BundleEntry] = []
    shapes: dict[bytes, tuple[int, ...]] = {}
    for number, (key, value) in enumerate(table.entries[1:]):
        if number % _BETWEEN_CHECKS == 0:
            deadline.check()
        entries.append(_entry(source, key, value, shards, shapes))
    return Bundle(shards, big_endian, tuple(entries), table.blocks)


def _header(source: Source, message: bytes) -> tuple[int, bool]:
    """How many data files there are, and whether they are big-endian."""
    shards, big_endian = 0, False
    for number, _, value in fields(message, source.name):
        if number == 1 and isinstance(value, int):
            shards = value
        elif number == 2:
            big_endian = value == 1
        elif number == 3 and isinstance(value, bytes):
            _check_version(source, value)
    if shards > _MOST_SHARDS:
        raise ArtifactError(
            "limit-exceeded", f"it counts {shards} data files: that cannot be", source.name
        )
    return shards, big_endian


def _check_version(source: Source, message: bytes) -> None:
    for number, _, value in fields(message, source.name):
        if number == 2 and isinstance(value, int) and signed(value) > _OUR_VERSION:
            raise ArtifactError(
                "unsupported-version",
                f"it asks for a reader of bundle version {value}; {_OUR_VERSION} is known here",
                source.name,
            )


def _entry(
    source: Source,
    key: bytes,
    message: bytes,
    shards: int,
    shapes: dict[bytes, tuple[int, ...]],
) -> BundleEntry:
    """Reads one entry; tensors of one shape share what its message says."""
    shape: tuple[int, ...] = ()
    whole = {1: 0, 3: 0, 4: 0, 5: 0, 6: 0}
    slices = 0
    for number, kind, value in fields(message, source.name):
        if number == 2 and isinstance(value, bytes):
            if value not in shapes:
                shapes[value] = _shape(source, value)
            shape = shapes[value]
        elif number == 7 and kind == BYTES:
            slices += 1
        elif number in whole and isinstance(value, int):
            whole[number] = value
    part = read_slice_key(key)
    name = (key if part is None else part.tensor).decode("utf-8", "backslashreplace")
    dtype, item_bytes = _DTYPES.get(whole[1], ("", 0))
    if not dtype:
        raise ArtifactError(
            "unsupported-version",
            f"tensor {name!r} has data type {whole[1]}, which is not known here",
            source.name,
        )
    entry = BundleEntry(
        name, dtype, shape, signed(whole[3]), signed(whole[4]), signed(whole[5]),
        unmasked(whole[6]), slices, part is not None, part.starts if part is not None else (),
    )  # fmt: skip
    _check_entry(source, entry, item_bytes, shards)
    return entry


def _check_entry(source: Source, entry: BundleEntry, item_bytes: int, shards: int) -> None:
    """A tensor in slices has no place of its own; any other one has a possible one."""
    if entry.slices:
        return
    if entry.size_bytes < 0 or entry.offset < 0 or not 0 <= entry.shard < shards:
        _refuse(
            source,
            f"tensor {entry.key!r} cannot have {entry.size_bytes} bytes at offset {entry.offset}"
            f" of data file {entry.shard} of {shards}",
        )
    wanted = item_bytes * entry.elements
    if item_bytes and entry.size_bytes != wanted:
        _refuse(
            source,
            f"tensor {entry.key!r} of type {entry.dtype} and shape {list(entry.shape)} needs"
            f" {wanted} bytes, but its entry counts {entry.size_bytes}",
        )


def _shape(source: Source, message: bytes) -> tuple[int, ...]:
    lengths = []
    for number, _, value in fields(message, source.name):
        if number == 3 and value:
            _refuse(source, "a tensor has a shape of unknown rank")
        if number == 2 and isinstance(value, bytes):
            size = next((v for n, _, v in fields(value, source.name) if n == 1), 0)
            lengths.append(signed(size) if isinstance(size, int) else -1)
    if len(lengths) > _MOST_DIMENSIONS or any(length < 0 for length in lengths):
        _refuse(source, "a tensor has a shape that cannot be")
    return tuple(lengths)


def _refuse(source: Source, message: str) -> NoReturn:
    raise ArtifactError("unreadable-archive", f"tensor bundle: {message}", source.name)

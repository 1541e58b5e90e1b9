"""What `.zarray` (zarr version 2) and `zarr.json` (version 3) say of an array and its chunks.

Field names are those of the zarr specifications and of the codec `sharding_indexed` (ZEP 2). A
stored chunk is a file, or a value under a key: with sharding it holds several inner chunks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.json_document import parse_json
from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.limits import Limits

NAMES = (".zarray", "zarr.json")
RAW, ZSTD, OTHER = "raw", "zstd", "other"

_MOST_DIMENSIONS: Final = 64
_MOST_BYTES: Final = 1 << 62
"""Of one array: TensorStore counts in signed numbers of 64 bits."""
_KINDS: Final = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
_ITEM_BYTES: Final = {
    "bool": 1, "int2": 1, "int4": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
    "uint2": 1, "uint4": 1, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
    "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16,
    "float8_e4m3fn": 1, "float8_e4m3fnuz": 1, "float8_e4m3b11fnuz": 1, "float8_e5m2": 1,
    "float8_e5m2fnuz": 1, "float8_e3m4": 1, "float8_e4m3": 1, "float8_e8m0fnu": 1,
    "float4_e2m1fn": 1, "float6_e2m3fn": 1, "float6_e3m2fn": 1,
}  # fmt: skip


class ZarrArray(NamedTuple):
    """One array.

    Attributes:
        shape: Of the whole array; empty for a scalar.
        dtype: Such as `bfloat16`; as written where it is not known.
        item_bytes: Of one element; 0 where the type is not known.
        chunk_shape: Of a stored chunk; at the array's edge it reaches beyond the array.
        inner_shape: Of the chunks inside a stored one; None without sharding.
        coding: How a stored chunk (with sharding: an inner one) is written: RAW, ZSTD or OTHER.
        big_endian: Byte order of the elements.
        prefix: What the key of each chunk begins with ("c" in version 3).
        separator: Between the parts of a chunk's key.
        fills: Whether an absent chunk has a value to stand for; else all have to be stored.
    """

    shape: tuple[int, ...]
    dtype: str
    item_bytes: int
    chunk_shape: tuple[int, ...]
    inner_shape: tuple[int, ...] | None = None
    coding: str = RAW
    big_endian: bool = False
    prefix: str = ""
    separator: str = "."
    fills: bool = False

    @property
    def grid(self) -> tuple[int, ...]:
        """Number of stored chunks along each dimension."""
        return tuple(-(-n // c) for n, c in zip(self.shape, self.chunk_shape, strict=True))

    @property
    def chunk_count(self) -> int:
        """Number of stored chunks."""
        return math.prod(self.grid)

    @property
    def size_bytes(self) -> int:
        """Bytes of all elements, uncompressed."""
        return math.prod(self.shape) * self.item_bytes

    @property
    def chunk_bytes(self) -> int:
        """Bytes of the elements of one stored chunk (with sharding: an inner one)."""
        inner = self.chunk_shape if self.inner_shape is None else self.inner_shape
        return math.prod(inner) * self.item_bytes

    @property
    def inner_count(self) -> int:
        """Number of chunks inside a stored one; 0 without sharding."""
        if self.inner_shape is None:
            return 0
        pairs = zip(self.chunk_shape, self.inner_shape, strict=True)
        return math.prod(-(-whole // part) for whole, part in pairs)

    def chunk_key(self, index: tuple[int, ...]) -> str:
        """The key of a stored chunk, relative to the array's name."""
        parts = [self.prefix] if self.prefix else []
        parts += [str(number) for number in index]
        return self.separator.join(parts) or "0"

    def chunk_indices(self) -> Iterator[tuple[int, ...]]:
        """The index of each stored chunk; there may be any number of them."""
        grid = self.grid
        for number in range(math.prod(grid)):
            index = []
            for size in reversed(grid):
                number, place = divmod(number, size)
                index.append(place)
            yield tuple(reversed(index))

    def chunk_index(self, key: str) -> tuple[int, ...] | None:
        """The index of a stored chunk by its key; None for what is no chunk of this array."""
        if not self.shape:
            return () if key == self.chunk_key(()) else None
        parts = key.split(self.separator)
        if self.prefix:
            if parts[0] != self.prefix:
                return None
            del parts[0]
        if len(parts) != len(self.shape) or not all(p.isdecimal() and len(p) < 19 for p in parts):
            return None
        index = tuple(map(int, parts))
        inside = all(place < size for place, size in zip(index, self.grid, strict=True))
        return index if inside and self.chunk_key(index) == key else None


def parse_array(data: bytes, limits: Limits, path: str) -> ZarrArray:
    """Reads `.zarray` or `zarr.json`.

    Raises:
        ArtifactError: ``empty-file``, ``invalid-json`` for what cannot be an array's description,
            ``unsupported-version`` for a grid or key encoding that is not known.
    """
    if not data:
        raise ArtifactError("empty-file", "the file is empty (0 bytes)", path)
    document = parse_json(data, limits, path)
    if not isinstance(document, dict):
        raise ArtifactError("invalid-json", "it is no JSON object", path)
    version = document.get("zarr_format")
    if version == 2:
        return _version_two(document, path)
    if version == 3:
        return _version_three(document, path)
    raise ArtifactError("unsupported-version", f"it is of zarr version {version!r}", path)


def _version_two(document: dict[str, object], path: str) -> ZarrArray:
    shape = _lengths(document.get("shape"), "shape", path)
    chunks = _lengths(document.get("chunks"), "chunks", path, least=1)
    written = document.get("dtype")
    dtype, item_bytes, big_endian = _dtype(written if isinstance(written, str) else "unknown")
    compressor = document.get("compressor")
    coding = RAW if compressor is None else OTHER
    if isinstance(compressor, dict) and compressor.get("id") == "zstd":
        coding = ZSTD
    if document.get("filters"):
        coding = OTHER
    separator = document.get("dimension_separator", ".")
    return _checked(
        ZarrArray(
            shape, dtype, item_bytes, chunks, None, coding, big_endian,
            separator="/" if separator == "/" else ".",
            fills=document.get("fill_value") is not None,
        ),
        path,
    )  # fmt: skip


def _version_three(document: dict[str, object], path: str) -> ZarrArray:
    grid = _named(document.get("chunk_grid"))
    if grid[0] != "regular":
        raise ArtifactError("unsupported-version", f"its chunk grid is {grid[0]!r}", path)
    keys, settings = _named(document.get("chunk_key_encoding"))
    if keys not in ("default", "v2"):
        raise ArtifactError("unsupported-version", f"its key encoding is {keys!r}", path)
    separator = settings.get("separator", "/" if keys == "default" else ".")
    shape = _lengths(document.get("shape"), "shape", path)
    chunks = _lengths(grid[1].get("chunk_shape"), "chunk_shape", path, least=1)
    written = document.get("data_type")
    dtype, item_bytes, _ = _dtype(written if isinstance(written, str) else "unknown")
    codecs = document.get("codecs")
    inner = None
    outer = [_named(codec) for codec in codecs] if isinstance(codecs, list) else []
    if len(outer) == 1 and outer[0][0] == "sharding_indexed":
        inner = _lengths(outer[0][1].get("chunk_shape"), "chunk_shape", path, least=1)
        codecs = outer[0][1].get("codecs")
    coding, big_endian = _coding(codecs)
    prefix = "c" if keys == "default" else ""
    return _checked(
        ZarrArray(
            shape, dtype, item_bytes, chunks, inner, coding, big_endian, prefix,
            "/" if separator == "/" else ".", fills=True,
        ),
        path,
    )  # fmt: skip


def _coding(codecs: object) -> tuple[str, bool]:
    """How elements are written, and whether big-endian."""
    named = [_named(codec) for codec in codecs] if isinstance(codecs, list) else []
    big_endian = any(s.get("endian") == "big" for name, s in named if name == "bytes")
    names = [name for name, _ in named if name != "bytes"]
    if not names:
        return RAW, big_endian
    return (ZSTD if names == ["zstd"] else OTHER), big_endian


def _named(value: object) -> tuple[str, dict[str, object]]:
    """(name, configuration) of an extension point; an empty name for what is none."""
    if isinstance(value, str):
        return value, {}
    if not isinstance(value, dict):
        return "", {}
    settings = value.get("configuration")
    return str(value.get("name", "")), settings if isinstance(settings, dict) else {}


def _dtype(written: str) -> tuple[str, int, bool]:
    """(usual name, bytes of an element, big-endian) of a type as either version writes it."""
    name = written
    if len(written) > 2 and written[0] in "<>|" and written[2:].isdecimal():
        bits = int(written[2:4]) * 8
        kind = _KINDS.get(written[1], "")
        name = kind if kind == "bool" else f"{kind}{bits}"
    return name, _ITEM_BYTES.get(name, 0), written.startswith(">")


def _lengths(value: object, what: str, path: str, least: int = 0) -> tuple[int, ...]:
    right = isinstance(value, list) and len(value) <= _MOST_DIMENSIONS
    if isinstance(value, list) and right:
        lengths = tuple(n for n in value if type(n) is int and least <= n < 1 << 63)
        if len(lengths) == len(value):
            return lengths
    raise ArtifactError("invalid-json", f"its `{what}` is no list of lengths", path)


def _checked(array: ZarrArray, path: str) -> ZarrArray:
    ranks = {len(array.shape), len(array.chunk_shape)}
    if array.inner_shape is not None:
        ranks.add(len(array.inner_shape))
    if len(ranks) != 1:
        raise ArtifactError("invalid-json", "its shapes differ in their dimensions", path)
    shapes = (array.shape, array.chunk_shape, array.inner_shape or ())
    if max(map(math.prod, shapes)) * max(array.item_bytes, 1) > _MOST_BYTES:
        raise ArtifactError("invalid-json", "its shapes have more elements than can be", path)
    return array

"""zarr metadata of both versions, chunk keys, the ends of chunks, and scalars."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.crc32c import crc32c
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.zarr_chunks import check_chunk, scalar_of, shard_places
from ckpt_tui.artifacts.zarr_metadata import (
    OTHER,
    RAW,
    ZSTD,
    ZarrArray,
    parse_array,
)
from ckpt_tui.artifacts.zstd_frames import frame_end
from tests.artifacts.builders import LIMITS, BytesSource

TWO: dict[str, Any] = {
    "chunks": [4, 4], "compressor": {"id": "zstd", "level": 1}, "dimension_separator": ".",
    "dtype": "bfloat16", "fill_value": None, "filters": None, "order": "C", "shape": [10, 8],
    "zarr_format": 2,
}  # fmt: skip
INNER = [
    {"name": "bytes", "configuration": {"endian": "little"}},
    {"name": "zstd", "configuration": {"level": 3, "checksum": False}},
]
THREE: dict[str, Any] = {
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8, 8]}},
    "chunk_key_encoding": {"name": "default"}, "data_type": "float32", "fill_value": 0.0,
    "codecs": [{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [4, 8], "codecs": INNER, "index_codecs": []}}],
    "node_type": "array", "shape": [16, 8], "zarr_format": 3,
}  # fmt: skip


def parsed(document: object) -> ZarrArray:
    return parse_array(json.dumps(document).encode(), LIMITS, "x")


def shard(*chunks: bytes | None) -> bytes:
    """A stored chunk with an index at its end, as `sharding_indexed` writes it."""
    data, index = b"", b""
    for chunk in chunks:
        missing = (1 << 64) - 1
        place = (missing, missing) if chunk is None else (len(data), len(chunk))
        index += struct.pack("<QQ", *place)
        data += chunk or b""
    return data + index + struct.pack("<I", crc32c(index))


def code_of(data: bytes, array: ZarrArray) -> str:
    with pytest.raises(ArtifactError) as raised:
        check_chunk(BytesSource(data), array)
    return raised.value.code


def test_version_two() -> None:
    array = parsed(TWO)
    assert (array.shape, array.dtype, array.item_bytes) == ((10, 8), "bfloat16", 2)
    assert (array.grid, array.chunk_count, array.size_bytes) == ((3, 2), 6, 160)
    assert [array.chunk_key(i) for i in array.chunk_indices()] == [
        "0.0", "0.1", "1.0", "1.1", "2.0", "2.1",
    ]  # fmt: skip
    assert (array.coding, array.fills, array.chunk_bytes) == (ZSTD, False, 32)


def test_version_three() -> None:
    array = parsed(THREE)
    assert (array.grid, array.inner_count, array.chunk_bytes) == ((2, 1), 2, 128)
    assert [array.chunk_key(i) for i in array.chunk_indices()] == ["c/0/0", "c/1/0"]
    assert array.fills


@pytest.mark.parametrize(
    ("written", "name", "item_bytes"),
    [("<f4", "float32", 4), ("|b1", "bool", 1), ("<i8", "int64", 8), ("<c8", "complex64", 8),
     ("float8_e4m3fn", "float8_e4m3fn", 1), ("V7", "V7", 0)],
)  # fmt: skip
def test_types(written: str, name: str, item_bytes: int) -> None:
    array = parsed(TWO | {"dtype": written})
    assert (array.dtype, array.item_bytes) == (name, item_bytes)


def test_a_scalar_has_one_chunk() -> None:
    two = parsed(TWO | {"shape": [], "chunks": []})
    three = parsed(THREE | {"shape": [], "codecs": INNER,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": []}}})  # fmt: skip
    assert (two.chunk_key(()), three.chunk_key(())) == ("0", "c")
    assert (two.chunk_count, two.chunk_index("0"), three.chunk_index("c")) == (1, (), ())


@pytest.mark.parametrize(
    "key", ["", "0", "3.0", "0.2", "00.0", "0.0.0", "c/0/0", "0.x", "0.0.__lock"]
)
def test_what_is_no_chunk(key: str) -> None:
    assert parsed(TWO).chunk_index(key) is None


@pytest.mark.parametrize(
    ("change", "code"),
    [({"zarr_format": 4}, "unsupported-version"), ({"shape": "8"}, "invalid-json"),
     ({"shape": [1.5, 2]}, "invalid-json"), ({"chunks": [0, 4]}, "invalid-json"),
     ({"chunks": [4]}, "invalid-json"), ({"shape": [True, 2]}, "invalid-json"),
     ({"shape": [1] * 65, "chunks": [1] * 65}, "invalid-json"),
     ({"shape": [1 << 62] * 64, "chunks": [1] * 64}, "invalid-json"),
     ({"chunks": [1 << 62, 1 << 62]}, "invalid-json")],
)  # fmt: skip
def test_descriptions_that_cannot_be(change: dict[str, Any], code: str) -> None:
    with pytest.raises(ArtifactError) as raised:
        parsed(TWO | change)
    assert raised.value.code == code


def test_a_raw_chunk_has_one_size() -> None:
    raw = parsed(TWO | {"compressor": None})
    assert raw.coding == RAW
    check_chunk(BytesSource(bytes(32)), raw)
    assert code_of(bytes(31), raw) == "truncated-file"
    assert code_of(bytes(33), raw) == "size-mismatch"
    assert code_of(b"", raw) == "empty-file"


def test_what_is_not_known_is_not_judged() -> None:
    other = parsed(TWO | {"compressor": {"id": "blosc"}})
    assert other.coding == OTHER
    check_chunk(BytesSource(b"anything"), other)


@pytest.mark.parametrize("content", [b"", b"a", bytes(300_000), bytes(range(256)) * 2000])
def test_each_cut_of_a_frame_is_seen(content: bytes) -> None:
    frame = zstd.compress(content)
    assert frame_end(BytesSource(frame)) == len(frame)
    assert frame_end(BytesSource(frame + b"behind")) == len(frame)
    step = max(1, len(frame) // 200)
    for size in range(0, len(frame), step):
        with pytest.raises(ArtifactError):
            frame_end(BytesSource(frame[:size]))


def test_a_shard_and_each_cut_of_it() -> None:
    array = parsed(THREE)
    whole = shard(zstd.compress(bytes(128)), None)
    (first, second) = shard_places(BytesSource(whole), array)
    assert first is not None
    assert second is None
    for size in range(len(whole)):
        code_of(whole[:size], array)


def test_a_shard_whose_index_leads_beyond_it() -> None:
    index = struct.pack("<QQQQ", 0, 1 << 40, 0, 0)
    data = b"abc" + index + struct.pack("<I", crc32c(index))
    assert code_of(data, parsed(THREE)) == "truncated-file"


def test_scalars() -> None:
    plain = parsed(TWO | {"shape": [], "chunks": [], "dtype": "<i8", "compressor": None})
    value = struct.pack("<q", 1200)
    assert scalar_of(BytesSource(value), plain) == 1200
    packed = plain._replace(coding=ZSTD)
    assert scalar_of(BytesSource(zstd.compress(value)), packed) == 1200
    sharded = packed._replace(inner_shape=())
    assert scalar_of(BytesSource(shard(zstd.compress(value))), sharded) == 1200
    assert scalar_of(BytesSource(shard(None)), sharded) is None
    assert scalar_of(BytesSource(value), parsed(TWO)) is None
    with pytest.raises(ArtifactError):
        scalar_of(BytesSource(zstd.compress(bytes(1 << 20))), packed)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for array in (parsed(TWO), parsed(THREE)):
        try:
            check_chunk(BytesSource(data), array)
            scalar_of(BytesSource(data), array._replace(shape=(), chunk_shape=(), inner_shape=None))
        except ArtifactError:
            pass


@given(st.dictionaries(st.sampled_from([*TWO, *THREE]), st.none() | st.integers() | st.text()
       | st.lists(st.integers()) | st.dictionaries(st.text(), st.integers())))  # fmt: skip
def test_any_description_is_read_or_refused(change: dict[str, Any]) -> None:
    for base in (TWO, THREE):
        try:
            array = parsed(base | change)
        except ArtifactError:
            continue
        assert len(array.grid) == len(array.shape)

"""msgpack files: every byte is walked, none of an array is kept, and damage is told."""

from __future__ import annotations

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.memory_source import MemorySource
from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.artifacts.stored_array import StoredArray, float_pieces
from tests.artifacts.msgpack_builder import Array, extension, number, pack, state

WHOLE = pack(state(300, rng=Array((2,), "uint32"), note="run 7", loss=0.5, flags=[True, None]))


def read(data: bytes, limits: Limits | None = None) -> object:
    return read_msgpack(MemorySource(data, "file"), limits or Limits())


def code_of(data: bytes) -> str:
    with pytest.raises(ArtifactError) as raised:
        read(data)
    return raised.value.code


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\x07", 7),
        (b"\xff", -1),
        (b"\xcd\x01\x00", 256),
        (b"\xd1\xff\x00", -256),
        (b"\xd3" + struct.pack(">q", -(2**40)), -(2**40)),
        (b"\xcf" + struct.pack(">Q", 2**63), 2**63),
        (b"\xca" + struct.pack(">f", 0.5), 0.5),
        (b"\xcb" + struct.pack(">d", 0.1), 0.1),
        (b"\xa2hi", "hi"),
        (b"\xd9\x02hi", "hi"),
        (b"\x92\x01\xc0", [1, None]),
        (b"\x82\xa1a\x80\xa1b\x90", {"a": {}, "b": []}),
        (extension(2, b"\x92" + pack(1.0) + pack(2.0)), 1 + 2j),
    ],
)
def test_values(data: bytes, value: object) -> None:
    assert read(data) == value


def test_array_is_described_by_its_place() -> None:
    data = pack({"w": Array((2, 3), "bfloat16", b"\x80\x3f" * 6), "step": number(300)})
    value = read(data)
    assert isinstance(value, dict)
    array, step = value["w"], value["step"]
    assert isinstance(array, StoredArray)
    assert (array.dtype, array.shape, array.size_bytes) == ("bfloat16", (2, 3), 12)
    ((begin, length),) = array.pieces
    assert data[begin : begin + length] == b"\x80\x3f" * 6
    assert isinstance(step, StoredArray)
    assert step.number == 300
    assert [piece.name for piece in float_pieces([("w", array), ("step", step)])] == ["w"]


def chunked(shape: list[int], *chunks: Array) -> bytes:
    lengths = {str(place): length for place, length in enumerate(shape)}
    numbered = {str(place): chunk for place, chunk in enumerate(chunks)}
    return pack({"__msgpack_chunked_array__": True, "shape": lengths, "chunks": numbered})


def test_array_in_chunks_is_one() -> None:
    array = read(chunked([3, 4], Array((8,)), Array((4,))))
    assert isinstance(array, StoredArray)
    assert (array.shape, array.size_bytes) == ((3, 4), 48)
    assert [length for _, length in array.pieces] == [32, 16]


def test_bytes_of_large_arrays_are_not_read() -> None:
    class Counting(MemorySource):
        read_bytes = 0

        def read_at(self, offset: int, length: int) -> bytes:
            part = super().read_at(offset, length)
            self.read_bytes += len(part)
            return part

    source = Counting(pack({"a": Array((1 << 20,)), "step": 3}), "file")
    read_msgpack(source, Limits())
    assert source.read_bytes < 200_000 < source.size


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"\x00\x00", "size-mismatch"),
        (WHOLE + b"\x00", "size-mismatch"),
        (b"\xc1", "unreadable-archive"),
        (b"\xa1\xff", "unreadable-archive"),
        (b"\x81\x91\x01\x00", "unreadable-archive"),
        (b"\x91" * 1025 + b"\x00", "unreadable-archive"),
        (b"\xdd\xff\xff\xff\xff", "truncated-file"),
        (b"\xdf\xff\xff\xff\xff\x00", "truncated-file"),
        (b"\xd4\xff\x00", "unreadable-archive"),
        (b"\xd4\xfe\x00", "unreadable-archive"),
        (pack(Array((3,), "float32", bytes(8))), "unreadable-archive"),
        (pack(Array((2,), "float32", bytes(9))), "unreadable-archive"),
        (pack(Array((2,), "str96", bytes(8))), "unreadable-archive"),
        (extension(1, b"\x93\x91\x02"), "unreadable-archive"),
        (extension(2, b"\x91\x01"), "unreadable-archive"),
        (chunked([3, 5], Array((8,)), Array((4,))), "unreadable-archive"),
        (chunked([12]), "unreadable-archive"),
    ],
)
def test_damage(data: bytes, code: str) -> None:
    assert code_of(data) == code


def test_cut_at_any_byte() -> None:
    assert {code_of(WHOLE[:length]) for length in range(1, len(WHOLE))} <= {
        "truncated-file",
        "unreadable-archive",
    }


def test_limits() -> None:
    with pytest.raises(ArtifactError) as raised:
        read(b"\xda\xff\xff" + b"a" * 0xFFFF, Limits(metadata_bytes=1000))
    assert raised.value.code == "limit-exceeded"


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    with contextlib.suppress(ArtifactError):
        read(data)


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_any_changed_byte(place: int, byte: int) -> None:
    data = bytearray(WHOLE)
    data[place] = byte
    with contextlib.suppress(ArtifactError):
        read(bytes(data))

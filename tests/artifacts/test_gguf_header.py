"""GGUF headers: the tensors against the file, within bounds."""

from __future__ import annotations

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.gguf_header import read_gguf_header
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.memory_source import MemorySource
from tests.artifacts.gguf_builder import gguf

WHOLE = gguf({"token_embd.weight": ((32, 5), 0), "blk.0.q": ((64, 4), 8)})


def code_of(data: bytes) -> str:
    with pytest.raises(ArtifactError) as raised:
        read_gguf_header(MemorySource(data, "file"), Limits())
    return raised.value.code


def test_tensors_and_values() -> None:
    header = read_gguf_header(MemorySource(WHOLE, "file"), Limits())
    assert header.version == 3
    assert header.values["general.name"] == "tiny"
    embedding, quantised = header.tensors.values()
    assert (embedding.dtype, embedding.shape, embedding.size_bytes) == ("float32", (5, 32), 640)
    assert (quantised.dtype, quantised.shape, quantised.size_bytes) == ("Q8_0", (4, 64), 272)
    assert embedding.pieces[0][0] % 32 == 0
    assert quantised.pieces[0][0] == embedding.pieces[0][0] + 640


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"GGUF", "truncated-file"),
        (b"GGML" + WHOLE[4:], "unreadable-archive"),
        (b"GGUF" + struct.pack("<I", 1) + WHOLE[8:], "unsupported-version"),
        (WHOLE[:-1], "truncated-file"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0), "truncated-file"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "truncated-file"),
        (gguf({"w": ((32,), 200)}), "unsupported-version"),
        (gguf({"w": ((33,), 8)}), "unreadable-archive"),
    ],
)
def test_damage(data: bytes, code: str) -> None:
    assert code_of(data) == code


def test_cut_at_any_byte() -> None:
    assert {code_of(WHOLE[:length]) for length in range(1, len(WHOLE))} == {"truncated-file"}


@given(st.integers(0, 300), st.integers(0, 255))
def test_any_changed_byte(place: int, byte: int) -> None:
    data = bytearray(WHOLE)
    data[place] = byte
    with contextlib.suppress(ArtifactError):
        read_gguf_header(MemorySource(bytes(data), "file"), Limits())

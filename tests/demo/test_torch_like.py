from __future__ import annotations

import io
import pickletools
import struct
import zipfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.demo.torch_like import rechunk, torch_file
from ckpt_tui.demo.torch_parse import TorchFileError, parse_torch_file
from ckpt_tui.demo.torch_pickle import contiguous_strides
from ckpt_tui.demo.torch_values import Tensor
from tests.demo.sample import TREE


def whole(tree: Any = TREE) -> bytes:
    return b"".join(torch_file(tree, "ckpt_000120"))


def test_the_records_are_those_of_torch_and_aligned() -> None:
    data = whole()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        infos = archive.infolist()
    names = [info.filename for info in infos]
    assert names == [
        "ckpt_000120/" + name
        for name in (
            "data.pkl",
            ".format_version",
            ".storage_alignment",
            "byteorder",
            "data/0",
            "data/1",
            "data/2",
            "data/3",
            "version",
            ".data/serialization_id",
        )
    ]
    for info in infos:
        assert info.compress_type == zipfile.ZIP_STORED
        name_bytes, extra_bytes = struct.unpack_from("<HH", data, info.header_offset + 26)
        assert (info.header_offset + 30 + name_bytes + extra_bytes) % 64 == 0


def test_the_pickle_is_protocol_2_and_names_only_what_tensors_need() -> None:
    with zipfile.ZipFile(io.BytesIO(whole())) as archive:
        pickled = archive.read("ckpt_000120/data.pkl")
    pickletools.dis(pickled, out=io.StringIO())
    operations = list(pickletools.genops(pickled))
    assert max(opcode.proto for opcode, _argument, _position in operations) == 2
    assert {argument for opcode, argument, _ in operations if opcode.name == "GLOBAL"} == {
        "collections OrderedDict",
        "torch FloatStorage",
        "torch ByteStorage",
        "torch LongStorage",
        "torch._utils _rebuild_tensor_v2",
    }


def test_what_was_written_is_read_back() -> None:
    assert parse_torch_file(whole()) == TREE


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.integers(-5, 300), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=60)
@given(TREES)
def test_any_tree_is_read_back(tree: Any) -> None:
    assert parse_torch_file(b"".join(torch_file(tree, "a"))) == tree


def test_chunks_follow_each_other() -> None:
    data = whole()
    chunks = list(rechunk(torch_file(TREE, "ckpt_000120"), 100))
    assert b"".join(chunks) == data
    assert {len(chunk) for chunk in chunks[:-1]} == {100}


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_cut_file_is_refused(share: float) -> None:
    data = whole()
    with pytest.raises(TorchFileError):
        parse_torch_file(data[: int(len(data) * share)])


def test_a_flipped_byte_of_a_tensor_is_refused() -> None:
    data = bytearray(whole())
    data[data.index(b"abc")] ^= 1
    with pytest.raises(TorchFileError, match="CRC"):
        parse_torch_file(bytes(data))


def hostile(pickled: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a/data.pkl", pickled)
        archive.writestr("a/byteorder", "little")
        archive.writestr("a/version", "3\n")
    return stream.getvalue()


@pytest.mark.parametrize(
    "pickled",
    [
        b"\x80\x02cos\nsystem\n(X\x02\x00\x00\x00idtR.",
        b"\x80\x02cos\nsystem\n.",
        b"\x80\x02(X\x07\x00\x00\x00storageK\x00tQ.",
        b"\x80\x02K\x01Q.",
        b"\x80\x02K\x01K\x02.",
        b"\x80\x02}(K\x01u.",
        b"\x80\x02e.",
        b"\x80\x02q\x00.",
        b"\x80\x02",
        b"",
    ],
)
def test_a_hostile_pickle_is_refused(pickled: bytes) -> None:
    with pytest.raises(TorchFileError):
        parse_torch_file(hostile(pickled))


@pytest.mark.parametrize(
    "tensor", [Tensor("float32", (2,), b"1234"), Tensor("float64", (1,), b"12345678")]
)
def test_a_tensor_that_does_not_fit_is_refused(tensor: Tensor) -> None:
    with pytest.raises(ValueError, match="no float"):
        torch_file(tensor, "a")


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((), ()), ((4,), (1,)), ((2, 3, 4), (12, 4, 1)), ((0, 4), (4, 1)), ((3, 0), (1, 1))],
)
def test_strides_are_those_of_torch(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    assert contiguous_strides(shape) == strides

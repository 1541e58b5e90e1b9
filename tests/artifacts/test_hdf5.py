"""HDF5: files of Keras and of h5py, read whole, cut and damaged."""

from __future__ import annotations

import struct
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.hdf5.attributes import attribute_texts
from ckpt_tui.artifacts.hdf5.contents import read_contents, read_root
from ckpt_tui.artifacts.hdf5.datatype import Class
from ckpt_tui.artifacts.hdf5.fletcher32 import fletcher32, has_fletcher32
from ckpt_tui.artifacts.hdf5.layout import Placing, read_layout
from ckpt_tui.artifacts.hdf5.lookup3 import lookup3
from ckpt_tui.artifacts.hdf5.numbers import read_number
from ckpt_tui.artifacts.hdf5.stored import StoredDataset, read_stored, undone
from ckpt_tui.artifacts.hdf5.superblock import read_superblock
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from tests.artifacts.builders import BytesSource
from tests.artifacts.hdf5_files import CHUNKED, FRACTAL, NEWEST

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.contents import Contents

KERAS = Path(__file__).parents[2] / "sample_runs" / "keras"
WEIGHTS = (KERAS / "killed" / "cp-0002.weights.h5").read_bytes()
WHOLE_MODEL = (KERAS / "whole_model" / "model-01.h5").read_bytes()
LIMITS = Limits()
END_OF_FILE = 40


def contents_of(data: bytes, limits: Limits = LIMITS) -> Contents:
    return read_contents(BytesSource(data), limits)


def code_of(data: bytes, limits: Limits = LIMITS) -> str:
    with pytest.raises(ArtifactError) as caught:
        contents_of(data, limits)
    return caught.value.code


def changed(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new + data[at + len(new) :]


# -- whole files ----------------------------------------------------------------------------------


def test_weights_of_keras() -> None:
    contents = contents_of(WEIGHTS)
    kernel = contents.datasets["layers/dense/vars/0"]
    assert (kernel.datatype.name, kernel.shape, kernel.size_bytes) == ("float32", (8, 16), 512)
    assert kernel.layout.placing is Placing.CONTIGUOUS
    count = contents.datasets["optimizer/vars/0"]
    assert (read_number(contents, count), count.datatype.signed) == (4, True)
    name = contents.groups["optimizer/vars"]["name"]
    assert attribute_texts(contents.view, name) == ("adam",)
    assert len(contents.datasets) == 14
    assert not contents.is_open


def test_attributes_of_a_whole_model() -> None:
    contents = contents_of(WHOLE_MODEL)
    model = contents.groups["model_weights"]
    assert attribute_texts(contents.view, model["layer_names"]) == ("dense", "dense_1")
    (config,) = attribute_texts(contents.view, contents.groups[""]["model_config"])
    assert config.startswith('{"class_name": "Sequential"')


def test_what_h5py_writes() -> None:
    contents = contents_of(CHUNKED)
    types = {path: d.dtype(contents.view) for path, d in contents.datasets.items()}
    assert types == {
        "both": "float32", "sum": "float32", "rows": "float32", "half": "float16",
        "wide": "float64", "short": "bfloat16", "yes": "bool", "text": "string",
        "never": "float32",
    }  # fmt: skip
    assert contents.datasets["wide"].datatype.big_endian
    assert contents.datasets["text"].datatype.kind is Class.VARIABLE_STRING
    assert contents.datasets["never"].layout.address is None
    assert [chunk.offsets for chunk in contents.datasets["rows"].chunks] == [(0, 0), (4, 0), (8, 0)]
    assert contents.links == {"soft"}
    root = contents.groups[""]
    assert attribute_texts(contents.view, root["names"]) == ("a", "bc")
    assert attribute_texts(contents.view, root["fixed"]) == ("abc",)
    assert attribute_texts(contents.view, root["none"]) == ()


def test_lengths_of_chunks_have_at_most_eight_bytes() -> None:
    view = contents_of(NEWEST).view
    for width, right in ((8, True), (9, False), (255, False)):
        lengths = (b"\x01" + b"\x00" * (width - 1)) * 2
        message = bytes([4, 2, 0, 2, width]) + lengths + b"\x01" + bytes(8)
        with nullcontext() if right else pytest.raises(ArtifactError):
            assert read_layout(view, message).chunk_shape == (1,)


def test_root_alone() -> None:
    root = read_root(BytesSource(WHOLE_MODEL), LIMITS)
    assert root.members == {"model_weights", "optimizer_weights"}
    assert "keras_version" in root.attributes


def test_the_newest_layout_has_checksums() -> None:
    stored = read_stored(BytesSource(NEWEST), LIMITS)
    assert stored.checksums > 3
    assert 0 < stored.checksum_bytes < stored.structure_bytes
    assert [d.name for d in stored.datasets] == ["layers/dense/vars/0", "one", "plain"]


# -- stored bytes ---------------------------------------------------------------------------------

ROWS = struct.pack("<60f", *range(60))


def bytes_of(data: bytes, name: str) -> list[bytes]:
    found = dataset_of(data, name)
    return [
        undone(piece, data[piece.offset : piece.offset + piece.stored_bytes], found.item_bytes)
        for piece in found.pieces
    ]


def dataset_of(data: bytes, name: str) -> StoredDataset:
    return next(d for d in read_stored(BytesSource(data), LIMITS).datasets if d.name == name)


def test_contiguous_bytes_lie_in_the_file() -> None:
    found = dataset_of(WEIGHTS, "layers/dense/vars/1")
    (piece,) = found.pieces
    assert piece.is_plain
    assert (found.dtype, found.floating, piece.stored_bytes) == ("float32", True, 64)


@pytest.mark.parametrize(("name", "rows"), [("both", 8), ("sum", 6), ("rows", 4)])
def test_filters_are_undone(name: str, rows: int) -> None:
    size = rows * 20
    pieces = bytes_of(CHUNKED, name)
    assert [len(piece) for piece in pieces] == [size] * (-(-12 // rows))
    assert b"".join(pieces)[: len(ROWS)] == ROWS


def test_a_single_chunk_is_undone() -> None:
    assert bytes_of(NEWEST, "one") == [ROWS]


def test_bfloat16_is_floating() -> None:
    found = dataset_of(CHUNKED, "short")
    assert (found.dtype, found.floating, found.item_bytes) == ("bfloat16", True, 2)


def test_fletcher32_tells_a_wrong_byte() -> None:
    found = dataset_of(CHUNKED, "sum")
    piece = found.pieces[1]
    assert piece.has_checksum
    wrong = changed(CHUNKED, piece.offset + 3, b"\x77")
    data = wrong[piece.offset : piece.offset + piece.stored_bytes]
    with pytest.raises(ArtifactError) as caught:
        undone(piece, data, found.item_bytes)
    assert caught.value.code == "checksum-mismatch"


# -- checksums ------------------------------------------------------------------------------------


def test_lookup3_as_its_author_gives_it() -> None:
    assert lookup3(b"") == 0xDEADBEEF
    assert lookup3(b"Four score and seven years ago") == 0x17770551


@given(st.binary(max_size=2000))
def test_fletcher32_word_by_word(data: bytes) -> None:
    first = second = 0
    padded = data + b"\0" if len(data) % 2 else data
    for (word,) in struct.iter_unpack(">H", padded):
        first = (first + word) % 0xFFFF
        second = (second + first) % 0xFFFF
    found = fletcher32(data)
    assert ((found >> 16) % 0xFFFF, (found & 0xFFFF) % 0xFFFF) == (second, first)


def test_a_checksum_behind_its_bytes() -> None:
    data = b"abcde"
    assert has_fletcher32(data + fletcher32(data).to_bytes(4, "little"))
    assert not has_fletcher32(data + b"\0\0\0\0")
    assert not has_fletcher32(b"abc")


# -- damage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"PK\x03\x04" + bytes(500), "unreadable-archive"),
        (WEIGHTS[:96], "truncated-file"),
        (WEIGHTS[:-1], "truncated-file"),
        (changed(WEIGHTS, END_OF_FILE, bytes(8)), "unreadable-archive"),
        (changed(WEIGHTS, 96, bytes(16)), "unreadable-archive"),
        (changed(WEIGHTS, 8, b"\x09"), "unreadable-archive"),
        (changed(NEWEST, 12, b"\x01"), "unreadable-archive"),
        (FRACTAL, "unsupported-version"),
    ],
    ids=["empty", "zip", "superblock", "last byte", "end", "root", "version", "checksum", "heap"],
)
def test_damage(data: bytes, code: str) -> None:
    assert code_of(data) == code


def test_bytes_behind_the_end_do_not_matter() -> None:
    assert (
        contents_of(WEIGHTS + bytes(5000)).datasets.keys() == contents_of(WEIGHTS).datasets.keys()
    )


def test_an_attribute_of_a_group_costs_only_itself() -> None:
    at = WEIGHTS.index(b"GCOL")
    assert len(contents_of(changed(WEIGHTS, at, bytes(4))).datasets) == 14


@pytest.mark.parametrize(
    ("flags", "is_open"), [(0, False), (1, True), (2, False), (4, True), (5, True)]
)
def test_a_file_that_is_still_open(flags: int, is_open: bool) -> None:
    data = changed(NEWEST, 11, bytes([flags]))
    data = changed(data, 44, lookup3(data[:44]).to_bytes(4, "little"))
    assert read_superblock(BytesSource(data)).is_open is is_open


def test_structure_is_bounded() -> None:
    assert code_of(WEIGHTS, LIMITS._replace(metadata_bytes=4096)) == "limit-exceeded"


@given(
    data=st.sampled_from([WEIGHTS, WHOLE_MODEL, CHUNKED, NEWEST]),
    places=st.lists(st.tuples(st.integers(0, 20_000), st.binary(min_size=1, max_size=8))),
    length=st.integers(0, 30_000),
)
def test_nothing_but_artifact_errors(
    data: bytes, places: list[tuple[int, bytes]], length: int
) -> None:
    for at, new in places:
        data = changed(data, at % len(data), new)
    try:
        stored = read_stored(BytesSource(data[:length] if length % 3 == 0 else data), LIMITS)
        for found in stored.datasets:
            for piece in found.pieces:
                if piece.can_be_undone and not piece.data and piece.size_bytes < 1 << 20:
                    part = data[piece.offset : piece.offset + piece.stored_bytes]
                    undone(piece, part, found.item_bytes)
    except ArtifactError:
        return

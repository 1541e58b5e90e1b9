"""Tables and bundles of TensorFlow: real ones, made ones, and damaged ones."""

from __future__ import annotations

import struct
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.bundle_checksums import (
    checksummed_bytes,
    crc32c_of_entry,
    protected_spans,
    string_elements,
)
from ckpt_tui.artifacts.bundle_keys import read_slice_key
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.protobuf import fields, read_varint, signed
from ckpt_tui.artifacts.saved_model import has_object_graph
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.sstable import read_table
from ckpt_tui.artifacts.tensor_bundle import data_file_name, read_bundle
from tests.artifacts.builders import LIMITS, BytesSource
from tests.artifacts.bundle_builder import (
    Tensor,
    block,
    entry,
    field,
    header,
    table,
    trailer,
    varint,
    write_bundle,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLES = Path(__file__).parent.parent.parent / "sample_runs" / "tensorflow"
RUN = SAMPLES / "manager"

KEYS = st.dictionaries(st.binary(min_size=1, max_size=12), st.binary(max_size=30), max_size=40)


def code_of(data: bytes) -> str:
    with pytest.raises(ArtifactError) as caught:
        read_bundle(BytesSource(data), LIMITS)
    return caught.value.code


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns, or the code of its error."""
    try:
        return call()
    except ArtifactError as error:
        return error.code


@given(st.integers(0, (1 << 64) - 1))
def test_a_varint_is_what_was_written(number: int) -> None:
    data = varint(number)
    assert read_varint(b"x" + data + b"y", 1) == (number, 1 + len(data))


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_a_negative_number_takes_ten_bytes(number: int) -> None:
    assert signed(read_varint(varint(number), 0)[0]) == number


@given(st.binary(max_size=60))
def test_any_bytes_are_fields_or_an_error(data: bytes) -> None:
    found = outcome(lambda: list(fields(data)))
    assert found == "unreadable-archive" or len(found) * 2 <= len(data)


@given(KEYS)
def test_a_table_gives_its_entries(entries: dict[bytes, bytes]) -> None:
    found = read_table(BytesSource(table(entries)), LIMITS)
    assert dict(found.entries) == entries
    assert [key for key, _ in found.entries] == sorted(entries)
    assert {block.what for block in found.blocks} <= {"index", "data"}


@given(st.binary(max_size=400))
def test_any_bytes_are_a_bundle_or_an_error(data: bytes) -> None:
    with pytest.raises(ArtifactError):
        read_bundle(BytesSource(data), LIMITS)


@given(st.data())
def test_one_flipped_bit_is_found_or_changes_nothing(data: st.DataObject) -> None:
    whole = (RUN / "ckpt-2.index").read_bytes()
    place = data.draw(st.integers(0, len(whole) * 8 - 1))
    flipped = bytearray(whole)
    flipped[place // 8] ^= 1 << place % 8
    try:
        found = read_bundle(BytesSource(bytes(flipped)), LIMITS)
    except ArtifactError:
        return
    assert found == read_bundle(BytesSource(whole), LIMITS)


@pytest.mark.parametrize("size_bytes", [1, 47, 48, 300, 1084])
def test_a_cut_index_is_truncated(size_bytes: int) -> None:
    assert code_of((RUN / "ckpt-2.index").read_bytes()[:size_bytes]) == "truncated-file"


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ({}, "unreadable-archive"),
        ({b"a": entry(1, (1,), 0, (0, 4), 0)}, "unreadable-archive"),
        ({b"": header(min_consumer=2)}, "unsupported-version"),
        ({b"": header(1 << 40)}, "limit-exceeded"),
        ({b"": header(), b"a": entry(77, (), 0, (0, 4), 0)}, "unsupported-version"),
        ({b"": header(), b"a": entry(1, (2,), 0, (0, 4), 0)}, "unreadable-archive"),
        ({b"": header(), b"a": entry(1, (1,), 1, (0, 4), 0)}, "unreadable-archive"),
        ({b"": header(), b"a": entry(1, (1,), 0, (-4, 4), 0)}, "unreadable-archive"),
        ({b"": header(), b"a": entry(1, (-1,), 0, (0, 4), 0)}, "unreadable-archive"),
        ({b"": header(), b"a": field(2, field(3, 1))}, "unreadable-archive"),
        ({b"": header(), b"a": b"\xff"}, "unreadable-archive"),
    ],
)
def test_what_no_loader_takes(entries: dict[bytes, bytes], code: str) -> None:
    assert code_of(table(entries)) == code


def test_an_empty_index_and_one_with_a_flip() -> None:
    whole = bytearray(table({b"": header()}))
    assert code_of(b"") == "empty-file"
    whole[0] ^= 1
    assert code_of(bytes(whole)) == "checksum-mismatch"


@pytest.mark.parametrize(("kind", "code"), [(1, "unsupported-version"), (7, "unreadable-archive")])
def test_compressed_blocks_are_told(kind: int, code: str) -> None:
    whole = table({b"": header()})
    size_bytes = len(block([(b"", header())])) - 5
    changed = whole[:size_bytes] + trailer(whole[:size_bytes], kind) + whole[size_bytes + 5 :]
    assert code_of(changed) == code


def test_a_real_index() -> None:
    with FileSource(RUN / "ckpt-3.index") as source:
        bundle = read_bundle(source, Limits())
    assert (bundle.shards, bundle.big_endian) == (1, False)
    kernels = [e.shape for e in bundle.entries if "_trainable_variables" in e.key]
    assert kernels == [(8, 16), (16,), (16, 4), (4,)]


@pytest.mark.parametrize("prefix", ["manager/ckpt-1", "saved_model/1/variables/variables"])
def test_real_data_have_the_stored_checksums(prefix: str) -> None:
    path = SAMPLES / prefix
    with FileSource(f"{path}.index") as source:
        spans = protected_spans(read_bundle(source, Limits()), path.name)
    covered = 0
    for span in spans:
        with FileSource(path.parent / span.path) as source:
            assert crc32c_of_entry(source, span.entry) == span.crc32c
            covered += span.size_bytes
    assert covered == sum(f.stat().st_size for f in path.parent.glob(f"{path.name}.data-*"))


def test_strings_and_variants(tmp_path: Path) -> None:
    texts = (b"a", b"", b"c" * 300)
    tensors = {"s": Tensor("string", texts), "v": Tensor("variant", (b"one", b"two" * 50))}
    write_bundle(tmp_path / "x", tensors)
    with FileSource(tmp_path / "x.index") as source:
        entries = {e.key: e for e in read_bundle(source, LIMITS).entries}
    with FileSource(tmp_path / data_file_name("x", 0, 1)) as source:
        for found in entries.values():
            assert crc32c_of_entry(source, found) == found.crc32c
            pieces = list(checksummed_bytes(source, found, piece_bytes=7))
            assert max(map(len, pieces)) <= 12
        assert string_elements(source, entries["s"], 1000) == texts
        with pytest.raises(ArtifactError, match="more than the limit of 10"):
            string_elements(source, entries["s"], 10)


@pytest.mark.parametrize("key", ["s", "v"])
def test_a_flip_inside_strings_and_variants_is_found(tmp_path: Path, key: str) -> None:
    tensors = {"s": Tensor("string", (b"abc", b"def")), "v": Tensor("variant", (b"one", b"two"))}
    write_bundle(tmp_path / "x", tensors)
    with FileSource(tmp_path / "x.index") as source:
        found = next(e for e in read_bundle(source, LIMITS).entries if e.key == key)
    whole = (tmp_path / data_file_name("x", 0, 1)).read_bytes()
    for place in range(found.offset, found.offset + found.size_bytes):
        flipped = whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]
        told = outcome(partial(crc32c_of_entry, BytesSource(flipped), found))
        assert told != found.crc32c
        assert told != "limit-exceeded"


def slice_key(name: bytes, *pairs: tuple[int, int]) -> bytes:
    """As TensorFlow's ordered code writes it, for small numbers."""
    out = b"\0" + name.replace(b"\xff", b"\xff\0").replace(b"\0", b"\0\xff") + b"\0\x01"
    out += bytes([1, len(pairs)])
    for number in (number for pair in pairs for number in pair):
        out += bytes([number ^ 0x80]) if number < 64 else struct.pack(">H", number | 0xC000)
    return out


@pytest.mark.parametrize(
    ("key", "tensor", "starts"),
    [
        (slice_key(b"emb", (60, 30), (0, 4)), b"emb", (60, 0)),
        (slice_key(b"emb", (5000, 30)), b"emb", (5000,)),
        (slice_key(b"scalar"), b"scalar", ()),
        (slice_key(b"emb", (60, 30))[:-1], b"emb", ()),
    ],
)
def test_keys_of_slices(key: bytes, tensor: bytes, starts: tuple[int, ...]) -> None:
    found = read_slice_key(key)
    assert found is not None
    assert (found.tensor, found.starts) == (tensor, starts)


@given(st.binary(max_size=30))
def test_any_key_is_a_slice_or_a_name(key: bytes) -> None:
    found = read_slice_key(key)
    assert found is None or key.startswith(b"\0")


def test_a_real_program_and_its_cuts() -> None:
    whole = (SAMPLES / "saved_model" / "1" / "saved_model.pb").read_bytes()
    assert has_object_graph(BytesSource(whole), LIMITS)
    assert not has_object_graph(BytesSource(field(1, 1) + field(2, field(1, b"x"))), LIMITS)
    for size_bytes in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        with pytest.raises(ArtifactError) as caught:
            has_object_graph(BytesSource(whole[:size_bytes]), LIMITS)
        assert caught.value.code in ("empty-file", "truncated-file", "unreadable-archive")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_program_or_an_error(data: bytes) -> None:
    told = outcome(lambda: has_object_graph(BytesSource(data), LIMITS))
    assert told in (True, False, "empty-file", "truncated-file", "unreadable-archive")

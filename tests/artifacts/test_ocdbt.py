"""OCDBT databases that TensorStore wrote (`tests/data/ocdbt`), damaged ones, and any bytes."""

from __future__ import annotations

import contextlib
import shutil
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.crc32c import crc32c
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.ocdbt import Database, read_database
from ckpt_tui.artifacts.ocdbt_manifest import MANIFEST, DataFile, Place, read_manifest
from ckpt_tui.artifacts.ocdbt_node import Node, read_node
from ckpt_tui.artifacts.source import FileSource
from tests.artifacts.builders import LIMITS, BytesSource

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parents[1] / "data" / "ocdbt"
FORMS = ("single", "numbered", "plain")
TRUTH = {f"layer{i % 4}/w{i:02d}/x": bytes([i]) * i for i in range(40)}
PLACE = Place(DataFile("d/x", ""), 0, 0)
NODE_MAGIC, MANIFEST_MAGIC = 0x0CDB20DE, 0x0CDB3A2A


def database(path: Path, limits: Limits = LIMITS) -> Database:
    names = [entry.name for entry in path.iterdir()]
    return read_database(lambda name: FileSource(path / name), names, limits)


def copied(form: str, target: Path) -> Path:
    shutil.copytree(DATA / form, target)
    return target


def data_file(path: Path) -> Path:
    (found,) = (path / "d").iterdir()
    return found


def envelope(magic: int, body: bytes, compression: int = 0) -> bytes:
    """An envelope with a right length and a right checksum."""
    length = 4 + 8 + 2 + len(body) + 4
    data = struct.pack(">I", magic) + struct.pack("<Q", length) + bytes([0, compression]) + body
    return data + struct.pack("<I", crc32c(data))


def node_of(data: bytes, most_bytes: int = 1 << 20, seconds: float = 2.0) -> Node:
    deadline = Deadline(Limits(seconds=seconds))
    return read_node(data, PLACE, b"p", most_bytes, "d/x", deadline)


def varint(number: int) -> bytes:
    data = b""
    while number >= 0x80:
        data += bytes([number & 0x7F | 0x80])
        number >>= 7
    return data + bytes([number])


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(ArtifactError) as raised:
        call()
    return raised.value.code


@pytest.mark.parametrize("form", FORMS)
def test_every_key_and_every_value(form: str) -> None:
    found = database(DATA / form)
    assert [value.key for value in found.values] == sorted(TRUTH)
    assert not found.broken
    assert len(found.nodes) > 3  # a tree of several levels
    for value in found.values:
        if value.place is None:
            assert value.inline == TRUTH[value.key]
            continue
        content = (DATA / form / value.place.file.path).read_bytes()
        assert content[value.place.offset : value.place.end] == TRUTH[value.key]


def test_what_lies_in_the_nodes_is_told_apart() -> None:
    found = database(DATA / "single")
    assert {value.length for value in found.blobs()} == set(range(13, 40))
    assert {len(data) for data in found.inline().values()} == set(range(13))
    places = [*found.nodes, *(value.place for value in found.blobs() if value.place is not None)]
    assert len({place.file.path for place in places}) == 1
    assert max(place.end for place in places) == data_file(DATA / "single").stat().st_size


def test_a_numbered_manifest_is_read_after_the_settings() -> None:
    assert database(DATA / "numbered").manifests == (MANIFEST, "manifest.0000000000000002")


def test_the_settings_alone_hold_nothing(tmp_path: Path) -> None:
    path = copied("numbered", tmp_path / "db")
    for number in (1, 2):
        (path / f"manifest.{number:016x}").unlink()
    assert code_of(lambda: database(path)) == "missing-shard"


@pytest.mark.parametrize("form", FORMS)
def test_each_cut_of_the_manifest_is_seen(form: str, tmp_path: Path) -> None:
    path = copied(form, tmp_path / "db")
    name = "manifest.0000000000000002" if form == "numbered" else MANIFEST
    whole = (path / name).read_bytes()
    for size in range(len(whole)):
        (path / name).write_bytes(whole[:size])
        assert code_of(lambda: database(path)) in ("empty-file", "truncated-file")


def test_each_flipped_byte_of_the_manifest_is_seen(tmp_path: Path) -> None:
    path = copied("single", tmp_path / "db")
    whole = (path / MANIFEST).read_bytes()
    for at in range(len(whole)):
        data = bytearray(whole)
        data[at] ^= 1
        (path / MANIFEST).write_bytes(data)
        code_of(lambda: database(path))


@pytest.mark.parametrize("form", ["single", "plain"])
def test_each_flipped_byte_of_a_node_is_seen_and_none_of_a_blob(form: str, tmp_path: Path) -> None:
    path = copied(form, tmp_path / "db")
    whole = data_file(path).read_bytes()
    nodes = database(path).nodes
    protected = {at for node in nodes for at in range(node.offset, node.end)}
    assert 0 < len(protected) < len(whole)
    for at in range(0, len(whole), 7):
        data = bytearray(whole)
        data[at] ^= 0x10
        data_file(path).write_bytes(data)
        assert bool(database(path).broken) is (at in protected)


def test_a_missing_file_hides_the_keys_below(tmp_path: Path) -> None:
    path = copied("single", tmp_path / "db")
    data_file(path).unlink()
    found = database(path)
    assert found.values == ()
    (broken,) = found.broken
    assert (broken.keys, broken.error.code) == (40, "io-error")


def test_bounds() -> None:
    few = Limits(metadata_bytes=400)
    assert code_of(lambda: database(DATA / "plain", few)) == "limit-exceeded"
    no_time = Limits(seconds=-1.0)
    assert code_of(lambda: database(DATA / "single", no_time)) == "limit-exceeded"


def test_names_that_would_take_all_memory() -> None:
    count = 20_000
    shared = b"\xff\xff\x03" * (count - 1) + b"\xff\xff\x03" + b"\x00" * (count - 1)
    body = b"\x00\x00" + b"\xa0\x9c\x01" + shared + b"a" * 65535
    data = envelope(NODE_MAGIC, body)
    assert code_of(lambda: node_of(data)) == "limit-exceeded"


def test_numbers_that_would_take_all_memory_or_time() -> None:
    many = 1_000_000
    body = b"\x00\x00" + varint(many) + b"\x00" * (3 * many)
    data = envelope(NODE_MAGIC, body)
    assert code_of(lambda: node_of(data, most_bytes=1 << 24)) == "limit-exceeded"
    few = 100_000
    body = b"\x00\x00" + varint(few) + b"\x00" * (3 * few)
    late = envelope(NODE_MAGIC, body)
    assert code_of(lambda: node_of(late, most_bytes=1 << 24, seconds=-1.0)) == "limit-exceeded"


def test_paths_of_files_that_no_file_system_has() -> None:
    body = b"\x00" + varint(1) + varint(5000) + varint(0) + b"f" * 5000
    assert code_of(lambda: node_of(envelope(NODE_MAGIC, body))) == "unreadable-archive"


def test_names_of_all_nodes_together_are_bounded(tmp_path: Path) -> None:
    leaf_body = b"\x00\x00" + varint(1) + varint(1) + b"k" + varint(1) + varint(0) + b"v"
    leaf = envelope(NODE_MAGIC, leaf_body)
    # One leaf that three entries name, each with a long prefix of its own.
    prefix = b"p" * 80
    keys = varint(80) * 2 + varint(81) + varint(1) * 2 + varint(80) * 3 + prefix + b"abc"
    places = b"\x00" * 3 + varint(0) * 3 + varint(len(leaf)) * 3 + varint(1) * 3
    table = varint(1) + varint(3) + varint(0) + b"d/x"
    root = envelope(NODE_MAGIC, b"\x01" + table + varint(3) + keys + places)
    place = b"\x00" + varint(len(leaf)) + varint(len(root))
    versions = varint(1) * 2 + b"\x01" + place + varint(3)
    settings = bytes(16) + varint(0) + varint(8) + varint(1 << 20) + b"\x04" + varint(0)
    manifest = envelope(MANIFEST_MAGIC, settings + table + versions)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x").write_bytes(leaf + root)
    (tmp_path / MANIFEST).write_bytes(manifest)
    assert len(database(tmp_path).values) == 3
    assert code_of(lambda: database(tmp_path, Limits(metadata_bytes=450))) == "limit-exceeded"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "unreadable-archive"),
        (b"\x00\x00\x00", "unreadable-archive"),  # a node without any entry
        (b"\x00\x00\x01\x05abc", "unreadable-archive"),  # a key longer than what is there
        (b"\x00\x00\x01\x01a\x01\x01\x00\x00", "unreadable-archive"),  # a file that no table has
        (b"\x00\xff\xff\xff\xff\x7f", "unreadable-archive"),  # more files than bytes
        (b"\x00" + b"\xff" * 11, "unreadable-archive"),  # a number without an end
    ],
)
def test_bodies_that_cannot_be(body: bytes, code: str) -> None:
    data = envelope(NODE_MAGIC, body)
    assert code_of(lambda: node_of(data)) == code


def test_an_unknown_version_is_told() -> None:
    data = bytearray(envelope(MANIFEST_MAGIC, b""))
    data[12] = 9
    data[-4:] = struct.pack("<I", crc32c(bytes(data[:-4])))
    source = BytesSource(bytes(data))
    assert code_of(lambda: read_manifest(source, LIMITS)) == "unsupported-version"


@given(st.binary(max_size=300), st.booleans())
def test_any_body_is_read_or_refused(body: bytes, compressed: bool) -> None:
    for magic in (NODE_MAGIC, MANIFEST_MAGIC):
        data = envelope(magic, body, int(compressed))
        with contextlib.suppress(ArtifactError):
            read_manifest(BytesSource(data), LIMITS)
        with contextlib.suppress(ArtifactError):
            node_of(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_no_manifest(data: bytes) -> None:
    with pytest.raises(ArtifactError):
        read_manifest(BytesSource(data), LIMITS)

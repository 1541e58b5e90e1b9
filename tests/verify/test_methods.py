"""Every other kind of file: what is covered, what a flipped bit does, what is said of the rest."""

from __future__ import annotations

import gzip
import json
import pickle
import shutil
import zlib
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.verify.checksums import crc32_function
from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.verify.examined import Examined
from ckpt_tui.verify.methods.inflating import inflated, unzstd
from tests.artifacts.builders import tensor, torch_legacy, torch_zip
from tests.artifacts.hdf5_files import CHUNKED, FRACTAL, NEWEST
from tests.verify.files import SAMPLES, flip, result_of, results_below

_CONTENT = bytes(range(256)) * 3000


@given(data=st.binary(max_size=5000), before=st.integers(0, 2**32 - 1))
def test_the_fast_checksum_is_that_of_zlib(data: bytes, before: int) -> None:
    assert crc32_function()(memoryview(data), before) == zlib.crc32(data, before)


def test_gzip_members_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "state.gz"
    first = gzip.compress(_CONTENT)
    path.write_bytes(first + gzip.compress(b"more"))
    found = result_of(path)
    assert (found.ok, found.method) == (True, "gzip CRC-32")
    assert found.size_bytes - found.checked_bytes == 2 * 11  # headers, and the streams' last bytes
    flip(path, len(first) // 2)
    assert result_of(path).ok is False


def test_a_wrong_gzip_checksum_and_a_cut_one(tmp_path: Path) -> None:
    path = tmp_path / "state.gz"
    path.write_bytes(gzip.compress(_CONTENT))
    flip(path, path.stat().st_size - 6)
    assert result_of(path).faults[0].code == "checksum-mismatch"
    path.write_bytes(gzip.compress(_CONTENT)[:-9])
    assert result_of(path).faults[0].code == "truncated-file"


def test_a_gzip_header_with_a_name_is_not_covered(tmp_path: Path) -> None:
    path = tmp_path / "state.gz"
    with path.open("wb") as stream, gzip.GzipFile("a_long_name", "wb", fileobj=stream) as packed:
        packed.write(_CONTENT)
    found = result_of(path)
    assert found.covered[0][0] == 10 + len("a_long_name") + 1
    flip(path, 14)
    assert result_of(path).ok is True


def test_safetensors_cut_or_with_bytes_behind(tmp_path: Path) -> None:
    text = json.dumps({"w": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}}).encode()
    path = tmp_path / "model.safetensors"
    whole = len(text).to_bytes(8, "little") + text + bytes(4)
    for content, code in ((whole[:-1], "truncated-file"), (whole + b"\0", "size-mismatch")):
        path.write_bytes(content)
        assert [fault.code for fault in result_of(path).faults] == [code]
    path.write_bytes(whole)
    found = result_of(path)
    assert (found.ok, found.checked_bytes, found.method) == (None, 0, "structure")


def test_the_checksums_of_our_own_manifest(tmp_path: Path) -> None:
    run = Path(shutil.copytree(SAMPLES / "manifest" / "whole", tmp_path / "run"))
    whole = results_below(run)
    data = {name: file for name, file in whole.items() if name.endswith(".bin")}
    assert data
    for file in data.values():
        assert (file.ok, file.method) == (True, "CRC-32 of manifest.json")
        assert file.checked_bytes == file.size_bytes
    name = next(iter(data))
    flip(run / name, 5)
    found = results_below(run)
    assert found[name].faults[0].code == "checksum-mismatch"
    assert [each for each, file in found.items() if file.ok is False] == [name]
    (run / name).write_bytes(b"short")
    assert results_below(run)[name].faults[0].code == "size-mismatch"


@pytest.mark.parametrize("checksum", [False, True])
@given(data=st.binary(max_size=4000))
def test_zstd_frames_within_bounds(checksum: bool, data: bytes) -> None:
    frame = zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: checksum})
    pieces = [frame[at : at + 7] for at in range(0, len(frame), 7)]
    assert b"".join(unzstd(pieces, "it", "")) == data
    with pytest.raises(ArtifactError):
        list(unzstd([frame[:-1]], "it", ""))
    with pytest.raises(ArtifactError):
        list(unzstd([frame, b"x"], "it", ""))


@given(data=st.binary(max_size=300))
def test_what_is_no_zstd_frame_is_refused(data: bytes) -> None:
    try:
        size = sum(map(len, unzstd([data], "it", "")))
    except ArtifactError:
        return
    assert size <= 300 * 200_000


def test_a_bomb_comes_in_pieces() -> None:
    packer = zlib.compressobj(wbits=-15)
    bomb = packer.compress(bytes(50_000_000)) + packer.flush()
    sizes = [len(piece) for piece in inflated(zlib.decompressobj(-15), bomb)]
    assert sum(sizes) == 50_000_000
    assert max(sizes) <= 1024 * 1024


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50))))
def test_covered_bytes_count_once(ranges: list[tuple[int, int]]) -> None:
    found = Examined()
    for begin, end in ranges:
        found.cover(begin, end)
    covered = [place for begin, end in found.covered() for place in range(begin, end)]
    assert covered == sorted({place for begin, end in ranges for place in range(begin, end)})


@pytest.mark.parametrize("content", [NEWEST, CHUNKED], ids=["newest", "chunked"])
def test_what_hdf5_protects_itself(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "w.h5"
    path.write_bytes(content)
    whole = result_of(path)
    assert whole.faults == ()
    for begin, end in whole.covered:
        for place in {begin, (begin + end) // 2, end - 1}:
            flip(path, place, 2)
            assert result_of(path).ok is False, place
            flip(path, place, 2)
    assert (whole.method == "HDF5 checksums") == bool(whole.covered)


def test_hdf5_that_is_not_read_here_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "w.h5"
    path.write_bytes(FRACTAL)
    found = result_of(path)
    assert (found.ok, found.unread, found.method) == (None, False, "nothing")
    assert found.message


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("state.json", b'{"a": [1, 2'),
        ("model.msgpack", b"\x82\xa1a"),
        ("model.npy", b"\x93NUMPY\x01\x00v\x00{'descr'"),
        ("model.gguf", b"GGUF\x03\x00\x00\x00"),
        ("ckpt.pkl", b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}q"),
        ("manifest.ocdbt", b"\x0c\xdb\x3a\x2a\x20"),
        ("ckpt-1.index", b"\x00" * 40 + bytes.fromhex("57fb808b247547db")),
    ],
)
def test_what_is_cut_is_wrong(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    found = result_of(tmp_path / name)
    assert found.ok is False
    assert found.faults[0].message


_STARTS = (
    b"", b"PK\x03\x04", b"\x1f\x8b\x08", b"\x89HDF\r\n\x1a\n", b"\x93NUMPY\x01\x00",
    b"GGUF\x03\x00\x00\x00",
    b"\x0c\xdb\x3a\x2a", b"\x80\x04",
    b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", b"{",
)  # fmt: skip
_NAMES = (
    "a.pt",
    "a.distcp",
    "a.safetensors",
    "a.h5",
    "a.msgpack",
    "a.json",
    ".metadata",
    "a.index",
)


@given(start=st.sampled_from(_STARTS), rest=st.binary(max_size=300), name=st.sampled_from(_NAMES))
def test_any_bytes_give_a_result(
    tmp_path_factory: pytest.TempPathFactory, start: bytes, rest: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(start + rest)
    for file in verify((str(path),), Options(finite=True)).files:
        assert "the check failed" not in file.message
        assert file.checked_bytes <= file.size_bytes == len(start + rest)


@pytest.mark.parametrize(
    ("text", "ok"),
    [('{"a": 1}\n{"a": 2}\n', None), ('{"a": 1}\n{"a": ', False), ("1\n2\n", False)],
)
def test_a_log_of_a_document_a_line_is_no_damage(
    tmp_path: Path, text: str, ok: bool | None
) -> None:
    path = tmp_path / "log.json"
    path.write_text(text)
    assert result_of(path).ok is ok


def test_a_file_without_a_zip_may_end_with_one(tmp_path: Path) -> None:
    """The last storage of torch's older form may hold what another torch.save wrote."""
    inner = torch_zip({"amax": 1.0})
    data = torch_legacy(
        {"x": tensor("1", (len(inner),), kind="ByteStorage")}, {"1": (len(inner), inner)}
    )
    path = tmp_path / "ckpt_10.pt"
    path.write_bytes(data)
    found = result_of(path)
    assert (found.ok, found.method, found.message) == (None, "nothing", "")


def test_a_pickle_beside_msgpack_states_is_no_map(tmp_path: Path) -> None:
    checkpoint = SAMPLES / "msgpack-file" / "roles_apart" / "ckpt-200"
    beside = shutil.copytree(checkpoint, tmp_path / "run" / "ckpt-200") / "args.joblib"
    beside.write_bytes(pickle.dumps({"lr": 0.1}))
    assert result_of(beside).ok is None

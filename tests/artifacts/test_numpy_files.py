"""npy headers and npz archives: what numpy refuses is told, and no element is read."""

from __future__ import annotations

import contextlib
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.memory_source import MemorySource
from ckpt_tui.artifacts.npy_header import read_npy
from ckpt_tui.artifacts.npz_archive import read_npz
from tests.artifacts.npy_builder import npy, npz

WHOLE = npz({"params/w": npy("<f4", (3, 4)), "step": npy("<i8", (), (300).to_bytes(8, "little"))})


def source(data: bytes) -> MemorySource:
    return MemorySource(data, "file")


def code_of_npy(data: bytes) -> str:
    with pytest.raises(ArtifactError) as raised:
        read_npy(source(data))
    return raised.value.code


def code_of_npz(data: bytes) -> str:
    with pytest.raises(ArtifactError) as raised:
        read_npz(source(data), Limits())
    return raised.value.code


@pytest.mark.parametrize(
    ("code", "shape", "dtype", "size_bytes"),
    [
        ("<f4", (2, 3), "float32", 24),
        (">f8", (2,), "float64", 16),
        ("|b1", (5,), "bool", 5),
        ("|V2", (4,), "void16", 8),
        ("<U3", (2,), "str96", 24),
        ("<M8[ns]", (1,), "datetime64", 8),
        ("<c8", (), "complex64", 8),
        ([("a", "<f4"), ("b", "<i2", (3,))], (2,), "void80", 20),
    ],
)
def test_headers(code: object, shape: tuple[int, ...], dtype: str, size_bytes: int) -> None:
    array = read_npy(source(npy(code, shape, bytes(size_bytes))))
    assert array.shape == shape
    assert array.size_bytes == size_bytes
    assert array.dtype == dtype


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"\x93NUM", "truncated-file"),
        (b"\x93NUMPX\x01\x00\x00\x00", "unreadable-archive"),
        (b"\x93NUMPY\x09\x00\x00\x00", "unreadable-archive"),
        (npy("<f4", (2, 3))[:-1], "truncated-file"),
        (npy("<f4", (2, 3)).replace(b"'shape'", b"'shaqe'"), "unreadable-archive"),
        (npy("<f5", (2, 3)), "unreadable-archive"),
        (npy("<f4", (2, 3)).replace(b"(2, 3)", b"(-2,3)"), "unreadable-archive"),
        (npy("<f4", (2, 3)).replace(b"{'descr'", b"((((((((("), "unreadable-archive"),
        # Elements of more bytes than a number may be printed with.
        (npy(("f4", ((1 << 61),) * 300), (1,), b""), "unreadable-archive"),
        (npy([("a", "f4", ((1 << 61),) * 300)], (1,), b""), "unreadable-archive"),
        (npy([("a", "V2000000000"), ("b", "V2000000000")], (1,), b""), "unreadable-archive"),
    ],
)
def test_damaged_headers(data: bytes, code: str) -> None:
    assert code_of_npy(data) == code


def test_archive_by_names() -> None:
    found = read_npz(source(WHOLE), Limits())
    assert {name: member.array.shape for name, member in found.items()} == {
        "params/w": (3, 4),
        "step": (),
    }
    assert found["step"].array.number == 300
    ((begin, length),) = found["params/w"].array.pieces
    assert (WHOLE[begin : begin + length], length) == (bytes(48), 48)


@pytest.mark.parametrize("elements", [12, 1_000_000])
def test_compressed_members(elements: int) -> None:
    data = npz({"w": npy("<f4", (elements,))}, zipfile.ZIP_DEFLATED)
    member = read_npz(source(data), Limits())["w"]
    assert (member.array.shape, member.array.pieces) == ((elements,), ())


def test_a_member_that_is_short() -> None:
    assert code_of_npz(npz({"w": npy("<f4", (3, 4))[:-4]})) == "unreadable-archive"


def test_a_member_with_another_checksum() -> None:
    data = bytearray(WHOLE)
    data[data.index(b"(3, 4)") + 1] = ord("2")
    assert code_of_npz(bytes(data)) == "checksum-mismatch"


def test_a_member_that_has_another_name() -> None:
    data = WHOLE.replace(b"params/w.npy", b"params/x.npy", 1)
    assert code_of_npz(data) == "unreadable-archive"


def test_files_that_are_no_arrays_are_passed_over() -> None:
    stream = io.BytesIO(WHOLE)
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("readme.txt", "none")
    assert set(read_npz(source(stream.getvalue()), Limits())) == {"params/w", "step"}


def test_cut_at_any_byte() -> None:
    codes = {code_of_npz(WHOLE[:length]) for length in range(len(WHOLE))}
    assert codes <= {"truncated-file", "unreadable-archive", "empty-file"}


@given(st.binary(max_size=150))
def test_any_header(data: bytes) -> None:
    with contextlib.suppress(ArtifactError):
        read_npy(source(b"\x93NUMPY\x01\x00" + data))


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_any_changed_byte(place: int, byte: int) -> None:
    data = bytearray(WHOLE)
    data[place] = byte
    with contextlib.suppress(ArtifactError):
        read_npz(source(bytes(data)), Limits())

"""CRC-32 of zip archives: torch files, `.distcp` items, npz, and what is hostile."""

from __future__ import annotations

import shutil
import struct
import zipfile
from pathlib import Path

import pytest

from tests.verify.files import (
    SAMPLES,
    end_of_dcp_tensor,
    flip,
    record_begin,
    result_of,
    results_below,
)

_TORCH = SAMPLES / "torch-file" / "numbered" / "ckpt_000300.pt"
_DCP = SAMPLES / "torch-dcp" / "nested"


@pytest.fixture
def torch_file(tmp_path: Path) -> Path:
    return Path(shutil.copy2(_TORCH, tmp_path / "ckpt_000300.pt"))


@pytest.fixture
def dcp(tmp_path: Path) -> Path:
    return Path(shutil.copytree(_DCP, tmp_path / "run"))


def test_a_whole_torch_file_is_right(torch_file: Path) -> None:
    found = result_of(torch_file)
    with zipfile.ZipFile(torch_file) as archive:
        held = sum(info.compress_size for info in archive.infolist())
    assert (found.ok, found.method) == (True, "zip CRC-32")
    assert found.checked_bytes == held
    assert found.size_bytes == torch_file.stat().st_size


def test_a_flipped_bit_names_record_and_tensor(torch_file: Path) -> None:
    place = record_begin(torch_file, "ckpt_000300/data/3")
    flip(torch_file, place + 2, 5)
    found = result_of(torch_file)
    (fault,) = found.faults
    assert found.ok is False
    assert fault.code == "checksum-mismatch"
    assert fault.place.startswith("record ckpt_000300/data/3 at byte ")
    assert fault.tensor.startswith("model.")
    assert "CRC-32" in fault.message


def test_padding_between_records_is_not_covered(torch_file: Path) -> None:
    flip(torch_file, record_begin(torch_file, "ckpt_000300/data/3") - 1)
    found = result_of(torch_file)
    assert found.ok is True
    assert found.checked_bytes < found.size_bytes


def test_a_record_whose_own_header_differs_is_wrong(torch_file: Path) -> None:
    with zipfile.ZipFile(torch_file) as archive:
        header = archive.getinfo("ckpt_000300/version").header_offset
    flip(torch_file, header + 30)  # the first letter of the name
    found = result_of(torch_file)
    assert [fault.code for fault in found.faults] == ["unreadable-archive"]


def test_the_first_bytes_may_be_what_is_wrong(torch_file: Path) -> None:
    flip(torch_file, 0)
    assert result_of(torch_file).ok is False


def test_a_record_without_a_checksum_is_covered_by_nothing(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/version", b"3\n")
        archive.writestr("archive/data/0", b"\1" * 100)
    data = path.read_bytes()
    crc32 = struct.pack("<I", zipfile.crc32(b"\1" * 100))
    path.write_bytes(data.replace(crc32, bytes(4)))
    found = result_of(path)
    assert (found.ok, found.checked_bytes) == (True, 2)
    assert "no checksum" in found.message


def test_every_item_of_a_distcp_file_is_named(dcp: Path) -> None:
    end, name = end_of_dcp_tensor(dcp / "step-10", "__0_0.distcp")
    flip(dcp / "step-10" / "__0_0.distcp", end - 1)
    found = results_below(dcp)["step-10/__0_0.distcp"]
    (fault,) = found.faults
    assert fault.tensor == name
    assert fault.code == "checksum-mismatch"


def test_items_are_found_without_an_index(dcp: Path) -> None:
    with_index = results_below(dcp)["step-10/__0_0.distcp"]
    (dcp / "step-10" / ".metadata").unlink()
    alone = result_of(dcp / "step-10" / "__0_0.distcp")
    assert alone.ok is True
    assert alone.checked_bytes >= with_index.checked_bytes > 0


def test_deflated_records_are_decompressed(tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    content = bytes(range(256)) * 4000
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w.npy", content)
    stored = path.stat().st_size
    assert result_of(path).ok is True
    flip(path, stored // 3, 3)
    found = result_of(path)
    assert found.ok is False
    assert found.faults[0].tensor == "w"


def test_a_bomb_is_refused_by_what_deflate_can_do(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w.npy", b"0" * 100_000)
    data = bytearray(path.read_bytes())
    directory = data.rfind(b"PK\1\2")
    data[directory + 24 : directory + 28] = struct.pack("<I", 0xFFFF_FFF0)
    header = data.rfind(b"PK\3\4", 0, directory)
    data[header + 22 : header + 26] = struct.pack("<I", 0xFFFF_FFF0)
    path.write_bytes(data)
    (fault,) = result_of(path).faults
    assert "cannot hold 4294967280 bytes" in fault.message


def test_sizes_beyond_the_file_and_records_in_each_other_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", b"0" * 100)
        archive.writestr("b.npy", b"0" * 100)
    whole = path.read_bytes()
    directory = whole.find(b"PK\1\2")
    wide = struct.pack("<2H2Q", 1, 16, 1 << 60, 1 << 60)
    huge = bytearray(whole[:directory] + whole[directory:].replace(b"a.npy", b"a.npy" + wide))
    huge[directory + 20 : directory + 28] = b"\xff" * 8
    huge[directory + 30 : directory + 32] = struct.pack("<H", len(wide))
    longer = struct.pack("<I", len(whole) - directory - 22 + len(wide))
    huge[-10:-6] = longer
    path.write_bytes(huge)
    (fault,) = result_of(path).faults
    assert f"needs at least {(1 << 60) + 30} bytes" in fault.message
    overlapping = bytearray(whole)
    second = whole.rfind(b"PK\1\2")
    overlapping[second + 42 : second + 46] = bytes(4)  # the second record where the first one is
    path.write_bytes(overlapping)
    assert result_of(path).ok is False

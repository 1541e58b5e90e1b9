"""bzip2 and xz: checked to their end, by the checksums that they keep of themselves."""

from __future__ import annotations

import bz2
import lzma
from typing import TYPE_CHECKING

import pytest

from tests.verify.files import flip, result_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CONTENT = bytes(range(256)) * 9000
EACH = pytest.mark.parametrize(
    ("compress", "name", "method", "uncovered_bytes"),
    [
        (bz2.compress, "state.bz2", "bzip2 CRC-32", 5),
        (lzma.compress, "state", "xz check", 0),
    ],
)


@EACH
def test_streams_one_after_the_other(
    tmp_path: Path,
    compress: Callable[[bytes], bytes],
    name: str,
    method: str,
    uncovered_bytes: int,
) -> None:
    path = tmp_path / name
    path.write_bytes(compress(CONTENT) + compress(b"more"))
    found = result_of(path)
    assert (found.ok, found.method) == (True, method)
    assert found.size_bytes - found.checked_bytes == 2 * uncovered_bytes
    flip(path, len(compress(CONTENT)) // 2, 4)
    assert [fault.code for fault in result_of(path).faults] == ["unreadable-archive"]


@EACH
@pytest.mark.parametrize("behind", [b"", b"more"])
def test_a_cut_stream(
    tmp_path: Path,
    compress: Callable[[bytes], bytes],
    name: str,
    method: str,
    uncovered_bytes: int,
    behind: bytes,
) -> None:
    path = tmp_path / name
    path.write_bytes((compress(CONTENT) + (compress(behind) if behind else b""))[:-1])
    found = result_of(path)
    assert [fault.code for fault in found.faults] == ["truncated-file"]
    assert found.faults[0].message.startswith(
        f"the {method.partition(' ')[0]} stream at byte {len(compress(CONTENT)) * bool(behind)} has"
    )


def test_a_stream_may_be_filled_up_with_zeros(tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.write_bytes(lzma.compress(CONTENT) + bytes(4) + lzma.compress(b"more") + bytes(8))
    assert result_of(path).ok is True
    path.write_bytes(lzma.compress(CONTENT) + b"rest")
    assert result_of(path).ok is False


@pytest.mark.parametrize(
    "data",
    [
        lzma.compress(CONTENT, format=lzma.FORMAT_ALONE),
        lzma.compress(CONTENT, check=lzma.CHECK_NONE),
    ],
    ids=["lzma", "xz"],
)
def test_without_a_checksum_only_the_structure_is_checked(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "state.lzma"
    path.write_bytes(data)
    found = result_of(path)
    assert (found.ok, found.method, found.covered) == (None, "structure", ())
    path.write_bytes(data[:-2])
    assert result_of(path).faults[0].code == "truncated-file"


def test_a_short_magic_alone_says_nothing(tmp_path: Path) -> None:
    """A safetensors header of 93 bytes begins as lzma does, and so does an array of small ints."""
    header = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'.ljust(93)
    weights = tmp_path / "model.safetensors"
    weights.write_bytes((93).to_bytes(8, "little") + header + bytes(8))
    assert (result_of(weights).ok, result_of(weights).method) == (None, "structure")
    for data in (b"\x5d\0\0\0" * 100, b"BZh9" * 100):
        (tmp_path / "consumed.bin").write_bytes(data)
        assert result_of(tmp_path / "consumed.bin").ok is None

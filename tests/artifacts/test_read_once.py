"""What is read or understood once for many files is still checked against each of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.safetensors_header import read_safetensors_header
from ckpt_tui.artifacts.source import FileSource, WindowSource
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from tests.artifacts.builders import LIMITS, BytesSource, safetensors, tensor, torch_pickle, zip_of

if TYPE_CHECKING:
    from pathlib import Path

HEADER = json.dumps({"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}).encode()


def torch_file(storage_bytes: int) -> BytesSource:
    records = {"data.pkl": torch_pickle(tensor("0", (4,))), "version": b"3\n"}
    records["data/0"] = bytes(storage_bytes)
    return BytesSource(zip_of({f"archive/{name}": data for name, data in records.items()}))


def code_of(read: object, source: BytesSource) -> str:
    assert callable(read)
    with pytest.raises(ArtifactError) as caught:
        read(source, LIMITS)
    return caught.value.code


def test_an_equal_header_does_not_vouch_for_a_shorter_file() -> None:
    whole = BytesSource(safetensors(HEADER, bytes(16)))
    assert read_safetensors_header(whole, LIMITS) is read_safetensors_header(whole, LIMITS)
    cut = BytesSource(safetensors(HEADER, bytes(15)))
    assert code_of(read_safetensors_header, cut) == "truncated-file"
    longer = BytesSource(safetensors(HEADER, bytes(17)))
    assert code_of(read_safetensors_header, longer) == "size-mismatch"


def test_an_equal_header_is_bound_by_the_limits_of_the_call() -> None:
    whole = BytesSource(safetensors(HEADER, bytes(16)))
    read_safetensors_header(whole, LIMITS)
    with pytest.raises(ArtifactError, match="nested deeper"):
        read_safetensors_header(whole, LIMITS._replace(json_depth=1))


def test_an_equal_pickle_does_not_vouch_for_a_smaller_storage() -> None:
    assert read_torch_archive(torch_file(16), LIMITS).value == (
        read_torch_archive(torch_file(16), LIMITS).value
    )
    assert code_of(read_torch_archive, torch_file(15)) == "unreadable-archive"


@pytest.mark.parametrize("size_bytes", [10, 64 * 1024, 64 * 1024 + 1])
def test_small_and_large_files_are_read_alike(tmp_path: Path, size_bytes: int) -> None:
    data = bytes(number % 251 for number in range(size_bytes))
    path = tmp_path / "file"
    path.write_bytes(data)
    with FileSource(path) as source:
        window = WindowSource(source, 3, size_bytes - 3)
        for offset, length in ((0, 4), (5, 0), (size_bytes - 2, 9), (size_bytes, 1), (2, -1)):
            assert source.read_at(offset, length) == data[offset : offset + max(0, length)]
            assert window.read_at(offset, length) == data[3:][offset : offset + max(0, length)]

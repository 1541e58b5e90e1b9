from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.artifacts.safetensors_header import SafeTensor, read_safetensors_header
from ckpt_tui.artifacts.source import FileSource
from tests.artifacts.builders import LIMITS, BytesSource, brief, error_of, safetensors

if TYPE_CHECKING:
    from pathlib import Path


def entry(dtype: str, shape: list[int], begin: int, end: int) -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def whole(data_bytes: int = 0, **entries: object) -> bytes:
    return safetensors(json.dumps(entries).encode() + b"   ", bytes(data_bytes))


def test_tensors_and_metadata() -> None:
    tensors = {
        "b": entry("BF16", [2, 3], 8, 20),
        "a": entry("I64", [], 0, 8),
        "none": entry("F32", [0, 4], 20, 20),
        "packed": entry("F4", [2, 3], 20, 23),
    }
    data = whole(23, __metadata__={"format": "pt"}, **tensors)
    header = read_safetensors_header(BytesSource(data), LIMITS)
    assert header.tensors == {
        "b": SafeTensor("bfloat16", (2, 3), 8, 20),
        "a": SafeTensor("int64", (), 0, 8),
        "none": SafeTensor("float32", (0, 4), 20, 20),
        "packed": SafeTensor("float4", (2, 3), 20, 23),
    }
    assert header.metadata == {"format": "pt"}
    assert header.data_bytes_expected == 23


def test_a_file_without_tensors_is_whole() -> None:
    assert read_safetensors_header(BytesSource(safetensors(b"{}")), LIMITS).tensors == {}


GOOD = whole(24, a=entry("F32", [2], 0, 8), b=entry("F32", [4], 8, 24))


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (b"", "empty-file", "0 bytes"),
        (b"\x10\0", "truncated-file", "the header's length at offset 0 needs 8 bytes"),
        (GOOD[:60], "truncated-file", "but the file has only 60"),
        (GOOD[:-1], "truncated-file", f"has {len(GOOD) - 1} of the {len(GOOD)} bytes"),
        (GOOD + b"x", "size-mismatch", f"has {len(GOOD) + 1} bytes, 1 more than the {len(GOOD)}"),
        (b"\xff" * 20, "unreadable-archive", "should have 18446744073709551615 bytes"),
        (safetensors(b"{,}"), "invalid-json", "line 1, column 2"),
        (safetensors(b"[]"), "unreadable-archive", "no JSON object"),
        (safetensors(b"\xff{}"), "invalid-json", "no UTF-8 text at byte 0"),
        (whole(a=[]), "unreadable-archive", "the entry of tensor 'a' is no JSON object"),
        (whole(a=entry("F33", [], 0, 4)), "unreadable-archive", "unknown data type"),
        (whole(a={"dtype": []}), "unreadable-archive", "unknown data type"),
        (whole(a=entry("F32", [-1], 0, 4)), "unreadable-archive", "no sizes"),
        (whole(a=entry("F32", [True], 0, 4)), "unreadable-archive", "no sizes"),
        (whole(a={"dtype": "F32", "shape": [1]}), "unreadable-archive", "no sizes"),
        (whole(a=entry("F32", [2], 0, 4)), "unreadable-archive", "needs 8 bytes, but"),
        (whole(a=entry("F4", [3], 0, 2)), "unreadable-archive", "needs 1.5 bytes, but"),
        (whole(a=entry("F32", [1], 4, 0)), "unreadable-archive", "its offsets span -4"),
        (whole(8, a=entry("F32", [1], 4, 8)), "unreadable-archive", "begins at data offset 4"),
        (
            whole(8, a=entry("F32", [2], 0, 8), b=entry("F32", [1], 4, 8)),
            "unreadable-archive",
            "tensor 'b' begins at data offset 4, but the one before it ends at 8",
        ),
        (whole(__metadata__={"a": 1}), "unreadable-archive", "not an object of texts"),
    ],
    ids=brief,
)
def test_what_is_wrong_is_said(data: bytes, code: str, message: str) -> None:
    error = error_of(read_safetensors_header, data)
    assert error.code == code
    assert message in error.message


def test_a_large_header_is_not_read() -> None:
    error = error_of(read_safetensors_header, GOOD, Limits(metadata_bytes=50))
    assert error.code == "limit-exceeded"


def test_no_beginning_of_a_file_is_a_file(corpus: Path) -> None:
    path = "torch/hf_trainer_single/checkpoint-10/model.safetensors"
    with FileSource(corpus / path) as source:
        header = read_safetensors_header(source, LIMITS)
        data = source.read_at(0, source.size)
    assert sum(tensor.end - tensor.begin for tensor in header.tensors.values()) == (
        header.data_bytes_expected
    )
    for length in (*range(64), *range(64, len(data), 397), len(data) - 1):
        assert error_of(read_safetensors_header, data[:length]).code in (
            "truncated-file",
            "empty-file",
        )


def test_a_real_header_without_its_data(corpus: Path) -> None:
    path = (
        "dcp_hfwriter_sigkill_in_consolidation/checkpoint/step-20/model-00002-of-00002.safetensors"
    )
    data = (corpus / "torch_broken" / path).read_bytes()
    error = error_of(read_safetensors_header, data)
    assert (error.code, error.message) == (
        "truncated-file",
        "the file has 185 of the 4281 bytes that its header asks for",
    )

"""Whole files that no torch.load opens, and what its older form cannot give back."""

from __future__ import annotations

import bz2
import gzip
import lzma

import pytest

from ckpt_tui.artifacts.torch_archive import TensorInfo, read_torch_archive
from tests.artifacts.builders import (
    LIMITS,
    BytesSource,
    Global,
    Storage,
    brief,
    error_of,
    tensor,
    torch_legacy,
    torch_zip,
    zip_of,
)

WHOLE = torch_zip({"w": tensor("0", (2,))}, {"0": bytes(8)})
FORM_8_BIT = (0, (4,), (1,), False, None, Global("torch.float8_e5m2"), None)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (gzip.compress(WHOLE), "compressed with gzip"),
        (bz2.compress(WHOLE), "compressed with bzip2"),
        (lzma.compress(WHOLE), "compressed with xz"),
        (b"\x28\xb5\x2f\xfd" + bytes(20), "compressed with zstd"),
        (
            zip_of({"m/.data/extern_modules": b"", "m/model/model.pkl": b"N."}),
            "an archive of torch.package",
        ),
        (
            zip_of({"m/archive_format": b"pt2", "m/models/model.json": b"{}"}),
            "an archive of torch.export",
        ),
    ],
    ids=brief,
)
def test_what_is_whole_but_of_another_kind_is_no_damage(data: bytes, message: str) -> None:
    error = error_of(read_torch_archive, data)
    assert error.code == "unsupported-version"
    assert message in error.message


def test_the_form_without_a_zip_cannot_give_back_untyped_storages() -> None:
    """torch.save writes float8 so without a word; torch.load raises an AttributeError."""
    untyped = Storage("storage.UntypedStorage", "0", 4)
    value = Global("torch._utils._rebuild_tensor_v3", (untyped, *FORM_8_BIT))
    error = error_of(read_torch_archive, torch_legacy(value, {"0": (4, bytes(4))}))
    assert error.code == "unreadable-archive"
    assert "untyped storages" in error.message
    zipped = read_torch_archive(BytesSource(torch_zip(value, {"0": bytes(4)})), LIMITS)
    assert zipped.value == TensorInfo("float8_e5m2", (4,), 4, "0", 0)


@pytest.mark.parametrize(("kind", "per_byte"), [("QUInt4x2", 2), ("QUInt2x4", 4)])
def test_quantized_elements_share_a_byte(kind: str, per_byte: int) -> None:
    size_bytes = 8 // per_byte + 1
    packed = Storage(f"{kind}Storage", "0", size_bytes)
    args = (packed, 0, (9,), (1,), (), False, None)
    value = Global("torch._utils._rebuild_qtensor", args)
    archive = read_torch_archive(BytesSource(torch_zip(value, {"0": bytes(size_bytes)})), LIMITS)
    assert archive.value == TensorInfo(kind.lower(), (9,), size_bytes, "0", 0)
    short = Global("torch._utils._rebuild_qtensor", (packed, 0, (9 + per_byte,), *args[3:]))
    message = error_of(read_torch_archive, torch_zip(short, {"0": bytes(size_bytes)})).message
    assert f"needs {size_bytes + 1} bytes of storage '0', which has {size_bytes}" in message

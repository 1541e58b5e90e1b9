"""Files of the installed torch, against what torch itself says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.dcp_items import read_dcp_scalar
from ckpt_tui.artifacts.dcp_metadata import read_dcp_metadata
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.torch_archive import TensorInfo, read_torch_archive, tensor_scalar
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES
from ckpt_tui.artifacts.unsafe_names import unsafe_globals

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.frameworks

LIMITS = Limits(seconds=30)
DTYPES = [
    "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16",
    "bfloat16", "float32", "float64", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2",
    "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu",
]  # fmt: skip


@pytest.mark.parametrize("in_zip", [True, False])
@pytest.mark.parametrize("name", DTYPES)
def test_tensors_of_every_data_type(tmp_path: Path, name: str, in_zip: bool) -> None:
    import torch

    dtype = getattr(torch, name)
    whole = torch.ones(3, 4).to(dtype)
    tensors = {"whole": whole, "part": whole[1:, ::2], "one": whole[2, 3], "none": whole[3:]}
    path = tmp_path / "file.pt"
    torch.save(tensors, path, _use_new_zipfile_serialization=in_zip)
    if not _loads(path):
        assert not in_zip, "only the older form has no place for these types"
        with FileSource(path) as source, pytest.raises(ArtifactError, match="untyped storages"):
            read_torch_archive(source, LIMITS)
        return
    with FileSource(path) as source:
        archive = read_torch_archive(source, LIMITS)
        for key, tensor in tensors.items():
            info = archive.value[key]
            assert (info.dtype, info.shape) == (name, tuple(tensor.shape))
            assert info.storage_offset == tensor.storage_offset()
            assert info.size_bytes == tensor.numel() * tensor.element_size()
        assert ITEM_BYTES[name] == whole.element_size()
        plain = not name.startswith(("complex", "float8"))
        assert tensor_scalar(archive, source, archive.value["one"]) == (1 if plain else None)


def _loads(path: Path) -> bool:
    import torch

    try:
        torch.load(path, weights_only=False)
    except AttributeError:
        return False
    return True


def test_a_module_and_its_optimizer(tmp_path: Path) -> None:
    import torch

    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    for number, value in enumerate((model, model.state_dict(), optimizer, optimizer.state_dict())):
        path = tmp_path / f"{number}.pt"
        torch.save(value, path)
        with FileSource(path) as source:
            archive = read_torch_archive(source, LIMITS)
        assert unsafe_globals(archive.globals) == ()
    assert archive.value["param_groups"][0]["lr"] == 0.001
    assert isinstance(archive.value["state"][0]["exp_avg"], TensorInfo)


def test_an_archive_of_more_than_4_gib(tmp_path: Path) -> None:
    import torch

    path = tmp_path / "big.pt"
    # Its size is there, its bytes are a hole.
    with torch.serialization.skip_data():
        torch.save({"big": torch.empty(1_200_000_000), "step": torch.tensor(5)}, path)
    with FileSource(path) as source:
        assert source.size > 1 << 32
        archive = read_torch_archive(source, LIMITS)
        assert archive.value["big"].size_bytes == 4_800_000_000
        assert tensor_scalar(archive, source, archive.value["step"]) == 0


def test_a_distributed_checkpoint(tmp_path: Path) -> None:
    import torch
    import torch.distributed.checkpoint as dcp

    dcp.save(
        {"model": {"w": torch.ones(2, 3)}, "step": 7, "loss": torch.tensor(0.5)},
        checkpoint_id=tmp_path / "step-7",
        no_dist=True,
    )
    with FileSource(tmp_path / "step-7" / ".metadata") as source:
        metadata = read_dcp_metadata(source, LIMITS)
    dtypes = {entry.key: entry.dtype for entry in metadata.entries}
    assert dtypes == {"model.w": "float32", "step": None, "loss": "float32"}
    scalars = {}
    for item in metadata.storage:
        with FileSource(tmp_path / "step-7" / item.relative_path) as source:
            scalars[item.key] = read_dcp_scalar(source, item, dtypes[item.key], LIMITS)
    assert scalars == {"model.w": None, "step": 7, "loss": 0.5}

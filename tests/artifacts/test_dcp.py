from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.dcp_items import read_dcp_item, read_dcp_scalar
from ckpt_tui.artifacts.dcp_metadata import DcpItem, DcpMetadata, read_dcp_metadata
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.torch_archive import TensorInfo
from ckpt_tui.artifacts.unsafe_names import unsafe_globals
from tests.artifacts.builders import (
    LIMITS,
    BytesSource,
    Global,
    brief,
    error_of,
    tensor,
    torch_pickle,
    torch_zip,
)

if TYPE_CHECKING:
    from pathlib import Path

TITAN = "torch/dcp_titan_ws4/checkpoint/step-10"
MODULE = "torch.distributed.checkpoint.metadata"


def metadata_of(corpus: Path, checkpoint: str) -> DcpMetadata:
    with FileSource(corpus / checkpoint / ".metadata") as source:
        return read_dcp_metadata(source, LIMITS)


def item_of(metadata: DcpMetadata, key: str) -> DcpItem:
    return next(item for item in metadata.storage if item.key == key)


def test_what_a_checkpoint_should_hold(corpus: Path) -> None:
    metadata = metadata_of(corpus, TITAN)
    entries = {entry.key: entry for entry in metadata.entries}
    assert len(entries) == len(metadata.entries) == 78
    weight = entries["tok_embeddings.weight"]
    assert (weight.kind, weight.dtype, weight.shape) == ("tensor", "float32", (32, 16))
    assert (weight.size_bytes, weight.chunks) == (2048, 4)
    step = entries["train_state.step"]
    assert (step.dtype, step.shape, step.size_bytes, step.chunks) == ("int32", (), 4, 1)
    assert entries["dataloader.dp_rank_0"].kind == "bytes"
    assert unsafe_globals(metadata.globals) == ()


def test_every_item_lies_in_its_file_and_can_be_read(corpus: Path) -> None:
    metadata = metadata_of(corpus, TITAN)
    kinds = {entry.key: entry for entry in metadata.entries}
    for item in metadata.storage:
        with FileSource(corpus / TITAN / item.relative_path) as source:
            value = read_dcp_item(source, item, LIMITS)
        assert isinstance(value, TensorInfo) == (kinds[item.key].kind == "tensor")
    files = {item.relative_path for item in metadata.storage}
    for name in files:
        length = sum(item.length for item in metadata.storage if item.relative_path == name)
        assert length == (corpus / TITAN / name).stat().st_size


def test_scalars(corpus: Path) -> None:
    metadata = metadata_of(corpus, TITAN)
    step = item_of(metadata, "train_state.step")
    with FileSource(corpus / TITAN / step.relative_path) as source:
        assert read_dcp_scalar(source, step, "int32", LIMITS) == 10
        with pytest.raises(ArtifactError, match="type int32, its metadata says int64"):
            read_dcp_scalar(source, step, "int64", LIMITS)
    weight = item_of(metadata, "tok_embeddings.weight")
    with FileSource(corpus / TITAN / weight.relative_path) as source:
        assert read_dcp_scalar(source, weight, "float32", LIMITS) is None
    nested = "torch/dcp_nested_ws4/step_000010"
    step = item_of(metadata_of(corpus, nested), "progress.step")
    assert step.offset_index is None
    with FileSource(corpus / nested / step.relative_path) as source:
        assert read_dcp_scalar(source, step, None, LIMITS) == 10


def test_paths_in_the_nested_state_dictionary(corpus: Path) -> None:
    paths = metadata_of(corpus, "torch/dcp_nested_ws4/step_000010").paths
    assert paths["progress.step"] == ("progress", "step")


@pytest.mark.parametrize(
    "checkpoint",
    [
        "torch/megatron_torch_dist_tp2/iter_0000030",
        "torch/lightning_modelparallel_ws2/checkpoints/last.ckpt",
        "torch/dcp_filepertensor_ws4/step-10",
        "torch_broken/dcp_sigkill_in_overwrite/checkpoint/step-10",
    ],
)
def test_writers_of_several_frameworks(corpus: Path, checkpoint: str) -> None:
    metadata = metadata_of(corpus, checkpoint)
    assert {item.key for item in metadata.storage} <= {entry.key for entry in metadata.entries}
    assert metadata.storage
    assert unsafe_globals(metadata.globals) == ()


def test_an_item_that_reaches_past_a_cut_file(corpus: Path) -> None:
    checkpoint = corpus / "torch_broken/dcp_sigkill_in_overwrite/checkpoint/step-10"
    metadata = metadata_of(corpus, "torch_broken/dcp_sigkill_in_overwrite/checkpoint/step-10")
    sizes = {path.name: path.stat().st_size for path in checkpoint.glob("*.distcp")}
    item = next(
        item for item in metadata.storage if item.offset + item.length > sizes[item.relative_path]
    )
    with (
        FileSource(checkpoint / item.relative_path) as source,
        pytest.raises(ArtifactError) as caught,
    ):
        read_dcp_item(source, item, LIMITS)
    assert caught.value.code == "truncated-file"


def test_no_beginning_of_a_metadata_file_is_one(corpus: Path) -> None:
    data = (corpus / TITAN / ".metadata").read_bytes()
    for length in (*range(40), *range(40, len(data), 173), len(data) - 1):
        assert error_of(read_dcp_metadata, data[:length]).code in ("truncated-file", "empty-file")


def test_a_changed_offset_of_a_piece_is_refused(corpus: Path) -> None:
    data = (corpus / TITAN / ".metadata").read_bytes()
    found = read_dcp_metadata(BytesSource(data), LIMITS)
    sizes = {item.offset_index for item in found.storage if item.offset_index}
    rows = max(size[0] for size in sizes)
    # The first piece of the first tensor that begins at that row: K is one byte of an integer.
    changed = data.replace(b"K" + bytes([rows]), b"K" + bytes([rows + 1]), 1)
    assert changed != data
    assert "is stored of" in error_of(read_dcp_metadata, changed).message


def test_metadata_of_paddle_is_refused_by_name(corpus: Path) -> None:
    data = (corpus / "jax/paddle_distributed_checkpoint/step_10/0.metadata").read_bytes()
    error = error_of(read_dcp_metadata, data)
    assert error.code == "unreadable-archive"
    assert "found paddle.distributed.flex_checkpoint.dcp.metadata.Metadata" in error.message


class Metadata:
    """A metadata pickle with fields of one's choice."""

    def __init__(self, **fields: object) -> None:
        self.fields = {"state_dict_metadata": {}, "storage_data": {}, **fields}

    def pickled(self) -> bytes:
        state = torch_pickle(self.fields)[2:-1]
        return b"c" + MODULE.encode() + b"\nMetadata\n)R" + state + b"b."


INDEX = Global(f"{MODULE}.MetadataIndex", ())
STORED = Global("torch.distributed.checkpoint.filesystem._StorageInfo", ())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80\x02}.", f"expected {MODULE}.Metadata, found dict"),
        (Metadata(state_dict_metadata=None).pickled(), "state_dict_metadata is no dictionary"),
        (Metadata(storage_data=[]).pickled(), "storage_data is no dictionary"),
        (Metadata(state_dict_metadata={"a": 1}).pickled(), "an entry of an unknown form"),
        (Metadata(state_dict_metadata={"a": INDEX}).pickled(), "unknown class 'MetadataIndex'"),
        (
            Metadata(
                state_dict_metadata={"a": Global(f"{MODULE}.TensorStorageMetadata", ())}
            ).pickled(),
            "tensor 'a' has no shape or no chunks",
        ),
        (Metadata(storage_data={"a": INDEX}).pickled(), "an item of an unknown form"),
        (Metadata(storage_data={INDEX: INDEX}).pickled(), "an item of an unknown form"),
        (Metadata(storage_data={INDEX: STORED}).pickled(), "an item without a key or a file"),
        (
            Metadata(planner_data={"a.x": ("a", "x"), "b.x": ("b", "x"), "c": ("d",)}).pickled(),
            "the key 'c' does not fit its path",
        ),
    ],
    ids=brief,
)
def test_an_unknown_form_is_refused(data: bytes, message: str) -> None:
    error = error_of(read_dcp_metadata, data)
    assert error.code == "unreadable-archive"
    assert error.message == f"unsupported .metadata: {message}" or message in error.message


def test_fields_of_old_versions_may_be_absent() -> None:
    metadata = read_dcp_metadata(BytesSource(Metadata(storage_meta=None).pickled()), LIMITS)
    assert (metadata.entries, metadata.storage) == ((), ())
    assert metadata.paths == {}


def _item(data: bytes, **changes: object) -> DcpItem:
    return DcpItem("key", None, "__0_0.distcp", 3, len(data), False)._replace(**changes)


def test_items_by_hand() -> None:
    data = torch_zip({"a": 1})
    source = BytesSource(b"pad" + data + b"pad")
    assert read_dcp_item(source, _item(data), LIMITS) == {"a": 1}
    assert read_dcp_scalar(source, _item(data), None, LIMITS) is None
    with pytest.raises(ArtifactError, match="stored transformed"):
        read_dcp_item(source, _item(data, transformed=True), LIMITS)
    for value, expected in ((True, None), (5, 5), (0.5, 0.5), ("5", None)):
        data = torch_zip(value)
        assert read_dcp_scalar(BytesSource(b"pad" + data), _item(data), None, LIMITS) == expected


def test_a_large_item_is_no_scalar_and_is_not_read() -> None:
    data = torch_zip(tensor("0", (20_000,)), {"0": bytes(80_000)})
    assert read_dcp_scalar(BytesSource(b""), _item(data), "float32", Limits()) is None

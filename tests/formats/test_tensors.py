"""Tensors of whole checkpoints: what each format tells; their bytes add up to the files."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ckpt_tui.core.tensors import (
    MOST_LISTED,
    MOST_NAME_CHARACTERS,
    NoteKind,
    Tensor,
    TensorListing,
)
from ckpt_tui.core.tensors_reading import TensorsReading
from ckpt_tui.core.tensors_totals import totals_of
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats import registry
from ckpt_tui.formats.shared import tensors_gathering
from ckpt_tui.formats.tensors import tensors_of
from tests.artifacts.builders import safetensors, tensor, torch_legacy, torch_zip
from tests.formats.helpers import read_directory, read_file
from tests.formats.sharded_builder import ARCHIVE_BYTES, Sharded, write_sharded
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, WEIGHTS, write_torch

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint


class Row(NamedTuple):
    """A checkpoint of the corpus.

    Attributes:
        roles: Role → (tensors, stored bytes).
        most_bytes_around: Bytes that its files have around each stored piece, at most: zip
            records, pickles, alignment. In DCP each piece is a whole archive.
    """

    path: str
    format: str
    roles: dict[str, tuple[int, int]]
    most_bytes_around: int


_TRAINER = {"optimizer": (84, 65136), "model": (28, 32512), "rng": (1, 5056)}
_LOOP = {"optimizer": (24, 17056), "model": (8, 8512), "rng": (1, 5056)}
_SHARDS = {"optimizer": (8, 25544), "rng": (1, 5056), "model": (8, 4256)}
ROWS = (
    Row("accelerate_plain/checkpoints/checkpoint_2", "accelerate", _LOOP, 650),
    Row("accelerate_manual_bin/step_24", "accelerate", _LOOP, 650),
    Row("hf_trainer_single/checkpoint-30", "hf-trainer", _TRAINER, 350),
    Row("hf_trainer_sharded/checkpoint-20", "hf-trainer", _TRAINER, 350),
    Row("hf_trainer_modelonly/checkpoint-30", "hf-trainer", {"model": (28, 32512)}, 100),
    Row("lightning_single/checkpoints/last.ckpt", "lightning",
        {"optimizer": (24, 17056), "model": (8, 8512), "": (5, 8)}, 350),
    Row("lightning_modelparallel_ws2/checkpoints/last.ckpt", "lightning",
        {"optimizer": (24, 17056), "model": (8, 8512), "progress": (1, 4)}, 1650),
    Row("dcp_nested_ws4/step_000015", "torch-dcp",
        {"rng": (5, 25280), "optimizer": (12, 16400), "model": (4, 8192)}, 1650),
    Row("dcp_titan_ws4/checkpoint/step-30", "torch-dcp",
        {"optimizer": (12, 16400), "model": (4, 8192), "progress": (2, 12)}, 1650),
    Row("dcp_filepertensor_ws4/step-10", "torch-dcp", {"model": (4, 8192)}, 1300),
    Row("dcp_hfwriter_ws4/checkpoint/step-30", "torch-dcp", {"model": (4, 8192)}, 160),
    Row("dcp_hfwriter_ws4/checkpoint/step-20", "torch-dcp", {"model": (4, 8192)}, 160),
    Row("megatron_torch_dist_tp2/iter_0000030", "megatron-dist",
        {"optimizer": (34, 46976), "model": (17, 23488)}, 1650),
    Row("megatron_legacy_tp2/iter_0000020", "megatron-legacy",
        {"optimizer": (64, 34112), "rng": (6, 30336), "model": (16, 17024)}, 500),
    Row("deepspeed_zero1_ws2/global_step15", "deepspeed", _SHARDS, 800),
    Row("deepspeed_zero3_ws2/global_step15", "deepspeed",
        {"optimizer": (8, 25544), "rng": (2, 10112), "model": (16, 0)}, 800),
    Row("deepspeed_universal/global_step15_universal", "deepspeed",
        {"optimizer": (24, 17056), "model": (16, 12768), "rng": (1, 5056)}, 1400),
    Row("torchsnapshot_ws2/step-15", "torchsnapshot",
        {"optimizer": (48, 34112), "rng": (2, 10112), "model": (8, 8512)}, 0),
    Row("plain_numbered/ckpt_000300.pt", "torch-file", _LOOP, 600),
    Row("plain_legacy_nonzip/ckpt_000300.pt", "torch-file", _LOOP, 400),
    Row("verl_like_ws2/global_step_20", "torch-file",
        {"optimizer": (48, 17088), "rng": (2, 10112), "model": (16, 8512)}, 700),
)  # fmt: skip


def checkpoint_at(path: Path, format_name: str) -> Checkpoint:
    reader = registry.reader(format_name)
    return judge(read_file(reader, path) if path.is_file() else read_directory(reader, path))


def listing_of(path: Path, format_name: str) -> TensorListing:
    return tensors_of(checkpoint_at(path, format_name))


def named(listing: TensorListing) -> dict[str, Tensor]:
    return {one.name: one for one in listing.tensors}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_roles_and_bytes_agree_with_the_files(corpus: Path, row: Row) -> None:
    checkpoint = checkpoint_at(corpus / "torch" / row.path, row.format)
    assert checkpoint.facts.format == row.format
    listing = tensors_of(checkpoint)
    totals = totals_of(listing.tensors)
    assert {one.name: (one.tensors, one.size_bytes) for one in totals.by_role} == row.roles
    chunks = [chunk for one in listing.tensors for chunk in one.chunks]
    paths = {chunk.path for chunk in chunks}
    held = sum(file.size_bytes for file in checkpoint.facts.files if file.path in paths)
    objects = sum(n.size_bytes for n in listing.notes if n.kind is NoteKind.OBJECTS)
    around = held - totals.all.size_bytes - objects
    assert 0 <= around <= row.most_bytes_around * len(chunks)


def test_pieces_of_a_tensor_fill_it(corpus: Path) -> None:
    for path in ("dcp_nested_ws4/step_000015", "dcp_hfwriter_ws4/checkpoint/step-30"):
        split = [t for t in listing_of(corpus / "torch" / path, "torch-dcp").tensors if t.shape]
        assert any(len(one.chunks) == 4 for one in split)
        for one in split:
            assert sum(chunk.size_bytes for chunk in one.chunks) == one.size_bytes
            assert one.chunks[-1].offsets[0] + one.chunks[-1].shape[0] == one.shape[0]
            assert [chunk.offsets for chunk in one.chunks] == sorted(c.offsets for c in one.chunks)


def test_which_rank_holds_which_rows(tmp_path: Path) -> None:
    kept = {"model.w": Sharded(10, 3, (0, 2)), "optimizer.state.w.exp_avg": Sharded(10, 3, (1,))}
    listing = listing_of(write_sharded(tmp_path / "step-5", kept), "torch-dcp")
    model = named(listing)["model.w"]
    assert (model.shape, model.role, model.size_bytes) == ((10, 3), "model", 120)
    assert [(c.path, c.rank, c.offsets, c.shape, c.begin) for c in model.chunks] == [
        ("__0_0.distcp", 0, (0, 0), (5, 3), 0),
        ("__2_0.distcp", 2, (5, 0), (5, 3), 0),
    ]
    (other,) = named(listing)["optimizer.state.w.exp_avg"].chunks
    assert (other.rank, other.size_bytes) == (1, 120)
    assert (tmp_path / "step-5" / "__1_0.distcp").stat().st_size == 120 + ARCHIVE_BYTES


def test_data_files_without_an_index_are_told_not_read(tmp_path: Path) -> None:
    write_sharded(tmp_path / "step-5", {"model.w": Sharded(10, 3, (0, 1))})
    (tmp_path / "step-5" / ".metadata").unlink()
    listing = listing_of(tmp_path / "step-5", "torch-dcp")
    assert not listing.tensors
    assert [(note.kind, note.how_many) for note in listing.notes] == [(NoteKind.NO_INDEX, 2)]


def test_tied_weights_count_once(tmp_path: Path) -> None:
    value = {"model": {"embed": tensor("0", (4, 2)), "head": tensor("0", (4, 2))}}
    path = tmp_path / "ckpt_10.pt"
    path.write_bytes(torch_zip(value, {"0": bytes(32)}))
    listing = listing_of(path, "torch-file")
    embed, head = listing.tensors
    assert (embed.name, embed.stored_bytes, embed.shares) == ("model.embed", 32, "")
    assert (head.name, head.stored_bytes, head.shares) == ("model.head", 0, "model.embed")
    assert totals_of(listing.tensors).all.size_bytes == 32
    assert not listing.notes


def test_a_slice_of_a_larger_storage_tells_the_rest(tmp_path: Path) -> None:
    """torch.save stores the whole storage, however little of it a view shows."""
    path = tmp_path / "ckpt_10.pt"
    path.write_bytes(torch_zip({"model": {"w": tensor("0", (2,), elements=64)}}, {"0": bytes(256)}))
    listing = listing_of(path, "torch-file")
    assert totals_of(listing.tensors).all.size_bytes == 8
    assert [(n.kind, n.size_bytes) for n in listing.notes] == [(NoteKind.UNSEEN_BYTES, 248)]


def test_the_old_form_tells_the_first_byte(tmp_path: Path) -> None:
    path = tmp_path / "ckpt_10.pt"
    data = bytes(range(32))
    path.write_bytes(torch_legacy({"model": {"w": tensor("7", (8,))}}, {"7": (8, data)}))
    (only,) = listing_of(path, "torch-file").tensors
    begin = only.chunks[0].begin
    assert begin is not None
    assert path.read_bytes()[begin : begin + 32] == data


def test_what_has_no_role_is_listed_too(tmp_path: Path) -> None:
    value = {"model": WEIGHTS, "optimizer": OPTIMIZER, "scheduler": SCHEDULER, "step": 5,
             "running": {"mean": next(iter(WEIGHTS.values()))}}  # fmt: skip
    listing = listing_of(write_torch(tmp_path / "ckpt_5.pt", value), "torch-file")
    assert {one.name: one.role for one in listing.tensors} == {
        "model.layers.0.weight": "model",
        "model.layers.0.bias": "model",
        "optimizer.state.0.exp_avg": "optimizer",
        "running.mean": "",
    }


def test_files_of_a_manifest_are_told_by_their_first_bytes(tmp_path: Path) -> None:
    header = json.dumps({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    (tmp_path / "weights.bin").write_bytes(safetensors(header, bytes(8)))
    write_torch(tmp_path / "optimizer.bin", OPTIMIZER)
    (tmp_path / "rng.bin").write_bytes(b"\x01\x02\x03\x04 opaque")
    entries = [
        {"role": role, "path": name, "rank": 0, "checkpoint_id": "step-5",
         "size_bytes": (tmp_path / name).stat().st_size}
        for role, name in (("model", "weights.bin"), ("optimizer", "optimizer.bin"),
                           ("rng", "rng.bin"))
    ]  # fmt: skip
    document = {"schema": "ckpt-tui/manifest/1", "checkpoint_id": "step-5", "step": 5,
                "world_size": 1, "committed": True, "entries": entries}  # fmt: skip
    (tmp_path / "manifest.json").write_text(json.dumps(document))
    listing = listing_of(tmp_path, "manifest")
    assert {one.name: one.role for one in listing.tensors} == {
        "w": "model", "state.0.exp_avg": "optimizer",
    }  # fmt: skip
    assert [(n.kind, n.path) for n in listing.notes] == [(NoteKind.NO_HEADER, "rng.bin")]


def test_a_file_that_cannot_be_read_costs_its_tensors_only(corpus: Path) -> None:
    path = corpus / "torch_broken/deepspeed_z1_latest_names_incomplete/global_step10"
    listing = listing_of(path, "deepspeed")
    assert len(listing.tensors) == 13
    (note,) = listing.notes
    assert (note.kind, note.path[:24]) == (NoteKind.UNREADABLE, "bf16_zero_pp_rank_1_mp_r")


def test_checkpoints_below_an_export_are_not_its_own(corpus: Path) -> None:
    listing = listing_of(corpus / "torch/hf_trainer_single/checkpoint-10", "hf-trainer")
    assert listing.total == 113
    export = corpus / "torch/hf_trainer_single"
    own = checkpoint_at(export, "hf-trainer").facts
    flat = own._replace(files=tuple(f for f in own.files if "/" not in f.path))
    assert tensors_of(judge(flat)).total == 28


def test_links_out_are_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "checkpoint-5", tmp_path / "elsewhere.pt"
    write_torch(inside / "optimizer.pt", OPTIMIZER)
    write_torch(outside, WEIGHTS)
    os.symlink(outside, inside / "model.pt")
    listing = listing_of(inside, "torch-file")
    assert {one.chunks[0].path for one in listing.tensors} == {"optimizer.pt"}
    assert [(n.kind, n.path) for n in listing.notes] == [(NoteKind.ELSEWHERE, "model.pt")]


def test_a_save_in_flight_is_left_alone(tmp_path: Path) -> None:
    path = write_torch(tmp_path / "ckpt_5.pt", {"model": WEIGHTS})
    checkpoint = checkpoint_at(path, "torch-file")
    saving = checkpoint._replace(verdict=type(checkpoint.verdict).SAVING)
    assert [note.kind for note in tensors_of(saving).notes] == [NoteKind.SAVING]


def test_what_vanished_meanwhile_leaves_what_the_look_saw(tmp_path: Path) -> None:
    path = write_torch(tmp_path / "ckpt_5.pt", {"model": WEIGHTS})
    checkpoint = checkpoint_at(path, "torch-file")
    path.unlink()
    listing = tensors_of(checkpoint)
    assert len(listing.tensors) == 2
    assert listing.notes[0].kind is NoteKind.ONLY_FACTS


def test_when_the_time_is_up_the_rest_is_named(corpus: Path) -> None:
    checkpoint = checkpoint_at(corpus / "torch/hf_trainer_single/checkpoint-30", "hf-trainer")
    listing = tensors_of(checkpoint, TensorsReading(-1.0))
    assert listing.is_cut
    assert listing.notes[-1].kind is NoteKind.CUT_SHORT
    assert listing.notes[-1].how_many >= 3


def test_more_than_are_listed_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensors_gathering, "MOST_LISTED", 3)
    monkeypatch.setattr(tensors_gathering, "MOST_CHUNKS", 4)
    kept = {f"model.w{n}": Sharded(4, 4, (0, 1)) for n in range(7)}
    listing = listing_of(write_sharded(tmp_path / "step-5", kept), "torch-dcp")
    assert (len(listing.tensors), listing.total) == (3, 7)
    assert {note.kind: note.how_many for note in listing.notes} == {
        NoteKind.MORE_CHUNKS: 1,
        NoteKind.MORE_TENSORS: 4,
    }
    assert MOST_LISTED >= 100_000


@pytest.mark.parametrize(
    ("name", "shape"),
    [("w" * 3_000_000, [2]), ("\udcff\n[/x]\x1b[2J", [2]), ("w", [2**62, 0, 2**62])],
    ids=["megabytes", "odd", "huge"],
)
def test_hostile_headers(tmp_path: Path, name: str, shape: list[int]) -> None:
    size = 0 if 0 in shape else 8
    entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, size]}
    header = json.dumps({name: entry}).encode()
    (tmp_path / "model.safetensors").write_bytes(safetensors(header, bytes(size)))
    (only,) = listing_of(tmp_path, "safetensors-file").tensors
    assert len(only.name) <= MOST_NAME_CHARACTERS + 1
    assert only.shape == tuple(shape)

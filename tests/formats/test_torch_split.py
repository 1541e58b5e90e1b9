"""Directories of torch files: split per rank as verl's, or per role."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats.torch_file.reader import TorchFileReader
from ckpt_tui.fs.listing import list_directory
from tests.artifacts.builders import safetensors
from tests.formats.dcp_builder import write_dcp
from tests.formats.helpers import claims, codes, copy_of, cut, judged, judged_run, read_directory
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = TorchFileReader()
VERL = "torch/verl_like_ws2/global_step_20"


def split(path: Path, **states: object) -> Path:
    for name, value in states.items():
        write_torch(path / f"{name}.pt", value)
    return path


def test_verl(corpus: Path) -> None:
    checkpoint = judged(READER, corpus / VERL)
    assert claims(READER, corpus / VERL)
    assert checkpoint.verdict == "exact"
    facts = checkpoint.facts
    assert (facts.step, facts.world_size, facts.expected_ranks) == (20, 2, (0, 1))
    assert "dataloader" in facts.role_names()
    assert facts.reshard is not None
    assert facts.reshard.possible is False
    other = judge(facts, Requirements(world_size=4))
    assert not other.resumable
    assert "world-size-mismatch" in codes(other)


@pytest.mark.parametrize("kind", ["model", "optim", "extra_state"])
def test_verl_without_a_ranks_part(corpus: Path, tmp_path: Path, kind: str) -> None:
    path = copy_of(corpus / VERL, tmp_path / "global_step_20")
    (path / "actor" / f"{kind}_world_size_2_rank_1.pt").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    (finding,) = [f for f in checkpoint.findings if f.code == "missing-shard"]
    assert finding.path == f"actor/{kind}_world_size_2_rank_1.pt"


def test_verl_with_a_cut_part(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / VERL, tmp_path / "global_step_20")
    cut(path / "actor" / "model_world_size_2_rank_1.pt", 3000)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "corrupt"
    assert checkpoint.missing_ranks == (1,)


def test_verl_without_data_loader_is_unlike_its_siblings(corpus: Path, tmp_path: Path) -> None:
    first = copy_of(corpus / VERL, tmp_path / "global_step_10")
    second = copy_of(corpus / VERL, tmp_path / "global_step_20")
    (second / "data.pt").unlink()
    run = judged_run([read_directory(READER, path) for path in (first, second)])
    assert run["global_step_20"].verdict == "incomplete"
    assert "dataloader" in run["global_step_20"].why


def test_parts_of_two_world_sizes(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / VERL, tmp_path / "global_step_20")
    actor = path / "actor"
    copy_of(actor / "model_world_size_2_rank_0.pt", actor / "model_world_size_4_rank_0.pt")
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "mixed-saves" in codes(checkpoint)


def test_actor_and_critic_need_the_same_kinds(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / VERL, tmp_path / "global_step_20")
    copy_of(path / "actor", path / "critic")
    assert judged(READER, path).verdict == "exact"
    for rank in range(2):
        (path / "critic" / f"optim_world_size_2_rank_{rank}.pt").unlink()
    assert judged(READER, path).verdict == "incomplete"


def test_verls_tracker_names_a_step(corpus: Path) -> None:
    (pointer,) = READER.pointers(list_directory(str(corpus / "torch/verl_like_ws2")))
    assert pointer.targets[0] == str(corpus / VERL)


def test_one_file_per_role(tmp_path: Path) -> None:
    trainer = {"epoch": 0, "step": 3, "lr_scheduler": SCHEDULER}
    path = split(tmp_path / "epoch_0", trainer_state=trainer)
    write_torch(path / "pytorch_model.bin", WEIGHTS)
    write_torch(path / "optimizer.bin", OPTIMIZER)
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("inexact", 3)
    assert checkpoint.missing_roles == ("rng",)
    (path / "trainer_state.pt").unlink()
    assert judged(READER, path).verdict == "inexact"
    assert judged(READER, path).facts.ordinal == 0
    (path / "optimizer.bin").write_bytes(b"")
    assert judged(READER, path).verdict == "corrupt"
    (path / "optimizer.bin").unlink()
    assert not judged(READER, path).resumable


def test_without_a_step_anywhere_it_cannot_be_resumed(tmp_path: Path) -> None:
    path = split(tmp_path / "output", model=WEIGHTS, optimizer=OPTIMIZER)
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert checkpoint.missing_roles == ("scheduler", "rng", "progress")


def test_weights_may_be_safetensors(tmp_path: Path) -> None:
    path = split(tmp_path / "step_9", optimizer=OPTIMIZER)
    header = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    (path / "model.safetensors").write_bytes(safetensors(header, bytes(8)))
    assert claims(READER, path)
    assert judged(READER, path).verdict == "inexact"
    (path / "model.safetensors").write_bytes(safetensors(header, bytes(4)))
    assert judged(READER, path).verdict == "corrupt"


@pytest.mark.parametrize(
    ("directory", "names", "claimed"),
    [
        ("run", ("ckpt_1.pt", "ckpt_2.pt"), False),
        ("run", ("model_1.pt", "model_2.pt", "optimizer_1.pt", "optimizer_2.pt"), False),
        ("run", ("model.pt", "optimizer.pt"), True),
        ("run", ("model.pt", "training_args.bin"), False),
        ("run", ("model.pt",), False),
        ("step_20", ("checkpoint.pt",), True),
        ("step_20", ("ckpt_1.pt", "ckpt_2.pt"), False),
        ("step_20", ("rank_0.pt", "rank_1.pt"), True),
        ("step_20", ("notes.txt",), False),
        ("mp_rank_00", ("model.pt", "optimizer.pt"), False),
        ("global_step5", ("mp_rank_00_model_states.pt",), False),
        ("any", ("model_world_size_8_rank_3.pt",), True),
    ],
)
def test_which_directories_are_claimed(
    tmp_path: Path, directory: str, names: tuple[str, ...], claimed: bool
) -> None:
    (tmp_path / directory).mkdir()
    for name in names:
        (tmp_path / directory / name).write_bytes(b"PK\x03\x04")
    assert claims(READER, tmp_path / directory) is claimed


def test_weights_in_shards_with_an_index(tmp_path: Path) -> None:
    path = split(tmp_path / "step_9", optimizer=OPTIMIZER)
    for shard in (1, 2):
        write_torch(path / f"pytorch_model-0000{shard}-of-00002.bin", WEIGHTS)
    placed = {"a": "pytorch_model-00001-of-00002.bin", "b": "pytorch_model-00002-of-00002.bin"}
    (path / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": placed}))
    assert judged(READER, path).verdict == "inexact"
    (path / "pytorch_model-00002-of-00002.bin").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "missing-shard" in codes(checkpoint)


def test_bare_keys_in_an_optimizers_directory_are_the_optimizers(tmp_path: Path) -> None:
    write_dcp(tmp_path / "step_5" / "model", {"a.weight": Shape((2, 2))})
    write_dcp(tmp_path / "step_5" / "optim", {"a.weight.m": Shape((2, 2))})
    checkpoint = judged(READER, tmp_path / "step_5")
    assert claims(READER, tmp_path / "step_5")
    assert (checkpoint.verdict, checkpoint.step) == ("inexact", 5)


def test_averaged_weights_beside_each_checkpoint(tmp_path: Path) -> None:
    whole = {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 1}
    split(tmp_path, model_0100=whole, ema_0100=WEIGHTS, model_0200=whole, ema_0200=WEIGHTS)
    groups = READER.claims_files(list_directory(str(tmp_path)))
    assert groups == (("model_0100.pt", "ema_0100.pt"), ("model_0200.pt", "ema_0200.pt"))
    alone = split(tmp_path / "alone", ema_0100=whole)
    assert READER.claims_files(list_directory(str(alone))) == (("ema_0100.pt",),)

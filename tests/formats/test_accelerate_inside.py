"""What other frameworks leave inside a save of accelerate: FSDP, DeepSpeed, Megatron, a hook."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.accelerate.reader import AccelerateReader
from tests.formats.accelerate_builder import RANDOM, save, store_of
from tests.formats.dcp_builder import write_dcp
from tests.formats.deepspeed_builder import write_step
from tests.formats.helpers import claims, cut, judged, remove
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = AccelerateReader()


def sharded_save(path: Path) -> Path:
    """What accelerate leaves of an FSDP model with sharded state dictionaries, two ranks."""
    weights = {"model.a": Shape((2, 2)), "model.bb": Shape((2,))}
    write_dcp(path / "pytorch_model_fsdp_0", weights, lambda key: len(key) % 2)
    state = {"optimizer.state.a.exp_avg": Shape((2, 2)), "optimizer.param_groups.a.lr": 0.1}
    write_dcp(path / "optimizer_0", state, lambda key: int("lr" in key))
    write_torch(path / "scheduler.bin", SCHEDULER)
    for rank in range(2):
        write_torch(path / f"random_states_{rank}.pkl", RANDOM)
    write_torch(path / "custom_checkpoint_0.pkl", {"step": 8})
    return path


def test_fsdp_in_shards(tmp_path: Path) -> None:
    path = sharded_save(tmp_path / "checkpoint_0")
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 8)
    facts = checkpoint.facts
    assert (facts.world_size, facts.expected_ranks) == (2, (0, 1))
    assert [shard.rank for shard in facts.shards] == [0, 1]
    assert "optimizer_0/__1_0.distcp" in facts.shards[1].paths
    assert facts.reshard is not None
    assert facts.reshard.possible is True
    (path / "random_states_1.pkl").unlink()
    assert judged(READER, path).verdict == "inexact"
    (path / "optimizer_0" / ".metadata").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert checkpoint.facts.commit.missing == "optimizer_0/.metadata"


@pytest.mark.parametrize("part", ["optimizer_0", "pytorch_model_fsdp_0"])
def test_an_fsdp_part_that_is_empty_or_gone(tmp_path: Path, part: str) -> None:
    path = sharded_save(tmp_path / "checkpoint_0")
    shutil.rmtree(path / part)
    assert not judged(READER, path).resumable
    (path / part).mkdir()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert checkpoint.facts.commit.missing == f"{part}/.metadata"


def test_a_cut_fsdp_part(tmp_path: Path) -> None:
    path = sharded_save(tmp_path / "checkpoint_0")
    cut(path / "optimizer_0" / "__1_0.distcp", 100)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "corrupt"
    assert any(f.path == "optimizer_0/__1_0.distcp" for f in checkpoint.findings)
    assert checkpoint.facts.shards[1].problem == "short"


def test_fsdp_in_one_file(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint_0", **{"pytorch_model_fsdp.bin": WEIGHTS})
    (path / "model.safetensors").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "exact"
    assert checkpoint.facts.shards == ()
    cut(path / "pytorch_model_fsdp.bin", 100)
    assert judged(READER, path).verdict == "corrupt"


def test_fsdp_in_one_file_for_each_rank(tmp_path: Path) -> None:
    files = {f"pytorch_model_fsdp_0_rank{rank}.bin": WEIGHTS for rank in range(2)}
    files |= {f"optimizer_0_rank{rank}.bin": OPTIMIZER for rank in range(2)}
    path = save(tmp_path / "checkpoint_0", processes=2, **files)
    remove("model.safetensors", "optimizer.bin")(path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "exact"
    assert checkpoint.facts.reshard is not None
    assert checkpoint.facts.reshard.possible is False
    (path / "optimizer_0_rank0.bin").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert any(f.path == "optimizer_0_rank0.bin" for f in checkpoint.findings)


@pytest.mark.parametrize("stage", [1, 3])
def test_deepspeed_inside(tmp_path: Path, stage: int) -> None:
    path = save(tmp_path / "checkpoint_0", processes=2)
    remove("model.safetensors", "optimizer.bin", "scheduler.bin")(path)
    write_step(path / "pytorch_model", stage)
    checkpoint = judged(READER, path)  # accelerate passes the tag: no `latest` is needed
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 8)
    assert checkpoint.facts.world_size == 2
    optimizer = path / "pytorch_model" / "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"
    cut(optimizer, 100)
    assert judged(READER, path).verdict == "corrupt"
    optimizer.unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert checkpoint.missing_ranks == (1,)


def test_deepspeed_inside_is_one_checkpoint(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoints" / "checkpoint_0")
    write_step(path / "pytorch_model", 1)
    (run,) = store_of(tmp_path).snapshot().runs
    assert [(c.facts.name, c.facts.format) for c in run.checkpoints] == [
        ("checkpoint_0", "accelerate")
    ]


def test_megatron_inside(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint_0")
    remove("model.safetensors", "optimizer.bin", "scheduler.bin")(path)
    state = {"model": WEIGHTS, "optimizer": OPTIMIZER, "opt_param_scheduler": SCHEDULER}
    write_torch(path / "iter_0000008" / "mp_rank_00" / "model_optim_rng.pt", state)
    assert judged(READER, path).verdict == "exact"


def test_weights_of_a_hook(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint-500", **{"custom_checkpoint_0.pkl": {"seen": 1}})
    (path / "unet").mkdir()
    weights = path / "unet" / "diffusion_pytorch_model.safetensors"
    (path / "model.safetensors").rename(weights)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 500)
    assert any("hook" in phrase for phrase in checkpoint.facts.not_checked)
    cut(weights, 40)
    assert judged(READER, path).verdict == "corrupt"

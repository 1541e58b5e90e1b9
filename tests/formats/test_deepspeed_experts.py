"""DeepSpeed steps of mixtures of experts, and of the bf16 optimizer without ZeRO."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.deepspeed.reader import DeepSpeedReader
from tests.formats.deepspeed_builder import model_state, partition, write_step
from tests.formats.helpers import codes, cut, judged, read_directory
from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = DeepSpeedReader()
MODEL_FILE = "mp_rank_00_model_states.pt"


def expert_optimizer(step: int) -> dict[str, Any]:
    """The optimizer of one expert-parallel rank: torch's own, wrapped by that of bf16."""
    group = {"lr": 0.1, "name": "ep_size_2", "moe": True}
    state = {0: {"step": step, "exp_avg": Shape((2, 2))}}
    return {"optimizer": {"optimizer_state_dict": {"state": state, "param_groups": [group]}}}


def write_mixture(directory: Path, stage: int, experts: tuple[int, ...] = (4, 4)) -> Path:
    """A step of two ranks that share the experts of some layers."""
    changes = expert_optimizer(5) if stage == 0 else {}
    write_step(directory, stage, num_experts=list(experts), **changes)
    for layer, count in enumerate(experts):
        for expert in range(count):
            name = f"layer_{layer}_expert_{expert}_mp_rank_00_model_states.pt"
            write_torch(directory / name, {f"experts.{expert}.weight": Shape((2, 2))})
    for rank in range(2 if stage == 0 else 0):
        name = f"expp_rank_{rank}_mp_rank_00_optim_states.pt"
        write_torch(directory / name, expert_optimizer(5))
    return directory


@pytest.mark.parametrize("stage", [0, 1, 2])
def test_a_mixture_is_whole(tmp_path: Path, stage: int) -> None:
    checkpoint = judged(READER, write_mixture(tmp_path / "global_step5", stage))
    assert checkpoint.resumable
    assert not {"missing-shard", "extra-shard"} & codes(checkpoint)
    facts = read_directory(READER, tmp_path / "global_step5")
    optimizer = facts.role("optimizer")
    assert optimizer is not None
    assert any("expp_rank_1" in path for path in optimizer.paths) == (stage == 0)


def test_layers_may_have_different_numbers_of_experts(tmp_path: Path) -> None:
    directory = write_mixture(tmp_path / "global_step5", 1, experts=(2, 8))
    assert judged(READER, directory).resumable
    for path in directory.glob("layer_1_expert_[67]_*"):
        path.unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "this layer of the mixture has 8 experts" in checkpoint.why


@pytest.mark.parametrize("name", ["layer_1_*", "layer_0_expert_3_*"])
def test_experts_of_a_rank_that_died_are_named(tmp_path: Path, name: str) -> None:
    directory = write_mixture(tmp_path / "global_step5", 1)
    for path in directory.glob(name):
        path.unlink()
    assert judged(READER, directory).verdict is Verdict.INCOMPLETE


@pytest.mark.parametrize("rank", [0, 1])
def test_each_expert_parallel_rank_keeps_its_optimizer(tmp_path: Path, rank: int) -> None:
    directory = write_mixture(tmp_path / "global_step5", 0)
    name = f"expp_rank_{rank}_mp_rank_00_optim_states.pt"
    (directory / name).unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert name in checkpoint.why


def test_an_optimizer_of_another_step_or_kind(tmp_path: Path) -> None:
    directory = write_mixture(tmp_path / "global_step5", 0)
    name = directory / "expp_rank_1_mp_rank_00_optim_states.pt"
    write_torch(name, expert_optimizer(3))
    assert "mixed-saves" in codes(judged(READER, directory))
    write_torch(name, {"weight": Shape((2, 2))})
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "`optimizer`" in checkpoint.why
    cut(name, 100)
    assert judged(READER, directory).verdict is Verdict.CORRUPT


def test_weights_of_a_mixture_need_no_optimizer(tmp_path: Path) -> None:
    directory = write_mixture(tmp_path / "global_step5", 0)
    for path in directory.glob("expp_rank_*"):
        path.unlink()
    write_torch(directory / MODEL_FILE, model_state(5, 2, 0, optimizer=None, num_experts=[4, 4]))
    assert judged(READER, directory).verdict is Verdict.WEIGHTS_ONLY


@pytest.mark.parametrize(
    "count", [10**9, [10**9] * 3, [-1], ["4"], {"a": 1}, [[4]], True, float("inf")]
)
def test_hostile_counts_of_experts(tmp_path: Path, count: object) -> None:
    directory = write_step(tmp_path / "global_step5", 1, num_experts=count)
    assert judged(READER, directory).why


# The bf16 optimizer at stage 0.


def write_bf16_stage_zero(directory: Path, version: str, in_model: bool = True) -> Path:
    """What a pipeline job in bf16 leaves without ZeRO: partitions, and a copy of one."""
    own = partition(5, 1, 0)["optimizer_state_dict"]
    own["single_partition_of_fp32_groups"] = [Shape((6,))]
    write_step(directory, 0, dp=1, optimizer=own if in_model else None, ds_version=version)
    name = "bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt"
    write_torch(directory / name, {"optimizer_state_dict": own, "ds_version": version})
    return directory


@pytest.mark.parametrize(
    ("version", "in_model", "resumable"),
    [
        ("0.9.5", True, True),
        ("0.17.6+abc", True, True),
        ("0.18.2", False, False),
        ("0.19.8", True, False),
        ("1.0.0", True, False),
        ("unknown", True, True),
    ],
)
def test_partitions_at_stage_zero(
    tmp_path: Path, version: str, in_model: bool, resumable: bool
) -> None:
    directory = write_bf16_stage_zero(tmp_path / "global_step5", version, in_model)
    checkpoint = judged(READER, directory)
    assert checkpoint.resumable is resumable
    assert ("lossy-loader" in codes(checkpoint)) is not resumable
    assert "extra-shard" not in codes(checkpoint)


def test_partitions_at_stage_zero_are_demanded(tmp_path: Path) -> None:
    directory = write_bf16_stage_zero(tmp_path / "global_step5", "0.14.0")
    (directory / "bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt").unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "missing-shard" in codes(checkpoint)

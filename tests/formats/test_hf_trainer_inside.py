"""DeepSpeed and FSDP inside a Trainer folder."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.hf_trainer.reader import HfTrainerReader
from tests.artifacts.builders import safetensors
from tests.formats.dcp_builder import write_dcp
from tests.formats.deepspeed_builder import write_step
from tests.formats.helpers import codes, copy_of, cut, judged, remove, spread_rng
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, Shape, write_torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


READER = HfTrainerReader()
WHOLE = "torch/hf_trainer_single/checkpoint-10"


@pytest.fixture
def whole(corpus: Path, tmp_path: Path) -> Path:
    """A whole checkpoint to put other formats into."""
    return copy_of(corpus / WHOLE, tmp_path / "checkpoint-10")


# DeepSpeed inside.


def with_deepspeed(whole: Path, stage: int = 1, **changes: Any) -> Path:
    """The layout of Trainer and DeepSpeed: two processes, the scheduler the Trainer's own."""
    (whole / "optimizer.pt").unlink()
    spread_rng(whole, 0, 1)
    write_step(whole / "global_step10", stage, step=10, lr_scheduler=None, ds_config={}, **changes)
    (whole / "latest").write_text("global_step10")
    return whole


@pytest.mark.parametrize("stage", [0, 1, 3])
def test_deepspeed_inside(whole: Path, stage: int) -> None:
    checkpoint = judged(READER, with_deepspeed(whole, stage))
    facts = checkpoint.facts
    assert checkpoint.verdict is Verdict.EXACT
    assert (facts.format, facts.world_size) == ("hf-trainer", 2)
    optimizer = facts.role("optimizer")
    assert optimizer is not None
    assert all(path.startswith("global_step10/") for path in optimizer.paths)
    assert facts.reshard is not None
    assert ("ds_to_universal" in facts.reshard.how) == (stage > 0)


PARTITION = "global_step10/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"


@pytest.mark.parametrize(
    ("damage", "verdict", "code"),
    [
        (remove(PARTITION), Verdict.INCOMPLETE, "missing-shard"),
        (lambda d: cut(d / PARTITION, 300), Verdict.CORRUPT, "truncated-file"),
        (remove("latest"), Verdict.INCOMPLETE, "pointer-unreadable"),
        (lambda d: cut(d / "latest", 0), Verdict.INCOMPLETE, "pointer-unreadable"),
        (
            lambda d: (d / "latest").write_text("global_step20"),
            Verdict.INCOMPLETE,
            "pointer-dangling",
        ),
        (lambda d: shutil.rmtree(d / "global_step10"), Verdict.WEIGHTS_ONLY, "lossy-loader"),
        (remove("scheduler.pt"), Verdict.INCOMPLETE, "missing-role"),
        # The weights beside are an export: a resume does not read them.
        (remove("model.safetensors"), Verdict.EXACT, ""),
        (lambda d: cut(d / "model.safetensors", 9), Verdict.EXACT, "truncated-file"),
        (
            lambda d: (d / "model.safetensors").write_bytes(safetensors(b"{}")),
            Verdict.EXACT,
            "empty-tensors",
        ),
        (lambda d: cut(d / "config.json", 3), Verdict.EXACT, ""),
    ],
)
def test_damaged_deepspeed_inside(
    whole: Path, damage: Callable[[Path], object], verdict: Verdict, code: str
) -> None:
    directory = with_deepspeed(whole)
    damage(directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is verdict
    assert not code or code in codes(checkpoint)


def test_a_lost_tag_says_how_to_write_it(whole: Path) -> None:
    directory = with_deepspeed(whole)
    (directory / "latest").unlink()
    found = next(f for f in judged(READER, directory).findings if f.path == "latest")
    assert "printf %s global_step10 > latest" in found.remedy


def test_deepspeeds_own_scheduler_counts(whole: Path) -> None:
    directory = with_deepspeed(whole)
    (directory / "scheduler.pt").unlink()
    write_step(directory / "global_step10", 1, step=10)
    assert judged(READER, directory).verdict is Verdict.EXACT


def test_one_nodes_part_of_deepspeed(whole: Path) -> None:
    directory = with_deepspeed(whole)
    shutil.rmtree(directory / "global_step10")
    write_step(directory / "global_step10", 1, dp=4, step=10, lr_scheduler=None, ds_config={})
    for rank in (0, 1):
        name = f"bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt"
        (directory / "global_step10" / name).unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "node-local-part" in codes(checkpoint)


# FSDP inside.


def with_fsdp(whole: Path) -> Path:
    """The layout of Trainer and FSDP with a sharded state dictionary."""
    (whole / "optimizer.pt").unlink()
    write_dcp(whole / "pytorch_model_fsdp_0", {"model.w": Shape((4, 2)), "model.b": Shape((4,))})
    write_dcp(whole / "optimizer_0", {"optimizer.state.w.exp_avg": Shape((4, 2))})
    return whole


@pytest.mark.parametrize(
    ("damage", "verdict", "code"),
    [
        (lambda d: None, Verdict.EXACT, ""),
        (remove("pytorch_model_fsdp_0/.metadata"), Verdict.INCOMPLETE, "missing-shard"),
        (remove("optimizer_0/.metadata"), Verdict.INCOMPLETE, "missing-shard"),
        (remove("optimizer_0/__0_0.distcp"), Verdict.INCOMPLETE, "missing-shard"),
        (
            lambda d: cut(d / "pytorch_model_fsdp_0/__0_0.distcp", 100),
            Verdict.CORRUPT,
            "truncated-file",
        ),
        (lambda d: shutil.rmtree(d / "pytorch_model_fsdp_0"), Verdict.INCOMPLETE, "missing-shard"),
        (remove("scheduler.pt"), Verdict.INCOMPLETE, "lossy-loader"),
        (remove("model.safetensors"), Verdict.EXACT, ""),
    ],
)
def test_fsdp_inside(
    whole: Path, damage: Callable[[Path], object], verdict: Verdict, code: str
) -> None:
    directory = with_fsdp(whole)
    damage(directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is verdict
    assert not code or code in codes(checkpoint)


def test_fsdp_whole_in_one_file_each(whole: Path) -> None:
    (whole / "optimizer.pt").unlink()
    write_torch(whole / "optimizer.bin", OPTIMIZER)
    checkpoint = judged(READER, whole)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "pytorch_model_fsdp.bin" in checkpoint.why
    write_torch(whole / "pytorch_model_fsdp.bin", {"w": Shape((4, 2))})
    write_torch(whole / "scheduler.pt", SCHEDULER)
    assert judged(READER, whole).verdict is Verdict.EXACT

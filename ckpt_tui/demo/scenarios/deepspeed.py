"""A job on DeepSpeed: an 8B Llama with ZeRO, alone or inside the Hugging Face Trainer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.demo.scenarios.saves import Save, write_file
from ckpt_tui.demo.torch_like import sparse_torch_file
from ckpt_tui.demo.torch_values import Call, Name, Tensor, Zeros

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.demo.torch_values import Piece, Tree

LATEST = "latest"

_LAYERS, _HIDDEN, _KEY_VALUE, _FEED_FORWARD, _WORDS = 32, 4096, 1024, 14336, 128256
_CPU_RANDOM_BYTES = 5056
_LAYER = {
    "self_attn.q_proj.weight": (_HIDDEN, _HIDDEN),
    "self_attn.k_proj.weight": (_KEY_VALUE, _HIDDEN),
    "self_attn.v_proj.weight": (_KEY_VALUE, _HIDDEN),
    "self_attn.o_proj.weight": (_HIDDEN, _HIDDEN),
    "mlp.gate_proj.weight": (_FEED_FORWARD, _HIDDEN),
    "mlp.up_proj.weight": (_FEED_FORWARD, _HIDDEN),
    "mlp.down_proj.weight": (_HIDDEN, _FEED_FORWARD),
    "input_layernorm.weight": (_HIDDEN,),
    "post_attention_layernorm.weight": (_HIDDEN,),
}
SHAPES: dict[str, tuple[int, ...]] = {
    "model.embed_tokens.weight": (_WORDS, _HIDDEN),
    **{f"model.layers.{n}.{key}": shape for n in range(_LAYERS) for key, shape in _LAYER.items()},
    "model.norm.weight": (_HIDDEN,),
    "lm_head.weight": (_WORDS, _HIDDEN),
}
"""Name of each weight → its shape, as in Llama 3 8B."""

_ELEMENTS = sum(map(math.prod, SHAPES.values()))


def deepspeed_save(step: int, ranks: int, stage: int) -> Save:
    """One save of a job without Trainer: DeepSpeed writes no mark of its end.

    Args:
        step: The training step.
        ranks: Data-parallel ranks.
        stage: ZeRO stage 2 or 3.
    """
    return Save(f"global_step{step}", step, {}, step_files(step, ranks, stage), {})


def point_to(run: Path, tag: str, at: float) -> None:
    """Lets `latest` name a tag; `at` is its time, seconds since the epoch."""
    write_file(run / LATEST, [tag.encode()], at)


def step_files(step: int, ranks: int, stage: int) -> dict[str, list[Piece]]:
    """The files of a step: of the model, and each rank's part of the optimizer."""
    files: dict[str, list[Piece]] = {}
    for rank in range(ranks if stage == 3 else 1):
        name = f"zero_pp_rank_{rank}_mp_rank_00" if stage == 3 else "mp_rank_00"
        files[f"{name}_model_states.pt"] = _file(_model(step, ranks, stage, rank))
    for rank in range(ranks):
        name = f"bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt"
        files[name] = _file(_partition(step, ranks, stage))
    return files


def _file(tree: Tree) -> list[Piece]:
    return sparse_torch_file(tree, "archive")


def _model(step: int, ranks: int, stage: int, rank: int) -> Tree:
    module: dict[str | int, Tree] = {
        name: Zeros("bfloat16", (0,) if stage == 3 else shape) for name, shape in SHAPES.items()
    }
    shapes: dict[str | int, Tree] = {
        name: Call(Name("torch", "Size"), (shape,)) for name, shape in SHAPES.items()
    }
    return {
        "module": module,
        "buffer_names": [],
        "optimizer": None,
        "param_shapes": [shapes],
        "lr_scheduler": {"last_batch_iteration": step - 1},
        "skipped_steps": 0,
        "global_steps": step,
        "global_samples": step * ranks * 8,
        "dp_world_size": ranks,
        "mp_world_size": 1,
        "ds_config": _config(stage),
        "ds_version": "0.16.4",
        "rng": Tensor("uint8", (_CPU_RANDOM_BYTES,), bytes([rank]) * _CPU_RANDOM_BYTES),
    }


def _partition(step: int, ranks: int, stage: int) -> Tree:
    flat = Zeros("float32", (-(-_ELEMENTS // ranks),))
    base: dict[str | int, Tree] = {
        "state": {0: {"step": step, "exp_avg": flat, "exp_avg_sq": flat}},
        "param_groups": [{"lr": 2e-5, "betas": (0.9, 0.95), "weight_decay": 0.1, "params": [0]}],
    }
    state: dict[str | int, Tree] = {"zero_stage": stage, "overflow": False, "ds_version": "0.16.4"}
    if stage == 3:
        state |= {
            "partition_count": ranks,
            "optimizer_state_dict": base,
            "fp32_flat_groups": [flat],
        }
    else:
        state |= {
            "partition_count": [ranks],
            "base_optimizer_state": base,
            "single_partition_of_fp32_groups": [flat],
        }
    return {"optimizer_state_dict": state, "ds_config": _config(stage), "ds_version": "0.16.4"}


def _config(stage: int) -> Tree:
    return {
        "train_micro_batch_size_per_gpu": 8,
        "bf16": {"enabled": True},
        "zero_optimization": {"stage": stage},
        "optimizer": {"type": "AdamW"},
        "scheduler": {"type": "WarmupCosineLR"},
    }

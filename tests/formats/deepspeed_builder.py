"""Writes DeepSpeed steps by hand: names, keys and counts as the framework's, tensors all zero."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

MODULE = {"layers.0.weight": Shape((4, 2)), "layers.0.bias": Shape((4,))}
NAMES = tuple(MODULE)


def model_state(step: int, dp: int, stage: int, mp: int = 1, **changes: Any) -> dict[str, Any]:
    """What a model file holds."""
    module = {name: Shape((0,)) for name in NAMES} if stage == 3 else MODULE
    state = {
        "module": module,
        "optimizer": {"state": {0: {"exp_avg": Shape((4, 2))}}} if stage == 0 else None,
        "param_shapes": [{name: list(MODULE[name].lengths) for name in NAMES}],
        "lr_scheduler": {"last_batch_iteration": step - 1},
        "skipped_steps": 0,
        "global_steps": step,
        "dp_world_size": dp,
        "mp_world_size": mp,
        "ds_config": {"zero_optimization": {"stage": stage}, "scheduler": {"type": "WarmupLR"}},
        "rng": Shape((16,)),
    }
    return state | changes


def partition(step: int, dp: int, stage: int) -> dict[str, Any]:
    """What one rank's optimizer file holds."""
    inner = {
        "state": {0: {"step": step, "exp_avg": Shape((6,)), "exp_avg_sq": Shape((6,))}},
        "param_groups": [{"lr": 0.1}],
    }
    state: dict[str, Any] = {"zero_stage": stage, "partition_count": dp}
    if stage == 3:
        state |= {"optimizer_state_dict": inner, "fp32_flat_groups": [Shape((6,))]}
    else:
        state |= {"base_optimizer_state": inner, "partition_count": [dp]}
    return {"optimizer_state_dict": state}


def write_step(
    directory: Path, stage: int, dp: int = 2, mp: int = 1, step: int = 5, **changes: Any
) -> Path:
    """A whole step of `dp * mp` ranks; `changes` are those of the model files' keys."""
    for mp_rank in range(mp):
        state = model_state(step, dp, stage, mp, **changes)
        tail = f"mp_rank_{mp_rank:02d}"
        for dp_rank in range(dp if stage == 3 else 1):
            name = f"zero_pp_rank_{dp_rank}_{tail}" if stage == 3 else tail
            write_torch(directory / f"{name}_model_states.pt", state)
        for dp_rank in range(dp if stage else 0):
            name = f"bf16_zero_pp_rank_{dp_rank}_{tail}_optim_states.pt"
            write_torch(directory / name, partition(step, dp, stage))
    return directory


def write_universal(directory: Path, step: int = 5) -> Path:
    """A finished conversion of a step of two ranks."""
    for name in NAMES:
        for state in ("fp32", "exp_avg", "exp_avg_sq"):
            write_torch(directory / "zero" / name / f"{state}.pt", {"param": MODULE[name]})
        write_torch(directory / "zero" / name / "step.pt", step)
    write_torch(directory / "zero" / "optimizer_state.pt", {"param_groups": [{"lr": 0.1}]})
    write_torch(directory / "mp_rank_00_model_states.pt", model_state(step, 2, 1))
    return directory

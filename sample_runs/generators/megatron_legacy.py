"""Megatron-LM's own `save_checkpoint` in the `torch` format: a directory per model-parallel rank.

    PYTHONPATH=MEGATRON_LM python megatron_legacy.py OUT [--tensor 2] [--pipeline 1] [--distributed]

`MEGATRON_LM` is a checkout of Megatron-LM (branch core_r0.16.0). Its package cannot be imported
without a GPU, so this takes the module `megatron/training/checkpointing.py` alone, gives it empty
stand-ins for its neighbours, and plays each rank in turn in one process. What is saved, under which
name and in which order, is Megatron-LM's; model, optimizer and schedule are small ones of our own.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
import types
from itertools import product
from pathlib import Path
from typing import Any

import torch
from megatron.core import mpu, tensor_parallel
from slow_disk import slow_torch_save

NEIGHBOURS = (
    "async_utils", "ft_integration", "global_vars", "one_logger_utils", "utils", "wandb_utils",
)  # fmt: skip
WIDTH = 16


class Empty(types.ModuleType):
    """A module of functions that do nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None


class Model(torch.nn.Module):
    """One layer."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(WIDTH, WIDTH)

    def state_dict_for_save_checkpoint(self) -> dict[str, Any]:
        """Megatron-LM's name for the state of a model."""
        return self.state_dict()


class Optimizer:
    """AdamW in the shape that Megatron-LM expects, its state apart where it is distributed."""

    is_stub_optimizer = False

    def __init__(self, model: Model, distributed: bool) -> None:
        self.inner = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.distributed = distributed

    def state_dict(self) -> dict[str, Any]:
        """Parameter groups, and the moments unless they lie apart."""
        state = self.inner.state_dict()
        if self.distributed:
            state.pop("state")
        return {"optimizer": state}

    def save_parameter_state(self, path: str) -> None:
        """Writes the moments, as a distributed optimizer gathers them."""
        states = self.inner.state.values()
        flat = {k: torch.cat([s[k].flatten() for s in states]) for k in ("exp_avg", "exp_avg_sq")}
        torch.save({0: {(torch.float32, torch.float32): flat}}, path)


class Schedule:
    """The counters of a learning rate schedule."""

    def __init__(self) -> None:
        self.steps = 0

    def state_dict(self) -> dict[str, Any]:
        """Where the schedule stands."""
        return {"max_lr": 1e-3, "num_steps": self.steps, "lr_decay_style": "cosine"}


def is_first() -> bool:
    """Whether the rank that is played is rank 0, which alone writes the tracker."""
    ranks = (mpu.get_tensor_model_parallel_rank(), mpu.get_pipeline_model_parallel_rank())
    return ranks == (0, 0)


def megatron_checkpointing(arguments: argparse.Namespace) -> Any:
    """The module, with what it needs around it."""
    torch.cuda.get_rng_state = torch.get_rng_state
    package = types.ModuleType("megatron.training")
    package.__path__ = [str(Path(place) / "megatron" / "training") for place in sys.path]
    sys.modules[package.__name__] = package
    for name in NEIGHBOURS:
        sys.modules[f"megatron.training.{name}"] = Empty(name)
    module = importlib.import_module("megatron.training.checkpointing")
    module.get_args = lambda: arguments
    tracker_of = module.get_checkpoint_tracker_filename
    module.get_checkpoint_tracker_filename = lambda run: (
        tracker_of(run) if is_first() else os.devnull
    )
    module.unwrap_model = lambda model: model
    module.is_empty_async_queue = lambda: True
    module.get_rerun_state_machine = lambda: types.SimpleNamespace(state_dict=lambda **_: None)
    tracker = types.SimpleNamespace(get_states=lambda: {"model-parallel": torch.get_rng_state()})
    tensor_parallel.get_cuda_rng_tracker = lambda: tracker
    return module


def play_rank(tensor: int, pipeline: int, arguments: argparse.Namespace) -> None:
    """Makes Megatron-Core answer as this rank of the grid."""
    answers = {
        "tensor_model_parallel_rank": tensor,
        "tensor_model_parallel_world_size": arguments.tensor_model_parallel_size,
        "pipeline_model_parallel_rank": pipeline,
        "pipeline_model_parallel_world_size": arguments.pipeline_model_parallel_size,
        "expert_model_parallel_rank": 0,
        "expert_model_parallel_world_size": 1,
        "expert_data_parallel_rank": 0,
        "data_parallel_rank": 0,
        "data_parallel_world_size": 1,
    }
    for name, answer in answers.items():
        setattr(mpu, f"get_{name}", lambda *_, answer=answer, **__: answer)
    for name in ("tensor_model_parallel", "pipeline_model_parallel", "data_parallel"):
        setattr(mpu, f"get_{name}_group", lambda *_, **__: None)


def launch_arguments(options: argparse.Namespace) -> argparse.Namespace:
    """What Megatron-LM asks of its command line while it saves."""
    return argparse.Namespace(
        num_layers=1, hidden_size=WIDTH, num_attention_heads=2, save=str(options.out),
        ckpt_format="torch", use_dist_ckpt=False, async_save=False, non_persistent_ckpt_type=None,
        use_distributed_optimizer=options.distributed, data_parallel_random_init=False,
        no_save_optim=False, no_save_rng=False, log_progress=False, save_retain_interval=None,
        ckpt_assume_constant_structure=False, num_experts=None,
        tensor_model_parallel_size=options.tensor, pipeline_model_parallel_size=options.pipeline,
        data_parallel_size=1, world_size=options.tensor * options.pipeline,
    )  # fmt: skip


def main() -> None:
    """Trains a little and saves."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--tensor", type=int, default=2)
    parser.add_argument("--pipeline", type=int, default=1)
    parser.add_argument("--distributed", action="store_true", help="a distributed optimizer")
    parser.add_argument("--saves", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="slow enough for kill.py")
    options = parser.parse_args()
    if options.slow:
        slow_torch_save("mp_rank_")
    arguments = launch_arguments(options)
    checkpointing = megatron_checkpointing(arguments)
    torch.manual_seed(0)
    grid = list(product(range(options.tensor), range(options.pipeline)))
    jobs = {}
    for rank in reversed(grid):  # rank 0 last: its tracker waits for all others
        model = Model()
        jobs[rank] = (model, Optimizer(model, options.distributed), Schedule())
    for iteration in range(10, 10 * options.saves + 1, 10):
        arguments.iteration, arguments.consumed_train_samples = iteration, iteration * 8
        for rank, (model, optimizer, schedule) in jobs.items():
            play_rank(*rank, arguments)
            for parameter in model.parameters():
                parameter.grad = torch.randn_like(parameter)
            optimizer.inner.step()
            schedule.steps = iteration * 8
            with contextlib.redirect_stdout(io.StringIO()):
                checkpointing.save_checkpoint(iteration, [model], optimizer, schedule, 0)


if __name__ == "__main__":
    main()

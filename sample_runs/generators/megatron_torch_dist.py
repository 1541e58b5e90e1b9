"""megatron-core `dist_checkpointing` in the torch_dist format, tensor parallel, gloo on CPU.

    torchrun --standalone --nproc-per-node 2 megatron_torch_dist.py OUT [--slow]

The model is megatron-core's own GPTModel; gradients are random, as its forward pass needs a GPU.
The keys of the state and the tracker file are those of Megatron-LM's training loop. Two functions
of torch.cuda are replaced, since the writer calls them on any device.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from megatron.core import dist_checkpointing, parallel_state
from megatron.core.dist_checkpointing.mapping import ShardedObject
from megatron.core.dist_checkpointing.optimizer import (
    get_param_id_to_sharded_param_map,
    optim_state_to_sharding_state,
)
from megatron.core.dist_checkpointing.strategies import filesystem_async
from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
from megatron.core.models.gpt.gpt_model import GPTModel
from megatron.core.optimizer_param_scheduler import OptimizerParamScheduler
from megatron.core.transformer.transformer_config import TransformerConfig
from slow_disk import slow_open

torch.cuda.synchronize = lambda *_, **__: None
torch.cuda.current_device = lambda: torch.device("cpu")

HIDDEN = 16
VOCABULARY = 64
CONTENT = {
    "distrib_optim_sharding_type": "fully_sharded_model_space",
    "chained_optim_avoid_prefix": True,
    "singleton_local_shards": False,
}


class Job:
    """Model, optimizer and scheduler of one rank."""

    def __init__(self) -> None:
        config = TransformerConfig(
            num_layers=1,
            hidden_size=HIDDEN,
            num_attention_heads=2,
            use_cpu_initialization=True,
            pipeline_dtype=torch.float32,
        )
        self.model = GPTModel(config, get_gpt_layer_local_spec(), VOCABULARY, 32)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.scheduler = OptimizerParamScheduler(
            self.optimizer, init_lr=0.0, max_lr=1e-3, min_lr=1e-5, lr_warmup_steps=10,
            lr_decay_steps=100, lr_decay_style="cosine", start_wd=0.01, end_wd=0.01,
            wd_incr_steps=100, wd_incr_style="constant",
        )  # fmt: skip

    def train(self, steps: int) -> None:
        for _ in range(steps):
            for parameter in self.model.parameters():
                parameter.grad = torch.randn_like(parameter) * 1e-2
            self.optimizer.step()
            self.scheduler.step(increment=8)

    def state(self, iteration: int, arguments: argparse.Namespace) -> dict[str, Any]:
        model = self.model.sharded_state_dict()
        optimizer = self.optimizer.state_dict()
        common_step = {int(state["step"]) for state in optimizer["state"].values()}.pop()
        ids = get_param_id_to_sharded_param_map(model, self.model.parameters())
        optim_state_to_sharding_state(optimizer, ids, exclude_keys=("step",))
        optimizer["state"]["common_step"] = common_step
        return {
            "args": arguments,
            "checkpoint_version": 3.0,
            "iteration": iteration,
            "model": model,
            "optimizer": optimizer,
            "opt_param_scheduler": self.scheduler.state_dict(),
            "rng_state": ShardedObject(
                "rng_state", random_states(), (1, dist.get_world_size()), (0, dist.get_rank()),
                replica_id=0,
            ),
        }  # fmt: skip


def random_states() -> list[dict[str, Any]]:
    return [
        {
            "random_rng_state": random.getstate(),
            "np_rng_state": np.random.get_state(),
            "torch_rng_state": torch.get_rng_state(),
            "cuda_rng_state": torch.get_rng_state(),
            "rng_tracker_states": {},
        }
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--saves", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="slow enough for kill.py")
    options = parser.parse_args()
    if options.slow:
        filesystem_async.open = slow_open
    dist.init_process_group("gloo")
    ranks = dist.get_world_size()
    parallel_state.initialize_model_parallel(tensor_model_parallel_size=ranks)
    torch.manual_seed(1234 + dist.get_rank())
    job = Job()
    arguments = argparse.Namespace(
        hidden_size=HIDDEN,
        num_layers=1,
        num_attention_heads=2,
        tensor_model_parallel_size=ranks,
        pipeline_model_parallel_size=1,
        world_size=ranks,
        ckpt_format="torch_dist",
    )
    for iteration in range(10, 10 * options.saves + 1, 10):
        job.train(10)
        arguments.iteration = iteration
        arguments.consumed_train_samples = iteration * 8
        directory = options.out / f"iter_{iteration:07d}"
        if dist.get_rank() == 0:
            directory.mkdir(parents=True)
        dist.barrier()
        dist_checkpointing.save(
            job.state(iteration, arguments),
            str(directory),
            ("torch_dist", 1),
            content_metadata=CONTENT,
        )
        if dist.get_rank() == 0:
            (options.out / "latest_checkpointed_iteration.txt").write_text(str(iteration))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

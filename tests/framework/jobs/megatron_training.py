"""A small GPT of megatron-core under training, on a CPU.

Gradients are drawn at random, no forward pass is run; the few calls of `torch.cuda` on the way are
replaced.
"""

from __future__ import annotations

import random
from argparse import Namespace
from typing import Any

HIDDEN = 128
LAYERS = 2
VOCABULARY = 2048
SEQUENCE = 32
SAMPLES_PER_STEP = 8


class Training:
    """Model, optimizer and schedule of one rank."""

    def __init__(self, options: dict[str, Any]) -> None:
        import torch

        torch.set_num_threads(1)
        torch.cuda.synchronize = lambda *_, **__: None
        torch.cuda.current_device = lambda: torch.device("cpu")
        torch.distributed.init_process_group("gloo")
        from megatron.core import parallel_state
        from megatron.core.models.gpt.gpt_layer_specs import get_gpt_layer_local_spec
        from megatron.core.models.gpt.gpt_model import GPTModel
        from megatron.core.optimizer_param_scheduler import OptimizerParamScheduler
        from megatron.core.transformer.transformer_config import TransformerConfig

        self.options = options
        self.rank = torch.distributed.get_rank()
        parallel_state.initialize_model_parallel(
            tensor_model_parallel_size=options["tensor_parallel"]
        )
        self._parallel = parallel_state
        torch.manual_seed(0)
        config = TransformerConfig(
            num_layers=LAYERS,
            hidden_size=HIDDEN,
            num_attention_heads=2,
            use_cpu_initialization=True,
            pipeline_dtype=torch.float32,
        )
        self.model = GPTModel(
            config=config,
            transformer_layer_spec=get_gpt_layer_local_spec(),
            vocab_size=VOCABULARY,
            max_sequence_length=SEQUENCE,
        )
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.schedule = OptimizerParamScheduler(
            self.optimizer,
            init_lr=0.0,
            max_lr=1e-3,
            min_lr=1e-5,
            lr_warmup_steps=80,
            lr_decay_steps=80_000,
            lr_decay_style="cosine",
            start_wd=0.01,
            end_wd=0.01,
            wd_incr_steps=80_000,
            wd_incr_style="constant",
        )

    def iterate(self, step: int) -> None:
        """One iteration of training."""
        self.update(step)
        self.schedule.step(increment=SAMPLES_PER_STEP)

    def update(self, step: int) -> None:
        """One update; replicated parameters get the same gradient on every rank."""
        import torch

        tensor_rank = self._parallel.get_tensor_model_parallel_rank()
        for number, parameter in enumerate(self.model.parameters()):
            part = tensor_rank if getattr(parameter, "tensor_model_parallel", False) else 0
            seed = (step * 1000 + number) * 10 + part
            chance = torch.Generator().manual_seed(seed)
            parameter.grad = torch.randn(parameter.shape, generator=chance) * 1e-2
        self.optimizer.step()

    def strategy(self) -> Any:
        """How tensors are written; Megatron-LM spreads them over data-parallel ranks."""
        from megatron.core.dist_checkpointing import serialization
        from megatron.core.dist_checkpointing.strategies import fully_parallel

        plain = serialization.get_default_save_sharded_strategy("torch_dist", 1)
        if not self.options.get("fully_parallel"):
            return plain
        group = self._parallel.get_data_parallel_group(with_context_parallel=True)
        return fully_parallel.FullyParallelSaveStrategyWrapper(plain, group)

    def sharded_state(self, step: int) -> dict[str, Any]:
        """The tree that is saved, and the template that is loaded into."""
        import torch
        from megatron.core.dist_checkpointing.mapping import ShardedObject
        from megatron.core.dist_checkpointing.optimizer import (
            get_param_id_to_sharded_param_map,
            optim_state_to_sharding_state,
        )

        model = self.model.sharded_state_dict()
        optimizer = self.optimizer.state_dict()
        (common_step,) = {int(state["step"]) for state in optimizer["state"].values()}
        by_parameter = get_param_id_to_sharded_param_map(model, self.model.parameters())
        optim_state_to_sharding_state(optimizer, by_parameter, exclude_keys=("step",))
        optimizer["state"]["common_step"] = common_step
        rng = [
            {
                "random_rng_state": random.getstate(),
                "torch_rng_state": torch.get_rng_state(),
                "rng_tracker_states": {},
            }
        ]
        tensor_rank = self._parallel.get_tensor_model_parallel_rank()
        return {
            "args": self._arguments(step),
            "checkpoint_version": 3.0,
            "iteration": step,
            "num_floating_point_operations_so_far": step * 1e9,
            "model": model,
            "optimizer": optimizer,
            "opt_param_scheduler": self.schedule.state_dict(),
            "rng_state": ShardedObject(
                "rng_state",
                rng,
                (1, self.options["tensor_parallel"]),
                (0, tensor_rank),
                replica_id=self._parallel.get_data_parallel_rank(),
            ),
        }

    def take_optimizer(self, state: dict[str, Any]) -> None:
        """Gives each parameter the step that was stored once for all of them."""
        import torch

        common_step = state["state"].pop("common_step")
        for each in state["state"].values():
            each["step"] = torch.tensor(float(common_step))
        self.optimizer.load_state_dict(state)

    def _arguments(self, step: int) -> Namespace:
        return Namespace(
            num_layers=LAYERS,
            hidden_size=HIDDEN,
            tensor_model_parallel_size=self.options["tensor_parallel"],
            pipeline_model_parallel_size=1,
            world_size=2,
            ckpt_format="torch_dist",
            iteration=step,
            consumed_train_samples=step * SAMPLES_PER_STEP,
        )

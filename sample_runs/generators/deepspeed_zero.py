"""DeepSpeed ZeRO on CPU (gloo, bf16, torch's Adam).

    DS_ACCELERATOR=cpu torchrun --standalone --nproc-per-node 2 deepspeed_zero.py OUT
        [--stage 1] [--saves 3] [--slow-rank 1]

DeepSpeed stores no random state by itself; the loop gives it as client state.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import deepspeed
import torch
from slow_disk import slow_torch_save
from tiny import VOCABULARY, TinyModel, seed_everything
from torch import nn


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--stage", type=int, default=1)
    parser.add_argument("--saves", type=int, default=3)
    parser.add_argument("--slow-rank", type=int, help="the rank whose disk is slow, for kill.py")
    options = parser.parse_args()
    deepspeed.init_distributed(dist_backend="gloo")
    if options.slow_rank == torch.distributed.get_rank():
        slow_torch_save("optim_states")
    seed_everything()
    model = TinyModel()
    engine, _, _, _ = deepspeed.initialize(
        model=model,
        model_parameters=list(model.parameters()),
        config={
            "train_micro_batch_size_per_gpu": 2,
            "bf16": {"enabled": True},
            "zero_allow_untested_optimizer": True,
            "zero_optimization": {"stage": options.stage},
            "optimizer": {"type": "Adam", "params": {"lr": 1e-3, "torch_adam": True}},
            "scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": 10}},
        },
    )
    for save in range(options.saves):
        for _ in range(5):
            tokens = torch.randint(0, VOCABULARY, (2, 8))
            logits = engine(tokens).flatten(0, 1).float()
            engine.backward(nn.functional.cross_entropy(logits, tokens.flatten()))
            engine.step()
        client_state = {"epoch": save, "rng": torch.get_rng_state()}
        engine.save_checkpoint(str(options.out), client_state=client_state)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()

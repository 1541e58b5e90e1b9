"""Torch distributed checkpoint (DCP) of a sharded (FSDP2) model, gloo on CPU.

    torchrun --standalone --nproc-per-node 4 torch_dcp.py OUT [--keys nested|flat] [--slow]

`nested`: one sub-tree per role, random state and step of every rank, as a careful loop writes it.
`flat`: torchtitan's key set: bare model names, flattened optimizer, data loader and train state,
no random state.
"""

from __future__ import annotations

import argparse
import pickle
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from slow_disk import slow_open
from tiny import Job, TinyModel, seed_everything
from torch.distributed.checkpoint.filesystem import FileSystem
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_optimizer_state_dict,
    get_state_dict,
)
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

if TYPE_CHECKING:
    from collections.abc import Iterator


class SlowFileSystem(FileSystem):
    """Writes data files slowly; the metadata at full speed."""

    @contextmanager
    def create_stream(self, path: Path, mode: str) -> Iterator[Any]:
        data = str(path).endswith(".distcp")
        with slow_open(path, mode) if data else open(path, mode) as stream:
            yield stream


def nested(job: Job) -> dict[str, Any]:
    model, optimizer = get_state_dict(job.model, job.optimizer)
    return {
        "model": model,
        "optimizer": optimizer,
        "scheduler": job.scheduler.state_dict(),
        f"rng_rank{dist.get_rank()}": torch.get_rng_state(),
        "progress": {"step": job.step, "epoch": 0},
    }


def flat(job: Job) -> dict[str, Any]:
    options = StateDictOptions(flatten_optimizer_state_dict=True)
    position = pickle.dumps({"epoch": 0, "sample_index": job.step * 4})
    return {
        **get_model_state_dict(job.model),
        "optimizer": get_optimizer_state_dict(job.model, job.optimizer, options=options),
        "lr_scheduler": job.scheduler.state_dict(),
        "dataloader": {
            f"dp_rank_{dist.get_rank()}": position,
            "world_size": dist.get_world_size(),
        },
        "train_state": {"step": torch.tensor(job.step, dtype=torch.int32)},
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--keys", choices=("nested", "flat"), default="nested")
    parser.add_argument("--saves", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="slow enough for kill.py")
    options = parser.parse_args()
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    seed_everything()
    model = TinyModel()
    for layer in model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    job = Job(model)
    state_of = nested if options.keys == "nested" else flat
    for _ in range(options.saves):
        job.train(10)
        writer = dcp.FileSystemWriter(options.out / f"step-{job.step}")
        if options.slow:
            writer.fs = SlowFileSystem()
        dcp.save(state_of(job), storage_writer=writer)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

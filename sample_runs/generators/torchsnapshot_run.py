"""torchsnapshot of a DDP model with everything around it, gloo on CPU.

    torchrun --standalone --nproc-per-node 2 torchsnapshot_run.py OUT [--saves 2] [--slow]

The model is replicated (torchsnapshot infers that from DDP), so each rank writes a part of it;
optimizer, scheduler, random state and progress are each rank's own. The last save is asynchronous.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import torch.distributed as dist
from slow_disk import SlowFile
from tiny import Job, TinyModel, seed_everything
from torch import nn
from torchsnapshot import RNGState, Snapshot, StateDict
from torchsnapshot.io_types import WriteIO
from torchsnapshot.storage_plugins.fs import FSStoragePlugin


async def slow_write(storage: FSStoragePlugin, write_io: WriteIO) -> None:
    """The plugin's own steps, at a pace at which a kill lands inside a file."""
    path = Path(storage.root, write_io.path)
    path.parent.mkdir(parents=True, exist_ok=True)

    def write() -> None:
        with SlowFile(path, "w") as file:
            file.write(write_io.buf)

    await asyncio.to_thread(write)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--saves", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="slow enough for kill.py")
    options = parser.parse_args()
    if options.slow:
        FSStoragePlugin.write = slow_write
    dist.init_process_group("gloo")
    seed_everything(dist.get_rank())
    job = Job(nn.parallel.DistributedDataParallel(TinyModel(width=8)))
    progress = StateDict(step=0, epoch=0)
    state = {
        "model": job.model,
        "optim": job.optimizer,
        "sched": job.scheduler,
        "rng": RNGState(),
        "progress": progress,
    }
    for save in range(1, options.saves + 1):
        job.train(5)
        progress["step"] = job.step
        path = str(options.out / f"step-{job.step}")
        if save < options.saves:
            Snapshot.take(path, state)
        else:
            Snapshot.async_take(path, state).wait()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

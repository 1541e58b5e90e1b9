"""Our own manifest, written by a loop of several ranks through `ckpt_tui.manifest`.

    torchrun --standalone --nproc-per-node 2 manifest_run.py OUT [--slow]
"""

from __future__ import annotations

import argparse
import io
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from slow_disk import PAUSE_SECONDS, PIECE_BYTES
from tiny import Job, TinyModel, random_states, seed_everything

from ckpt_tui.manifest import ManifestWriter, write_shard

if TYPE_CHECKING:
    from collections.abc import Iterator


def part_of(value: Any, rank: int, ranks: int) -> Any:
    """A rank's part of each tensor, as a sharded optimizer would keep it."""
    if isinstance(value, dict):
        return {key: part_of(item, rank, ranks) for key, item in value.items()}
    if isinstance(value, torch.Tensor) and value.dim():
        return value.tensor_split(ranks)[rank].clone()
    return value


def states_of(job: Job, rank: int, ranks: int) -> dict[str, Any]:
    states = {
        "model": part_of(job.model.state_dict(), rank, ranks),
        "optimizer": part_of(job.optimizer.state_dict(), rank, ranks),
        "rng": random_states(),
    }
    if rank == 0:
        states["scheduler"] = job.scheduler.state_dict()
        states["progress"] = {"step": job.step}
    return states


def pieces_of(state: Any, slow: bool) -> Iterator[bytes]:
    buffer = io.BytesIO()
    torch.save(state, buffer)
    buffer.seek(0)
    while piece := buffer.read(PIECE_BYTES):
        yield piece
        if slow:
            time.sleep(PAUSE_SECONDS)


def save(job: Job, directory: Path, slow: bool) -> None:
    rank, ranks = dist.get_rank(), dist.get_world_size()
    name = directory.name
    writer = None
    if rank == 0:
        writer = ManifestWriter(directory, checkpoint_id=name, step=job.step, world_size=ranks)
    written = [
        write_shard(directory, role, rank, pieces_of(state, slow), checkpoint_id=name)
        for role, state in states_of(job, rank, ranks).items()
    ]
    gathered: list[Any] = [None] * ranks
    dist.all_gather_object(gathered, written)
    if writer is not None:
        for entries in gathered:
            writer.add_entries(entries)
        writer.commit()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--saves", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="slow enough for kill.py")
    options = parser.parse_args()
    dist.init_process_group("gloo")
    seed_everything()
    job = Job(TinyModel())
    for _ in range(options.saves):
        job.train(100)
        save(job, options.out / f"step-{job.step}", options.slow)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

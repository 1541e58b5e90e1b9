"""Saves by torch's distributed checkpoint, in processes of their own, and the loading of them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as multiprocessing
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

from tests.framework.states import same
from tests.framework.tally import Framework

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RANKS = 2
FORK = multiprocessing.get_context("fork")
LAYERS = ("embedding", "layers.0.weight", "layers.1.weight", "head")
MOMENTS = ("exp_avg", "exp_avg_sq")


def full_state(step: int, *, rows: int = 8, ranks: int = RANKS) -> dict[str, Any]:
    """What a save of that step stores, tensors unsharded; the same for every call."""
    chance = torch.Generator().manual_seed(step)

    def tensor() -> torch.Tensor:
        return torch.rand(rows, 6, generator=chance)

    model = {name: tensor() for name in LAYERS}
    moments = {name: {moment: tensor() for moment in MOMENTS} for name in LAYERS}
    return {
        "model": model,
        "optimizer": {"state": moments, "param_groups": [{"lr": 0.001, "params": [*LAYERS]}]},
        "scheduler": {"last_epoch": step},
        "progress": {"step": step},
        **{f"rng_rank{rank}": torch.full((64,), step + rank) for rank in range(ranks)},
    }


def template(step: int, **shape: Any) -> Any:
    """The same tree with nothing in it: what a job gives to `dcp.load`."""
    return _blank(full_state(step, **shape))


def _blank(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _blank(item) for key, item in value.items()}
    if isinstance(value, torch.Tensor):
        return torch.zeros_like(value)
    return value if isinstance(value, list) else 0


def dcp_says(checkpoint: Path, step: int, **shape: Any) -> Framework:
    """Loads every entry, as a job of one process would."""
    state = template(step, **shape)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dcp.load(state, checkpoint_id=checkpoint, no_dist=True)
    except (Exception, CheckpointException) as error:  # the latter is no Exception
        return Framework(False, False, type(error).__name__)
    return Framework(True, same(state, full_state(step, **shape)))


def save_alone(checkpoint: Path, step: int, **shape: Any) -> None:
    """One process without a group."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dcp.save(full_state(step, ranks=1, **shape), checkpoint_id=checkpoint, no_dist=True)


def in_ranks(work: Callable[[Path], None], directory: Path) -> list[Any]:
    """Starts the work in `RANKS` processes that form a gloo group."""
    directory.mkdir(parents=True, exist_ok=True)
    started = []
    for rank in range(RANKS):
        process = FORK.Process(target=_rank, args=(work, directory, rank))
        process.start()
        started.append(process)
    return started


def _rank(work: Callable[[Path], None], directory: Path, rank: int) -> None:
    store = dist.FileStore(str(directory.with_suffix(".store")), RANKS)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=RANKS)
    work(directory)
    dist.barrier()
    dist.destroy_process_group()


def save_sharded(checkpoint: Path, step: int, rows: int = 8, **writer: Any) -> None:
    """One rank's part of a save: tensors are split by rows over all ranks."""
    mesh = init_device_mesh("cpu", (RANKS,))
    state = full_state(step, rows=rows)

    def sharded(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: sharded(item) for key, item in value.items()}
        return distribute_tensor(value, mesh, [Shard(0)]) if torch.is_tensor(value) else value

    for part in ("model", "optimizer"):
        state[part] = sharded(state[part])
    other = 1 - dist.get_rank()
    del state[f"rng_rank{other}"]
    storage = dcp.FileSystemWriter(checkpoint, **writer)
    dcp.save(state, storage_writer=storage)

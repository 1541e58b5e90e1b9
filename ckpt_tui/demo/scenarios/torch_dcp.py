"""A training loop of one's own with FSDP: a 32B model on 32 ranks, saved by torch DCP."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.demo.scenarios.dcp import METADATA, Chunk, Sharded, Stored, Written, dcp_files
from ckpt_tui.demo.scenarios.saves import Save
from ckpt_tui.demo.torch_values import Tensor

if TYPE_CHECKING:
    from ckpt_tui.demo.torch_values import Tree

WORLD_SIZE = 32

_LAYERS, _HIDDEN, _FEED_FORWARD, _WORDS = 64, 5120, 25600, 151936
_WEIGHTS = (
    ("tok_embeddings.weight", (_WORDS, _HIDDEN)),
    ("blocks.attention.wqkv.weight", (10240, _LAYERS, _HIDDEN)),
    ("blocks.attention.wo.weight", (_HIDDEN, _LAYERS, 8192)),
    ("blocks.feed_forward.w13.weight", (2 * _FEED_FORWARD, _LAYERS, _HIDDEN)),
    ("blocks.feed_forward.w2.weight", (_HIDDEN, _LAYERS, _FEED_FORWARD)),
    ("output.weight", (_WORDS, _HIDDEN)),
)
_CPU_RANDOM_BYTES = 5056


def dcp_save(step: int) -> Save:
    """One save of the job; `.metadata` commits it."""
    written = _written(step)
    return Save(f"step-{step}", step, {}, written.data, {METADATA: [written.metadata]})


@lru_cache(maxsize=16)
def _written(step: int) -> Written:
    tensors = [_sharded(f"model.{key}", "bfloat16", shape) for key, shape in _WEIGHTS]
    for moment in ("exp_avg", "exp_avg_sq"):
        tensors += [
            _sharded(f"optimizer.state.{key}.{moment}", "float32", shape) for key, shape in _WEIGHTS
        ]
    counts: dict[str, Tree] = {
        "optimizer.param_groups.0.lr": 3e-4,
        "optimizer.param_groups.0.weight_decay": 0.1,
        "scheduler.last_epoch": step,
        "scheduler._step_count": step + 1,
        "progress.step": step,
        "progress.epoch": 0,
    }
    objects = [Stored(key, 0, value) for key, value in counts.items()]
    objects += [Stored(f"rng_rank{rank}", rank, _random(rank)) for rank in range(WORLD_SIZE)]
    return dcp_files(tensors, objects)


def _sharded(key: str, dtype: str, shape: tuple[int, ...]) -> Sharded:
    """Split over all ranks along its first dimension, as FSDP does."""
    rows, rest = shape[0] // WORLD_SIZE, shape[1:]
    zeros = (0,) * len(rest)
    chunks = tuple(Chunk(rank, (rank * rows, *zeros), (rows, *rest)) for rank in range(WORLD_SIZE))
    return Sharded(key, dtype, shape, chunks)


def _random(rank: int) -> Tensor:
    return Tensor("uint8", (_CPU_RANDOM_BYTES,), bytes([rank]) * _CPU_RANDOM_BYTES)

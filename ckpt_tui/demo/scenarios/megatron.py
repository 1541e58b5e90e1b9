"""A Megatron-LM job: a 70B Llama on 64 ranks (TP 8 by PP 8), saved by `dist_checkpointing`."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.demo.scenarios.dcp import METADATA, Chunk, Sharded, Stored, Written, dcp_files
from ckpt_tui.demo.scenarios.saves import Save, write_file
from ckpt_tui.demo.torch_like import sparse_torch_file
from ckpt_tui.demo.torch_values import Instance, Name, Tensor

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.demo.torch_values import Tree

TRACKER = "latest_checkpointed_iteration.txt"
TENSOR_PARALLEL, PIPELINE_PARALLEL = 8, 8
WORLD_SIZE = TENSOR_PARALLEL * PIPELINE_PARALLEL

_LAYERS, _HIDDEN, _QUERY_KEY_VALUE, _FEED_FORWARD, _WORDS = 80, 8192, 10240, 28672, 128256
_STATES = ("fp32_param", "exp_avg", "exp_avg_sq")
_CPU_RANDOM_BYTES = 5056

# Key of a weight of all layers, its two dimensions, and which of them TP splits.
_LAYER_WEIGHTS = (
    ("self_attention.linear_qkv.weight", (_QUERY_KEY_VALUE, _HIDDEN), 0),
    ("self_attention.linear_proj.weight", (_HIDDEN, _HIDDEN), 1),
    ("mlp.linear_fc1.weight", (2 * _FEED_FORWARD, _HIDDEN), 0),
    ("mlp.linear_fc2.weight", (_HIDDEN, _FEED_FORWARD), 1),
)


def megatron_save(step: int) -> Save:
    """One save of the job."""
    written = _sharded()
    index = json.dumps({"sharded_backend": "torch_dist", "sharded_backend_version": 1})
    return Save(
        f"iter_{step:07d}",
        step,
        {"common.pt": sparse_torch_file(_common(step), "common")},
        written.data,
        {METADATA: [written.metadata], "metadata.json": [index.encode()]},
    )


def point_to(run: Path, step: int, at: float) -> None:
    """Lets the tracker name a step; `at` is its time, seconds since the epoch."""
    write_file(run / TRACKER, [str(step).encode()], at)


@lru_cache(maxsize=1)
def _sharded() -> Written:
    """Data and index; but for the values, which are holes, those of two steps are alike."""
    weights = [_layer_weight(*weight) for weight in _LAYER_WEIGHTS]
    weights.append(_words("embedding.word_embeddings.weight", 0))
    weights.append(_words("output_layer.weight", PIPELINE_PARALLEL - 1))
    moments = [
        weight._replace(key=f"optimizer.state.{state}.{weight.key}", dtype="float32")
        for state in _STATES
        for weight in weights
    ]
    return dcp_files([*weights, *moments], [_random_state(rank) for rank in range(WORLD_SIZE)])


def _layer_weight(key: str, shape: tuple[int, int], split: int) -> Sharded:
    layers = _LAYERS // PIPELINE_PARALLEL
    part = shape[split] // TENSOR_PARALLEL
    chunks = []
    for rank in range(WORLD_SIZE):
        stage, place = divmod(rank, TENSOR_PARALLEL)
        offsets, sizes = [0, 0], list(shape)
        offsets[split], sizes[split] = place * part, part
        chunks.append(Chunk(rank, (stage * layers, *offsets), (layers, *sizes)))
    return Sharded(f"decoder.layers.{key}", "bfloat16", (_LAYERS, *shape), tuple(chunks))


def _words(key: str, stage: int) -> Sharded:
    part = _WORDS // TENSOR_PARALLEL
    chunks = tuple(
        Chunk(stage * TENSOR_PARALLEL + place, (place * part, 0), (part, _HIDDEN))
        for place in range(TENSOR_PARALLEL)
    )
    return Sharded(key, "bfloat16", (_WORDS, _HIDDEN), chunks)


def _random_state(rank: int) -> Stored:
    stage, place = divmod(rank, TENSOR_PARALLEL)
    key = f"rng_state/shard_{stage}.{place}_{PIPELINE_PARALLEL}.{TENSOR_PARALLEL}"
    state: Tree = [{"torch_rng_state": Tensor("uint8", (_CPU_RANDOM_BYTES,), _random(rank))}]
    return Stored(key, rank, state)


def _random(rank: int) -> bytes:
    return bytes([rank]) * _CPU_RANDOM_BYTES


def _common(step: int) -> Tree:
    arguments: dict[str | int, Tree] = {
        "num_layers": _LAYERS,
        "hidden_size": _HIDDEN,
        "ffn_hidden_size": _FEED_FORWARD,
        "tensor_model_parallel_size": TENSOR_PARALLEL,
        "pipeline_model_parallel_size": PIPELINE_PARALLEL,
        "data_parallel_size": 1,
        "context_parallel_size": 1,
        "world_size": WORLD_SIZE,
        "iteration": step,
        "consumed_train_samples": step * 1024,
        "use_distributed_optimizer": True,
        "async_save": False,
    }
    group: dict[str | int, Tree] = {"lr": 1.5e-4, "betas": (0.9, 0.95), "weight_decay": 0.1}
    return {
        "args": Instance(Name("argparse", "Namespace"), arguments),
        "checkpoint_version": 3.0,
        "iteration": step,
        "optimizer": {"state": {"common_step": step}, "param_groups": [group]},
        "opt_param_scheduler": {
            "max_lr": 1.5e-4,
            "min_lr": 1.5e-5,
            "lr_warmup_steps": 2000 * 1024,
            "num_steps": step * 1024,
            "lr_decay_style": "cosine",
        },
        "content_metadata": {"distrib_optim_sharding_type": "fully_sharded_model_space"},
    }

"""What the simulated ranks hold: states that follow from seed, step, rank and role alone."""

from __future__ import annotations

import hashlib
import json
import math
import struct
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.demo.torch_like import torch_file
from ckpt_tui.demo.torch_values import Tensor

if TYPE_CHECKING:
    from ckpt_tui.demo.torch_values import Tree

ONE_RANK_ROLES = (SCHEDULER, PROGRESS)

_RNG_BYTES = 5056  # the size of torch's CPU generator state
_COLUMNS = 16
_PEAK_LEARNING_RATE = 3e-4
_WARM_UP_STEPS = 100
_STEPS_PER_EPOCH = 1000
_TOKENS_PER_STEP = 2**19
# Random floats with exponents of small weights: no infinity, no NaN.
_SMALL_EXPONENT = bytes((byte & 0x80) | (0x3C + (byte & 1)) for byte in range(256))


class Identity(NamedTuple):
    """Whose state it is, and of which step: all that its bytes depend on."""

    seed: int
    step: int
    rank: int
    world_size: int
    shard_bytes: int


def shard_name(role: str, rank: int) -> str:
    """The shard's file name inside a sharded checkpoint."""
    return f"{role}-rank{rank}.bin"


def shard_pieces(role: str, identity: Identity) -> list[bytes]:
    """The file that a rank of the sharded job writes for one role."""
    if role == RNG:
        return [_noise(identity, RNG, _RNG_BYTES)]
    tree = shard_tree(role, identity)
    if role in ONE_RANK_ROLES:
        return [(json.dumps(tree, indent=2) + "\n").encode()]
    return torch_file(tree, f"{role}-rank{identity.rank}")


def shard_tree(role: str, identity: Identity) -> dict[str | int, Tree]:
    """The values inside the shard of any role but rng."""
    return _header(identity) | {role: _state(role, identity)}


def plain_pieces(identity: Identity, root: str, *, weights_only: bool = False) -> list[bytes]:
    """The file that the plain job writes: every role in one."""
    return torch_file(plain_tree(identity, weights_only=weights_only), root)


def plain_tree(identity: Identity, *, weights_only: bool = False) -> dict[str | int, Tree]:
    """The values inside a plain checkpoint."""
    tree: dict[str | int, Tree] = {"model": _state(MODEL, identity)}
    if not weights_only:
        tree["optimizer"] = _state(OPTIMIZER, identity)
        tree["scheduler"] = _state(SCHEDULER, identity)
        tree["rng_state"] = Tensor("uint8", (_RNG_BYTES,), _noise(identity, RNG, _RNG_BYTES))
    return tree | {"step": identity.step, "config": _header(identity)}


def _header(identity: Identity) -> dict[str | int, Tree]:
    return dict(zip(Identity._fields, identity, strict=True))


def _state(role: str, identity: Identity) -> dict[str | int, Tree]:
    if role == MODEL:
        return _model(identity)
    if role == OPTIMIZER:
        return _optimizer(identity)
    if role == SCHEDULER:
        return {"last_epoch": identity.step, "last_lr": [_learning_rate(identity.step)]}
    return {
        "step": identity.step,
        "epoch": identity.step // _STEPS_PER_EPOCH,
        "tokens_seen": identity.step * _TOKENS_PER_STEP,
    }


def _model(identity: Identity) -> dict[str | int, Tree]:
    embedding, head = _row_counts(identity)
    return {
        "embed.weight": _weights(identity, "embed.weight", embedding),
        "head.weight": _weights(identity, "head.weight", head),
        "norm.batches_seen": Tensor("int64", (1,), struct.pack("<q", identity.step)),
    }


def _optimizer(identity: Identity) -> dict[str | int, Tree]:
    state: dict[str | int, Tree] = {
        index: {
            "step": Tensor("float32", (), struct.pack("<f", identity.step)),
            "exp_avg": _weights(identity, f"exp_avg.{index}", rows),
            "exp_avg_sq": _weights(identity, f"exp_avg_sq.{index}", rows),
        }
        for index, rows in enumerate(_row_counts(identity))
    }
    group: dict[str | int, Tree] = {
        "lr": _learning_rate(identity.step),
        "betas": [0.9, 0.95],
        "weight_decay": 0.1,
        "amsgrad": False,
        "params": [0, 1],
    }
    return {"state": state, "param_groups": [group]}


def _learning_rate(step: int) -> float:
    """Linear warm-up, then the inverse square root of the step."""
    warm = min(1.0, step / _WARM_UP_STEPS)
    return _PEAK_LEARNING_RATE * warm / math.sqrt(max(1.0, step / _WARM_UP_STEPS))


def _row_counts(identity: Identity) -> tuple[int, int]:
    rows = identity.shard_bytes // (4 * _COLUMNS)
    return rows - rows // 4, rows // 4


def _weights(identity: Identity, label: str, rows: int) -> Tensor:
    data = bytearray(_noise(identity, label, rows * _COLUMNS * 4))
    data[3::4] = data[3::4].translate(_SMALL_EXPONENT)
    return Tensor("float32", (rows, _COLUMNS), bytes(data))


def _noise(identity: Identity, label: str, size_bytes: int) -> bytes:
    text = "/".join(map(str, (identity.seed, identity.step, identity.rank, label)))
    return hashlib.shake_128(text.encode()).digest(size_bytes)

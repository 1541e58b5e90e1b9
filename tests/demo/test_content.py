from __future__ import annotations

import math
import struct

import pytest

from ckpt_tui.core.vocabulary import REQUIRED_ROLES
from ckpt_tui.demo.content import (
    Identity,
    plain_pieces,
    plain_tree,
    shard_name,
    shard_pieces,
    shard_tree,
)
from ckpt_tui.demo.torch_values import Tensor, Tree

BASE = Identity(seed=1, step=20, rank=1, world_size=4, shard_bytes=64 * 1024)


def tensors(tree: Tree) -> list[Tensor]:
    if isinstance(tree, Tensor):
        return [tree]
    items = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return [tensor for item in items for tensor in tensors(item)]


@pytest.mark.parametrize("role", REQUIRED_ROLES)
def test_the_bytes_follow_from_the_identity(role: str) -> None:
    assert shard_pieces(role, BASE) == shard_pieces(role, BASE)
    for other in (BASE._replace(step=40), BASE._replace(seed=2), BASE._replace(rank=2)):
        assert shard_pieces(role, BASE) != shard_pieces(role, other)


def test_the_bytes_never_change() -> None:
    first = tensors(shard_tree("model", BASE))[0]
    assert first.data[:8].hex() == "35d4db3c4c25a9bd"


def test_sizes_are_as_planned() -> None:
    model = [t for t in tensors(shard_tree("model", BASE)) if t.dtype == "float32"]
    optimizer = [t for t in tensors(shard_tree("optimizer", BASE)) if t.shape]
    assert sum(len(tensor.data) for tensor in model) == BASE.shard_bytes
    assert sum(len(tensor.data) for tensor in optimizer) == 2 * BASE.shard_bytes


def test_every_float_is_finite() -> None:
    for tensor in tensors(plain_tree(BASE)):
        if tensor.dtype == "float32" and tensor.shape:
            values = struct.unpack(f"<{math.prod(tensor.shape)}f", tensor.data)
            assert all(math.isfinite(value) and abs(value) < 1 for value in values)


def test_weights_only_holds_the_model_alone() -> None:
    assert set(plain_tree(BASE, weights_only=True)) == {"model", "step", "config"}
    smaller = sum(map(len, plain_pieces(BASE, "a", weights_only=True)))
    assert smaller < sum(map(len, plain_pieces(BASE, "a"))) / 2


def test_names_say_role_and_rank() -> None:
    assert [shard_name(role, 3) for role in REQUIRED_ROLES] == [
        "model-rank3.bin",
        "optimizer-rank3.bin",
        "scheduler-rank3.bin",
        "rng-rank3.bin",
        "progress-rank3.bin",
    ]

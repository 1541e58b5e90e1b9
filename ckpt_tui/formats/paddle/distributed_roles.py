"""Roles and ranks of the distributed form, by the nested keys of its metadata."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.torch_tensors import TensorInfo
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.paddle.distributed import Distributed, item_bytes
from ckpt_tui.formats.paddle.names import rank_of_data
from ckpt_tui.formats.paddle.states import is_accumulator
from ckpt_tui.formats.shared.archive_roles import (
    ArchiveContent,
    content_of_value,
    parts_by_role,
)
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.bounds import MOST_RANKS
from ckpt_tui.formats.shared.roles import role_of_key
from ckpt_tui.formats.shared.shards import shard_of, shard_problem
from ckpt_tui.formats.shared.tensor_walk import walk_tensors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.facts import ShardFacts
    from ckpt_tui.formats.base import CheckpointFiles

_MODEL, _OPTIMIZER = "model", "optimizer"
_OPTIMIZER_DIRECTORY = "opt"


def roles_of_distributed(found: Distributed) -> ArchiveContent:
    """Roles, step and tensors that the metadata names."""
    where = {part.key: part.path for part in found.parts if not part.replica}
    value = _nested(found)

    def number_of(held: object) -> int | None:
        """The value of a tensor of one element, from the file that holds it."""
        if not isinstance(held, TensorInfo):
            return whole_number(held)
        pickle = found.pickles.get(where.get(held.storage_key, ""))
        if pickle is None or not isinstance(pickle.value, dict):
            return None
        return whole_number(pickle.number(pickle.value.get(held.storage_key)))

    return content_of_value(value, number_of, (), found.metadata_path)


def roles_of_keys(found: Distributed) -> dict[str, str]:
    """Flat key → role of the state that its tensor is a part of."""
    return {
        info.storage_key: role
        for role, pairs in parts_by_role(_nested(found)).items()
        for _, part in pairs
        for _, info in walk_tensors(part)
    }


def _nested(found: Distributed) -> dict[object, object]:
    """The states by their keys; a job that passed flat keys has named them `model.weight`."""
    nested: dict[object, object] = {}
    for part in found.parts:
        if part.replica:
            continue
        keys = found.mapping.get(part.key, (part.key,))
        first, dot, rest = part.key.partition(".")
        if len(keys) < 2 and dot and role_of_key(first) is not None:
            keys = (first, rest)
        _put(nested, keys, _described(found, part.key))
    return _by_kind(nested, found.metadata_path.startswith(_OPTIMIZER_DIRECTORY))


def _described(found: Distributed, key: str) -> TensorInfo:
    shape, dtype = found.shapes.get(key, ()), found.dtypes.get(key, "")
    return TensorInfo(dtype, shape, math.prod(shape) * item_bytes(dtype), key)


def _put(nested: dict[object, object], keys: tuple[str, ...], tensor: TensorInfo) -> None:
    """Puts a tensor below its keys; the first level decides its role, so two are enough."""
    if len(keys) < 2:
        nested[keys[0] if keys else tensor.storage_key] = tensor
        return
    level = nested.setdefault(keys[0], {})
    if isinstance(level, dict):
        level[".".join(map(str, keys[1:]))] = tensor


def _by_kind(nested: dict[object, object], of_optimizer: bool) -> dict[object, object]:
    """Flat keys of an optimizer beside those of a model become two states.

    In a directory that is called as an optimizer those of no known name are of it, too.
    """
    flat = {k: v for k, v in nested.items() if isinstance(k, str) and isinstance(v, TensorInfo)}
    optimizer = {
        k: v
        for k, v in flat.items()
        if is_accumulator(k) or (of_optimizer and role_of_key(k) is None)
    }
    if not optimizer:
        return nested
    model = {k: v for k, v in flat.items() if k not in optimizer and math.prod(v.shape) > 1}
    rest = {k: v for k, v in nested.items() if k not in optimizer and k not in model}
    return {_MODEL: model, _OPTIMIZER: optimizer, **rest}


def shards_of(files: CheckpointFiles, directory: str, found: Distributed) -> tuple[ShardFacts, ...]:
    """What each rank wrote, by the metadata, or by the names of files where it is not there."""
    paths = found.paths or tuple(
        entry.path
        for entry in files.tree.files()
        if entry.path.startswith(directory)
        and rank_of_data(entry.path.removeprefix(directory)) is not None
    )
    problems = {f.path: shard_problem(f) for f in found.findings if f.effect is not Effect.NONE}
    by_rank: dict[int, list[str]] = {}
    for path in paths:
        rank = rank_of_data(path.removeprefix(directory))
        if rank is not None and rank < MOST_RANKS:
            by_rank.setdefault(rank, []).append(path)
    shards = []
    for rank, own in sorted(by_rank.items()):
        there = [entry for path in own if (entry := files.tree.get(path)) is not None]
        problem = next((problems[path] for path in own if path in problems), "")
        shards.append(shard_of(rank, there, problem, paths=own))
    return tuple(shards)


def joined_shards(shards: Iterable[ShardFacts]) -> tuple[ShardFacts, ...]:
    """One entry per rank, of what it wrote into several directories."""
    found: dict[int, ShardFacts] = {}
    for shard in shards:
        known = found.get(shard.rank)
        found[shard.rank] = shard if known is None else _joined(known, shard)
    return tuple(found[rank] for rank in sorted(found))


def _joined(one: ShardFacts, other: ShardFacts) -> ShardFacts:
    return one._replace(
        size_bytes=one.size_bytes + other.size_bytes,
        paths=(*one.paths, *other.paths),
        problem=one.problem or other.problem,
        mtime_ns=max(one.mtime_ns, other.mtime_ns),
    )

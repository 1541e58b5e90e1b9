"""Which states the items of a step hold: by the keys of their trees, their names and handlers.

Optax keeps the position of a learning rate schedule as `count` in the optimizer's state, Keras
the rate itself as a variable of the optimizer; either counts as the scheduler's progress.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import (
    CONFIG,
    DATALOADER,
    METRICS,
    MODEL,
    OPTIMIZER,
    PROGRESS,
    RNG,
    SCHEDULER,
)
from ckpt_tui.formats.orbax.items import Kind
from ckpt_tui.formats.orbax.names import TREE_METADATA
from ckpt_tui.formats.shared.moments import is_of_optimizer
from ckpt_tui.formats.shared.roles import role_of_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.formats.orbax.content import Content
    from ckpt_tui.formats.orbax.pytree import PyTree
    from ckpt_tui.formats.orbax.tree import Leaf

_DEEPEST_WRAPPER = 4
_OF_SCHEDULE = frozenset({"count", "schedule", "learning_rate", "hyperparams", "inner_count"})
_RANDOM_NAMES = ("key", "rng", "rngs", "seed", "prng", "prngkey")
_OF_KERAS = {
    "trainable_variables": MODEL,
    "non_trainable_variables": MODEL,
    "optimizer_variables": OPTIMIZER,
    "metrics_variables": METRICS,
}
_ALSO_MODEL = frozenset({"batch_stats", "ema_params", "target_params", "graphdef", "nnx_state"})
_PART_OF_NAME = re.compile(r"[^./\[\]'\"]+")
_WHOLE_STATES = frozenset({MODEL, OPTIMIZER})
_STREAMS = "rngs"
"""Flax NNX keeps the streams of random numbers below this key of the layer that draws them."""


class Branch(NamedTuple):
    """A part of a tree with one role.

    Attributes:
        role: Its role; "" where nothing tells.
        keys: The way to it; the whole tree where empty.
        leaves: All below it.
    """

    role: str
    keys: tuple[str, ...]
    leaves: tuple[Leaf, ...]


def roles_of(content: Content) -> list[RoleFacts]:
    """The roles of one item, each with this item's files and evidence."""
    item = content.item
    if not item.there:
        return []
    if item.kind is Kind.TREE:
        return [fact for tree in content.pytrees for fact in _of_tree(content, tree)]
    role = {Kind.RANDOM_KEY: RNG, Kind.METRICS: METRICS, Kind.ITERATOR: DATALOADER}.get(item.kind)
    role = role or (role_of_key(item.name) if item.kind is not Kind.EMPTY else None)
    if role is None and item.kind is Kind.JSON:
        role = CONFIG
    if role is None:
        return []
    by = f"handler {item.handler.rpartition('.')[2]}" if item.handler else f"its {item.kind} files"
    evidence = f"item `{item.name}`, by its name and {by}"
    size_bytes = sum(_bytes_of(tree, tree.tree.leaves) for tree in content.pytrees) or None
    path = item.directory.rstrip("/")
    return [RoleFacts(role, size_bytes, 1, evidence, content.missing_processes, paths=(path,))]


def _of_tree(content: Content, tree: PyTree) -> list[RoleFacts]:
    path = tree.directory + TREE_METADATA
    found = []
    for branch in branches(content.item.name, tree.tree.leaves):
        if not branch.role:
            continue
        where = ".".join(branch.keys)
        evidence = f"key `{where}` in {path}" if where else f"item `{content.item.name}`"
        size_bytes = _bytes_of(tree, branch.leaves)
        found.append(RoleFacts(branch.role, size_bytes, 1, evidence, paths=(path,)))
        if branch.role == OPTIMIZER:
            found += _schedule(branch, path)
    return found


def _schedule(branch: Branch, path: str) -> list[RoleFacts]:
    depth = len(branch.keys)
    for leaf in branch.leaves:
        if leaf.stored and _OF_SCHEDULE.intersection(leaf.keys[depth:]):
            evidence = f"`{leaf.name}` in the optimizer's state ({path})"
            return [RoleFacts(SCHEDULER, None, 1, evidence, paths=(path,))]
    return []


def branches(item: str, leaves: Iterable[Leaf]) -> list[Branch]:
    """Splits a tree into parts with one role each.

    An item that is named after a role is that as a whole, unless its keys name model and
    optimizer both. What no name tells is the model where nothing else is.

    Args:
        item: Name of the item, or "".
        leaves: Of the whole tree.
    """
    everything = tuple(leaves)
    streams = tuple(leaf for leaf in everything if _STREAMS in leaf.keys)
    if streams and len(streams) < len(everything):
        keys = streams[0].keys
        random = Branch(RNG, keys[: keys.index(_STREAMS) + 1], streams)
        return [*branches(item, (x for x in everything if _STREAMS not in x.keys)), random]
    found = _unwrapped((), everything, 0)
    named = {branch.role for branch in found}
    if not named & _WHOLE_STATES and any(_is_flat(leaf) for leaf in everything):
        parted = _unwrapped((), tuple(map(_parted, everything)), 0)
        if {branch.role for branch in parted} >= _WHOLE_STATES:
            return parted
    role = role_of(item, everything) if item else ""
    # `train_state` names progress and is most often the whole tree
    whole = role and (len(everything) == 1 or role != PROGRESS)
    if whole and not named >= _WHOLE_STATES:
        return [Branch(role, (), everything)]
    if MODEL in named or not everything:
        return found
    return [_as_model(branch) if not branch.role else branch for branch in found]


def _is_flat(leaf: Leaf) -> bool:
    return len(leaf.keys) == 1 and len(_PART_OF_NAME.findall(leaf.keys[0])) > 1


def _parted(leaf: Leaf) -> Leaf:
    """A leaf of a flattened tree, `params/dense/kernel` or `['params']['dense']`, by its parts."""
    parts = _PART_OF_NAME.findall(leaf.keys[0]) if len(leaf.keys) == 1 else []
    return leaf._replace(keys=tuple(parts), flat_name=leaf.name) if parts else leaf


def _as_model(branch: Branch) -> Branch:
    """Arrays under names that say nothing; a number or a string alone is no model."""
    arrays = any(leaf.stored and leaf.kind != "scalar" for leaf in branch.leaves)
    return branch._replace(role=MODEL) if arrays else branch


def _unwrapped(keys: tuple[str, ...], leaves: tuple[Leaf, ...], depth: int) -> list[Branch]:
    """The branches below a key; one that only wraps others is opened."""
    groups: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        key = leaf.keys[len(keys)] if len(leaf.keys) > len(keys) else ""
        groups.setdefault(key, []).append(leaf)
    found = []
    for key, below in groups.items():
        branch = Branch(role_of(key, below), (*keys, key), tuple(below))
        inside = (
            _unwrapped(branch.keys, branch.leaves, depth + 1)
            if depth < _DEEPEST_WRAPPER and _may_wrap(branch)
            else []
        )
        found += inside if _is_wrapper(branch, inside) else [_by_shape(branch)]
    return found


def _by_shape(branch: Branch) -> Branch:
    """What no key names is an optimizer where the keys of optax's states stand in it."""
    if branch.role:
        return branch
    below: dict[tuple[str, ...], set[object]] = {}
    for leaf in branch.leaves:
        for end in range(len(branch.keys), len(leaf.keys)):
            below.setdefault(leaf.keys[:end], set()).add(leaf.keys[end])
    found = any(map(is_of_optimizer, below.values()))
    return branch._replace(role=OPTIMIZER) if found else branch


def _may_wrap(branch: Branch) -> bool:
    """Whether there are keys below that could name roles: numbers do not."""
    depth = len(branch.keys)
    return any(
        len(leaf.keys) > depth and not leaf.keys[depth].isdecimal() for leaf in branch.leaves
    )


def _is_wrapper(branch: Branch, inside: list[Branch]) -> bool:
    named = {part.role for part in inside} - {""}
    if branch.role in (OPTIMIZER, RNG, SCHEDULER, METRICS, CONFIG, DATALOADER):
        return False
    if OPTIMIZER in named and len(named) > 1:
        return True
    # `train_state` names progress: what is in it may still be the model
    return branch.role in ("", PROGRESS) and MODEL in named


def role_of(key: str, leaves: Iterable[Leaf]) -> str:
    """The role that a key of a tree names; "" where it names none."""
    plain = key.lower()
    role = role_of_key(key) or _OF_KERAS.get(plain)
    if role is not None:
        return role
    if plain in _ALSO_MODEL:
        return MODEL
    last = plain.replace("-", "_").rpartition("_")[2]
    single = sum(1 for _ in leaves) == 1
    return RNG if last in _RANDOM_NAMES and (single or last.startswith("rng")) else ""


def _bytes_of(tree: PyTree, leaves: Iterable[Leaf]) -> int:
    """Bytes of all arrays of a part of a tree, uncompressed."""
    arrays = (tree.arrays.by_name.get(leaf.name) for leaf in leaves)
    return sum(array.zarr.size_bytes for array in arrays if array is not None)


def role_of_array(item: str, leaves: tuple[Leaf, ...]) -> dict[str, str]:
    """Name of an array → its role, for a whole tree."""
    return {leaf.name: branch.role for branch in branches(item, leaves) for leaf in branch.leaves}

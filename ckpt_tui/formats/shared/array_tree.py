"""Trees of arrays as training loops in JAX and numpy save them: dictionaries and lists of arrays.

Leaves are `StoredArray` and scalars. Walks are bounded and do not recurse: files may hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.stored_array import StoredArray
from ckpt_tui.formats.shared.archive_step import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_NODES = 500_000
_PARTS = re.compile(r"[^\[\]'\"/.:|>\s]+")


StatesByRole = dict[str, list[tuple[tuple[str, ...], object]]]
"""Role → (the keys that lead to it, value) of each state of a tree that has this role."""


class Node(NamedTuple):
    """A value of a tree, and the keys that lead to it."""

    keys: tuple[str, ...]
    value: object

    @property
    def name(self) -> str:
        """The keys, with dots between them."""
        return ".".join(self.keys)


def nodes(value: object, keys: tuple[str, ...] = ()) -> Iterator[Node]:
    """All values of a tree, containers before what they hold, in the order of their keys."""
    pending = [Node(keys, value)]
    left = _MOST_NODES
    while pending and left > 0:
        node = pending.pop()
        left -= 1
        yield node
        children = [Node((*node.keys, str(key)), part) for key, part in items(node.value)]
        pending.extend(reversed(children))


def items(value: object) -> Iterable[tuple[object, object]]:
    """The entries of a dictionary, or the numbered ones of a list; nothing of anything else."""
    if isinstance(value, StoredArray):  # which is a tuple, too
        return ()
    if isinstance(value, Mapping):
        return value.items()
    if isinstance(value, list | tuple) and _holds_more(value):
        return enumerate(value)
    return ()


def arrays(value: object, keys: tuple[str, ...] = ()) -> list[tuple[str, StoredArray]]:
    """The arrays of a tree by their names."""
    return [
        (node.name, node.value)
        for node in nodes(value, keys)
        if isinstance(node.value, StoredArray)
    ]


def has_array(value: object) -> bool:
    """Whether a tree holds any array that is more than a number."""
    return any(
        isinstance(node.value, StoredArray) and node.value.shape and node.value.size_bytes
        for node in nodes(value)
    )


def number_of(value: object) -> int | None:
    """A whole number: as it stands, or as an array of one element."""
    return whole_number(value.number if isinstance(value, StoredArray) else value)


def tree_of_names(found: Mapping[str, object]) -> dict[str, object]:
    """A tree of what flat names hold: `params/dense/w`, `params.dense.w`, `['params']['dense']`.

    A name that is also the beginning of another one stays as it is.
    """
    split = {name: tuple(_PARTS.findall(name)) or (name,) for name in found}
    inner = {keys[:end] for keys in split.values() for end in range(1, len(keys))}
    tree: dict[str, object] = {}
    for name, value in found.items():
        keys = split[name]
        if keys in inner:
            tree[name] = value
            continue
        level = tree
        for key in keys[:-1]:
            below = level.setdefault(key, {})
            level = below if isinstance(below, dict) else {}
        level[keys[-1]] = value
    return tree


def _holds_more(values: list[object] | tuple[object, ...]) -> bool:
    """A long list of numbers is not walked."""
    kinds = set(map(type, values))
    return any(issubclass(kind, Mapping | list | tuple) for kind in kinds) or len(values) < 32

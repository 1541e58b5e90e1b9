"""Walks the values of a torch archive for its tensors, within a bound and without recursion."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.torch_archive import TensorInfo

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_NODES = 300_000
MOST_NODES = 4_000_000
"""Values of one file that are walked where every tensor is wanted."""

# Parts of an nn.Module's state that are no part of a parameter's name.
_SILENT = frozenset({"_modules", "_parameters", "_buffers", "_local_tensor"})
_CONTAINERS = (dict, list, tuple, Instance)  # a tensor's description is a tuple


class _Passed(int):
    """Stands for so many values in a row that hold nothing: a random state has thousands."""


class NamedTensor(NamedTuple):
    """A tensor and the dotted path of keys that leads to it."""

    name: str
    info: TensorInfo


def walk_tensors(value: object, prefix: str = "", most_nodes: int = MAX_NODES) -> list[NamedTensor]:
    """All tensors below a value, in the order of its keys; shared containers are entered once.

    The walk stops after `most_nodes` values: an archive may hold anything.
    """
    found: list[NamedTensor] = []
    pending: list[tuple[str, object]] = [(prefix, value)]
    entered: set[int] = set()
    left = most_nodes
    while pending and left > 0:
        name, node = pending.pop()
        left -= node if type(node) is _Passed else 1
        if isinstance(node, TensorInfo):
            found.append(NamedTensor(name, node))
        elif isinstance(node, _CONTAINERS) and id(node) not in entered:
            entered.add(id(node))
            pending.extend(reversed(_to_enter(name, node)))
    return found


def tensor_bytes(tensors: list[NamedTensor]) -> int:
    """Bytes of several tensors; one storage that several share counts once."""
    storages: dict[object, int] = {}
    for _, info in tensors:
        storages[info.storage_key] = max(storages.get(info.storage_key, 0), info.size_bytes)
    return sum(storages.values())


def has_tensor(value: object, most_nodes: int = 20_000) -> bool:
    """Whether a value holds any tensor, looked for within the first `most_nodes` values."""
    return bool(walk_tensors(value, "", most_nodes))


def _to_enter(name: str, node: object) -> list[tuple[str, object]]:
    """The children that may hold a tensor, by name, and how many others lie between them."""
    if isinstance(node, list | tuple) and not any(
        issubclass(kind, _CONTAINERS) for kind in set(map(type, node))
    ):
        return [("", _Passed(len(node)))]
    found: list[tuple[str, object]] = []
    passed = 0
    for key, child in _children(node):
        if not isinstance(child, _CONTAINERS):
            passed += 1
            continue
        if passed:
            found.append(("", _Passed(passed)))
            passed = 0
        found.append((_join(name, key), child))
    if passed:
        found.append(("", _Passed(passed)))
    return found


def _children(node: object) -> Iterator[tuple[object, object]]:
    if isinstance(node, dict):
        yield from node.items()
    elif isinstance(node, list | tuple):
        yield from enumerate(node)
    elif isinstance(node, Instance):
        yield from ((None, argument) for argument in node.args)
        yield from node.attributes.items()
        yield from node.entries.items()
        yield from ((None, element) for element in node.elements)


def _join(prefix: str, key: object) -> str:
    if key is None or (isinstance(key, str) and key in _SILENT):
        return prefix
    part = key if isinstance(key, str) else repr(key) if isinstance(key, int) else "?"
    return f"{prefix}.{part}" if prefix else part

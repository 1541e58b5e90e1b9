"""Rebuilds an inert value from its leaves upwards, with arrays in the place of their makers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.inert import Instance

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Deadline

Replace = Callable[[Instance], object]

_CONTAINERS: Final = (dict, list, tuple, Instance)
_BETWEEN_CHECKS: Final = 4096


def rebuilt(value: object, leaf: Replace, replace: Replace, deadline: Deadline) -> object:
    """The same value with some instances replaced; each shared part is looked at once.

    Dictionaries, lists and instances are changed in place, tuples are made anew. A part that
    contains itself stays as it is.

    Args:
        value: Of plain containers, scalars, `Stub` and `Instance`.
        leaf: What to put in an instance's place without a look at its parts; itself, if nothing.
        replace: The same, asked when the parts are done.
        deadline: How long that may take.

    Raises:
        ArtifactError: Of `replace`, or the time is over.
    """
    done: dict[int, object] = {}
    entered: dict[int, object] = {}  # holds them, so that no new part gets the number of an old one
    pending: list[tuple[object, bool]] = [(value, False)]
    count = 0
    while pending:
        node, left = pending.pop()
        count += 1
        if count % _BETWEEN_CHECKS == 0:
            deadline.check()
        if left:
            done[id(node)] = _built(node, done, replace)
        elif isinstance(node, _CONTAINERS) and id(node) not in entered:
            entered[id(node)] = node
            if type(node) is Instance and (found := leaf(node)) is not node:
                done[id(node)] = found
                continue
            pending.append((node, True))
            pending += [(part, False) for part in reversed(_parts(node))]
    return done.get(id(value), value)


def _parts(node: object) -> list[object]:
    """The containers in one; a random state of thousands of numbers has none."""
    if isinstance(node, dict):
        inner = list(node.values())
    elif isinstance(node, list | tuple):
        if not any(issubclass(kind, _CONTAINERS) for kind in set(map(type, node))):
            return []
        inner = list(node)
    elif isinstance(node, Instance):
        inner = list(node.parts)
    else:
        inner = []
    return [part for part in inner if isinstance(part, _CONTAINERS)]


def _built(node: object, done: dict[int, object], replace: Replace) -> object:
    if isinstance(node, dict):
        for key, part in node.items():
            if id(part) in done:
                node[key] = done[id(part)]
        return node
    if isinstance(node, list):
        if any(id(part) in done for part in node):
            node[:] = [done.get(id(part), part) for part in node]
        return node
    if isinstance(node, tuple):
        new = [done.get(id(part), part) for part in node]
        same = all(a is b for a, b in zip(new, node, strict=True))
        return node if same or type(node) is not tuple else tuple(new)
    if isinstance(node, Instance):
        args = done.get(id(node.args), node.args)
        node.args = args if isinstance(args, tuple) else node.args
        node.state = done.get(id(node.state), node.state)
        return replace(node)
    return node

"""The graph of objects that a checkpoint was saved from: which variable is whose.

It is stored as a string under a key of its own, a `TrackableObjectGraph` of TensorFlow's
`core/protobuf/trackable_object_graph.proto`. A variable is stored under one path only, though
several objects may hold it: Keras weights lie under the optimizer's keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.protobuf import fields

if TYPE_CHECKING:
    from collections.abc import Iterator

GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"

_MOST_NODES = 1_000_000
_BETWEEN_CHECKS = 256


class GraphNode(NamedTuple):
    """One object.

    Attributes:
        children: (name that the object has for it, number of the node).
        keys: Keys of what it stored itself.
        slots: Numbers of the nodes that are its slots, such as moments; those of an optimizer.
    """

    children: tuple[tuple[str, int], ...]
    keys: tuple[str, ...]
    slots: tuple[int, ...]


def read_object_graph(
    message: bytes, name: str = "", limits: Limits | None = None
) -> tuple[GraphNode, ...]:
    """Reads the graph; node 0 is the object that was saved.

    Args:
        message: The stored string.
        name: The path to show in messages.
        limits: Bounds of the time for it; the usual ones by default.

    Raises:
        ArtifactError: `unreadable-archive`: the bytes are no such graph; `limit-exceeded`.
    """
    deadline = Deadline(limits or Limits(), name)
    nodes: list[GraphNode] = []
    for number, value in _messages(message, name):
        if number == 1:
            nodes.append(_node(value, name, deadline))
        if len(nodes) > _MOST_NODES:
            raise ArtifactError("limit-exceeded", f"more than {_MOST_NODES} objects", name)
    return tuple(nodes)


def _node(message: bytes, name: str, deadline: Deadline) -> GraphNode:
    children, keys, slots = [], [], []
    for place, (number, value) in enumerate(_messages(message, name)):
        if place % _BETWEEN_CHECKS == 0:
            deadline.check()
        if number == 1:
            children.append((_text(value, 2, name), _number(value, 1, name)))
        elif number == 2:
            keys.append(_text(value, 3, name))
        elif number == 3:
            slots.append(_number(value, 3, name))
    return GraphNode(tuple(children), tuple(filter(None, keys)), tuple(slots))


def _messages(message: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    for number, _, value in fields(message, name):
        if isinstance(value, bytes):
            yield number, value


def _text(message: bytes, wanted: int, name: str) -> str:
    found = next((v for number, v in _messages(message, name) if number == wanted), b"")
    return found.decode("utf-8", "backslashreplace")


def _number(message: bytes, wanted: int, name: str) -> int:
    values = (v for number, _, v in fields(message, name) if number == wanted)
    return next((value for value in values if isinstance(value, int)), 0)

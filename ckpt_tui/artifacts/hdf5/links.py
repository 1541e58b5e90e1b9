"""The links of a group: name → object header, in the old symbol tables and in link messages."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5 import object_header as header

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ckpt_tui.artifacts.hdf5.object_header import Message
    from ckpt_tui.artifacts.hdf5.view import View

_HEAP, _TREE, _LEAF = b"HEAP", b"TREE", b"SNOD"
_TREE_HEAD = struct.Struct("<4sBBH")
_LEAF_HEAD = struct.Struct("<4sBxH")
_GROUP_NODE = 0
_NO_FREE_BLOCK = 1
_SOFT_ENTRY = 2
_HARD, _SOFT = 0, 1
_MOST_FREE_BLOCKS = 1_000_000


class Link(NamedTuple):
    """One entry of a group.

    Attributes:
        name: Its name; bytes that are no UTF-8 become surrogates.
        address: Object header of what it names; None for a soft or external link.
    """

    name: str
    address: int | None


class _Node(NamedTuple):
    """A node of a symbol table's tree, or a leaf, and the names that it may hold."""

    address: int
    level: int
    above: bytes
    up_to: bytes


def read_links(view: View, messages: Iterable[Message]) -> tuple[Link, ...]:
    """All links of a group.

    Raises:
        ArtifactError: `unreadable-archive`, `limit-exceeded`; `unsupported-version` for the
            fractal heaps in which new groups keep many links.
    """
    links: list[Link] = []
    for message in messages:
        if message.kind == header.SYMBOL_TABLE:
            links += _symbols(view, message.data)
        elif message.kind == header.LINK:
            links.append(_link(view, message.data))
        elif message.kind == header.LINK_INFO:
            _require_compact(view, message.data)
    names = {link.name for link in links}
    if len(names) != len(links):
        raise view.wrong("a group names two of its members alike")
    return tuple(links)


def _require_compact(view: View, data: bytes) -> None:
    if len(data) < 2 or data[0]:
        raise view.wrong("the information on a group's links contradicts itself")
    heap = view.offset_at(data, 2 + (8 if data[1] & 1 else 0))
    if heap != view.undefined:
        raise view.unsupported("a group whose links are in a fractal heap")


def _link(view: View, data: bytes) -> Link:
    if len(data) < 2 or data[0] != 1:
        raise view.wrong("a link contradicts itself")
    flags, at, kind = data[1], 2, _HARD
    if flags & 0x08:
        kind = data[at] if at < len(data) else _SOFT
        at += 1
    at += (8 if flags & 0x04 else 0) + (1 if flags & 0x10 else 0)
    width = 1 << (flags & 0x03)
    length = int.from_bytes(data[at : at + width], "little")
    at += width
    name = data[at : at + length]
    if len(name) != length or not name:
        raise view.wrong("a link's name reaches past the end of its message")
    address = view.offset_at(data, at + length) if kind == _HARD else None
    return Link(_text(name), address)


def _symbols(view: View, data: bytes) -> Iterator[Link]:
    tree = view.offset_at(data, 0)
    heap = view.offset_at(data, view.offset_bytes)
    names: bytes | None = None  # a group without members needs none
    pending = [_Node(tree, -1, b"", b"")]
    last: bytes | None = None
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if node.address in seen:
            raise view.wrong(f"the tree of a group at address {tree} leads into itself")
        seen.add(node.address)
        if node.level:
            read = _read_node(view, node)
            if read.children and names is None:
                names = _read_names(view, heap)
            pending += reversed(_children(view, read, names or b""))
            continue
        for name, address in _entries(view, node.address, names or b""):
            if (last is not None and name <= last) or not node.above < name <= node.up_to:
                raise view.wrong(
                    f"the members of a group are out of order in the leaf at {node.address}"
                )
            last = name
            yield Link(_text(name), address)


class _TreeNode(NamedTuple):
    """A node as it was read: its level, how many children it has, its bytes from the first key."""

    level: int
    children: int
    data: bytes


def _read_node(view: View, node: _Node) -> _TreeNode:
    """Reads a node; of the root the level is not known before (-1)."""
    width, key = view.offset_bytes, view.length_bytes
    begin = _TREE_HEAD.size + 2 * width
    most = 2 * view.superblock.internal_k
    size = begin + most * width + (most + 1) * key
    data = view.read(node.address, size, "a node of a group's tree")
    magic, kind, level, count = _TREE_HEAD.unpack_from(data)
    wanted = level if node.level < 0 else node.level - 1
    if magic != _TREE or kind != _GROUP_NODE or level != wanted or count > most:
        raise view.wrong(f"no node of a group's tree begins at address {node.address}")
    return _TreeNode(level, count, data[begin:])


def _children(view: View, node: _TreeNode, names: bytes) -> list[_Node]:
    """The nodes below one, or its leaves, each with the names that it may hold."""
    if not node.children:
        return []
    key = view.length_bytes
    step = view.offset_bytes + key
    keys = [view.length_at(node.data, n * step) for n in range(node.children + 1)]
    children = [view.offset_at(node.data, key + n * step) for n in range(node.children)]
    bounds = [_name(view, names, at) for at in keys]
    # Leaves are on level 0 here; libhdf5 counts the nodes above them from 0.
    return [
        _Node(address, node.level, bounds[n], bounds[n + 1]) for n, address in enumerate(children)
    ]


def _entries(view: View, address: int, names: bytes) -> Iterator[tuple[bytes, int | None]]:
    width = view.offset_bytes
    entry = 2 * width + 24
    most = 2 * view.superblock.leaf_k
    data = view.read(address, _LEAF_HEAD.size + most * entry, "a leaf of a group's tree")
    magic, version, count = _LEAF_HEAD.unpack_from(data)
    if magic != _LEAF or version != 1 or count > most:
        raise view.wrong(f"no leaf of a group's tree begins at address {address}")
    for number in range(count):
        at = _LEAF_HEAD.size + number * entry
        name = _name(view, names, view.offset_at(data, at))
        target = view.offset_at(data, at + width)
        kind = int.from_bytes(data[at + 2 * width : at + 2 * width + 4], "little")
        if kind > _SOFT_ENTRY:
            raise view.wrong(f"a member of a group is of the unknown kind {kind}")
        yield name, None if kind == _SOFT_ENTRY else target


def _read_names(view: View, address: int) -> bytes:
    """The names of a group's members, from its local heap."""
    width = view.length_bytes
    head = view.read(address, 8 + 2 * width + view.offset_bytes, "a local heap")
    if not head.startswith(_HEAP) or head[4]:
        raise view.wrong(f"no local heap begins at address {address}")
    size, free = view.length_at(head, 8), view.length_at(head, 8 + width)
    data = view.read(view.offset_at(head, 8 + 2 * width), size, "the names of a local heap")
    for _ in range(_MOST_FREE_BLOCKS):
        if free == _NO_FREE_BLOCK:
            return data
        following, length = view.length_at(data, free), view.length_at(data, free + width)
        if not following or free + length > size:
            break
        free = following
    raise view.wrong(f"the free blocks of the local heap at address {address} cannot be")


def _name(view: View, names: bytes, at: int) -> bytes:
    end = names.find(b"\0", at)
    if at >= len(names) or end < 0:
        raise view.wrong(f"a member of a group has its name outside the heap, at {at}")
    return names[at:end]


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")

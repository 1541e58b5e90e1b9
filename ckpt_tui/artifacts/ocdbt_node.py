"""Nodes of an OCDBT tree: leaves hold keys and values or their places, others refer to nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.ocdbt_manifest import Place, file_of, read_data_files, read_places
from ckpt_tui.artifacts.ocdbt_wire import open_envelope

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Deadline
    from ckpt_tui.artifacts.ocdbt_manifest import DataFile
    from ckpt_tui.artifacts.ocdbt_wire import Cursor

_MAGIC: Final = 0x0CDB20DE


class Value(NamedTuple):
    """What is stored under a key.

    Attributes:
        key: The whole key; bytes that are no UTF-8 as surrogates.
        length: Bytes of the value.
        inline: The value itself, where it lies in the node; else None.
        place: Where it lies, where it is not in the node.
    """

    key: str
    length: int
    inline: bytes | None = None
    place: Place | None = None


class Child(NamedTuple):
    """A reference to a node one level below.

    Attributes:
        place: Where it lies.
        prefix: What all keys below it begin with.
        keys: How many there are below it.
    """

    place: Place
    prefix: bytes
    keys: int


class Node(NamedTuple):
    """One node.

    Attributes:
        height: 0 for a leaf.
        values: Of a leaf.
        children: Of any other.
        text_bytes: Bytes of the names of its keys and files.
    """

    height: int
    values: tuple[Value, ...] = ()
    children: tuple[Child, ...] = ()
    text_bytes: int = 0


def read_node(
    data: bytes, place: Place, prefix: bytes, most_bytes: int, path: str, deadline: Deadline
) -> Node:
    """Decodes a node; every byte of it is under its CRC-32C.

    Args:
        data: Its bytes.
        place: Where they lie: files are named relative to that.
        prefix: What all keys in it begin with.
        most_bytes: Bound of its decompressed body, and of its keys together.
        path: The file, for messages.
        deadline: Bound of the time for reading it.

    Raises:
        ArtifactError: It is cut, damaged, or of an unknown version.
    """
    body = open_envelope(data, _MAGIC, "a tree node", path, most_bytes, deadline)
    height = body.byte()
    files = read_data_files(body, place.file.base, most_bytes)
    count = body.number()
    if not count:
        raise body.wrong("a node without any entry")
    prefixes = body.numbers(count - 1)
    suffixes = body.numbers(count)
    common = body.numbers(count) if height else []
    keys = body.texts(prefixes, suffixes, max(0, most_bytes - count * len(prefix)))
    text_bytes = body.text_bytes + count * len(prefix)
    if height:
        children = _children(body, files, keys, common, prefix)
        return Node(height, children=children, text_bytes=text_bytes)
    return Node(0, _values(body, files, keys, prefix), text_bytes=text_bytes)


def _children(
    body: Cursor, files: list[DataFile], keys: list[bytes], common: list[int], prefix: bytes
) -> tuple[Child, ...]:
    count = len(keys)
    places = read_places(body, files, count)
    below = body.numbers(count)
    return tuple(
        Child(place, prefix + key[:shared], number)
        for place, key, shared, number in zip(places, keys, common, below, strict=True)
    )


def _values(
    body: Cursor, files: list[DataFile], keys: list[bytes], prefix: bytes
) -> tuple[Value, ...]:
    count = len(keys)
    lengths = body.numbers(count)
    kinds = body.numbers(count)
    apart = sum(1 for kind in kinds if kind)
    numbers = body.numbers(apart)
    offsets = body.numbers(apart)
    placed = iter(zip(numbers, offsets, strict=True))
    found = []
    for key, length, kind in zip(keys, lengths, kinds, strict=True):
        text = (prefix + key).decode("utf-8", "surrogateescape")
        if kind:
            number, offset = next(placed)
            place = Place(file_of(body, files, number), offset, length)
            found.append(Value(text, length, None, place))
        else:
            found.append(Value(text, length, body.take(length)))
    return tuple(found)

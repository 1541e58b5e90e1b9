"""Attributes of groups and datasets: texts and numbers that Keras and h5py keep there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.datatype import Class, read_datatype, read_shape
from ckpt_tui.artifacts.hdf5.global_heap import heap_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.hdf5.datatype import Datatype
    from ckpt_tui.artifacts.hdf5.view import View

_MOST_TEXTS = 1_000_000
_SHARED = 0x03


class Attribute(NamedTuple):
    """One attribute, its value as it is stored.

    Attributes:
        name: Its name; bytes that are no UTF-8 become surrogates.
        datatype: Of one element; None where it lies elsewhere in the file.
        shape: () for one element; None for none.
        data: Its bytes; of texts of any length only where they are.
    """

    name: str
    datatype: Datatype | None
    shape: tuple[int, ...] | None
    data: bytes


def read_attribute(view: View, data: bytes) -> Attribute:
    """The attribute that a message holds.

    Raises:
        ArtifactError: `unreadable-archive`.
    """
    if len(data) < 8 or data[0] not in (1, 2, 3):
        raise view.wrong("an attribute contradicts itself")
    version, flags = data[:2]
    sizes = [int.from_bytes(data[at : at + 2], "little") for at in (2, 4, 6)]
    at = 9 if version == 3 else 8
    parts = []
    for size in sizes:
        parts.append(data[at : at + size])
        if len(parts[-1]) != size or not size:
            raise view.wrong("an attribute reaches past the end of its message")
        at += (size + 7 & ~7) if version == 1 else size
    name = parts[0].split(b"\0", 1)[0].decode("utf-8", "surrogateescape")
    if version > 1 and flags & _SHARED:
        return Attribute(name, None, None, b"")
    datatype, shape = read_datatype(view, parts[1]), read_shape(view, parts[2])
    count = 0 if shape is None else _count(shape)
    value = data[at : at + count * datatype.size_bytes]
    if len(value) != count * datatype.size_bytes:
        raise view.wrong(f"the attribute {name!r} reaches past the end of its message")
    return Attribute(name, datatype, shape, value)


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for length in shape:
        count *= length
    return count


def attribute_text(view: View, attribute: Attribute) -> str | None:
    """The text of an attribute that holds one; None for all else.

    Raises:
        ArtifactError: `unreadable-archive`: it lies where no text is.
    """
    texts = attribute_texts(view, attribute)
    return texts[0] if len(texts) == 1 else None


def attribute_texts(view: View, attribute: Attribute) -> tuple[str, ...]:
    """The texts of an attribute; none where it holds something else.

    Raises:
        ArtifactError: `unreadable-archive`, `limit-exceeded`.
    """
    datatype, data = attribute.datatype, attribute.data
    if datatype is None or datatype.kind not in (Class.STRING, Class.VARIABLE_STRING):
        return ()
    size = datatype.size_bytes
    parts = [data[at : at + size] for at in range(0, len(data), size)][:_MOST_TEXTS]
    if datatype.kind is Class.VARIABLE_STRING:
        heaps: dict[int, dict[int, bytes]] = {}
        parts = [heap_object(view, part, heaps) for part in parts]
    return tuple(part.split(b"\0", 1)[0].decode("utf-8", "surrogateescape") for part in parts)


def text_of(view: View, attributes: Mapping[str, Attribute], name: str) -> str | None:
    """The text of a named attribute; None where it is absent or holds none.

    Raises:
        ArtifactError: As in `attribute_text`.
    """
    found = attributes.get(name)
    return attribute_text(view, found) if found is not None else None

"""Walks an HDF5 file: all its groups, datasets and attributes, with the places of their bytes."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5 import object_header as header
from ckpt_tui.artifacts.hdf5.attributes import read_attribute, text_of
from ckpt_tui.artifacts.hdf5.chunk_index import read_chunks
from ckpt_tui.artifacts.hdf5.datatype import read_datatype, read_shape
from ckpt_tui.artifacts.hdf5.layout import (
    Placing,
    check_fill_value,
    read_filters,
    read_layout,
)
from ckpt_tui.artifacts.hdf5.links import read_links
from ckpt_tui.artifacts.hdf5.superblock import read_superblock
from ckpt_tui.artifacts.hdf5.view import View
from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.hdf5.attributes import Attribute
    from ckpt_tui.artifacts.hdf5.chunk_index import Chunk
    from ckpt_tui.artifacts.hdf5.datatype import Datatype
    from ckpt_tui.artifacts.hdf5.layout import Filter, Layout
    from ckpt_tui.artifacts.hdf5.object_header import Message
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source

DTYPE_ATTRIBUTE = "dtype"
BFLOAT16_BYTES = 2
_DEEPEST = 100
_MOST_OBJECTS = 1_000_000


class Dataset(NamedTuple):
    """One dataset.

    Attributes:
        path: Names from the root, joined by "/".
        datatype: Of one element.
        shape: () for one element; None for none at all.
        layout: Where its bytes are.
        filters: What they went through, in the writer's order.
        chunks: Its stored chunks.
        attributes: By name.
    """

    path: str
    datatype: Datatype
    shape: tuple[int, ...] | None
    layout: Layout
    filters: tuple[Filter, ...]
    chunks: tuple[Chunk, ...]
    attributes: Mapping[str, Attribute]

    def dtype(self, view: View) -> str:
        """Its type as numpy names it; "" for a class without a name.

        Keras stores bfloat16, which h5py does not know, as plain bytes with an attribute.

        Raises:
            ArtifactError: `unreadable-archive`: the attribute's text is nowhere.
        """
        if self.datatype.size_bytes == BFLOAT16_BYTES and not self.datatype.is_number:
            return text_of(view, self.attributes, DTYPE_ATTRIBUTE) or self.datatype.name
        return self.datatype.name

    @property
    def size_bytes(self) -> int:
        """Bytes of its elements, as they are in memory."""
        return 0 if self.shape is None else math.prod(self.shape) * self.datatype.size_bytes


class Contents(NamedTuple):
    """What a file holds.

    Attributes:
        view: The file, for reading what attributes refer to.
        groups: Path → attributes; "" is the root.
        datasets: By path.
        links: Paths that are soft or external links, which Keras refuses.
        is_open: Whether its writer has not closed it.
    """

    view: View
    groups: Mapping[str, Mapping[str, Attribute]]
    datasets: Mapping[str, Dataset]
    links: frozenset[str]
    is_open: bool


def read_contents(source: Source, limits: Limits) -> Contents:
    """Reads the whole structure of a file; of the data only what lies in headers.

    Checked: the file is as long as its superblock says; every header, tree node, heap and
    checksum; every dataset's bytes lie within the file.

    Raises:
        ArtifactError: `empty-file`, `truncated-file`, `unreadable-archive`, `limit-exceeded`,
            `unsupported-version`.
    """
    block = read_superblock(source)
    view = View(source, block, limits)
    groups: dict[str, Mapping[str, Attribute]] = {}
    datasets: dict[str, Dataset] = {}
    links: set[str] = set()
    pending: list[tuple[str, int, int]] = [("", block.root_address, 0)]
    opened: set[int] = set()
    while pending:
        path, address, depth = pending.pop()
        messages = header.read_messages(view, address)
        if not header.is_group(messages):
            datasets[path] = _dataset(view, path, messages)
            continue
        if address in opened or depth > _DEEPEST or len(opened) > _MOST_OBJECTS:
            raise view.wrong(f"the group {path or '/'!r} leads into itself")
        opened.add(address)
        groups[path] = _readable_attributes(view, messages)
        for link in read_links(view, messages):
            name = f"{path}/{link.name}" if path else link.name
            if link.address is None:
                links.add(name)
            else:
                pending.append((name, link.address, depth + 1))
    return Contents(view, groups, datasets, frozenset(links), block.is_open)


def _dataset(view: View, path: str, messages: tuple[Message, ...]) -> Dataset:
    found = {message.kind: message for message in messages}
    needed = [found.get(kind) for kind in (header.DATATYPE, header.DATASPACE, header.LAYOUT)]
    if any(message is None for message in needed):
        raise view.wrong(f"the object {path!r} is neither a group nor a dataset")
    parts = [message.data for message in needed if message is not None]
    if any(message.flags & header.SHARED for message in needed if message is not None):
        raise view.unsupported(f"the dataset {path!r} with a datatype of another object")
    if header.EXTERNAL_FILES in found:
        raise view.unsupported(f"the dataset {path!r} with its bytes in another file")
    datatype, shape, layout = (
        read_datatype(view, parts[0]),
        read_shape(view, parts[1]),
        read_layout(view, parts[2]),
    )
    if header.FILL_VALUE in found:
        check_fill_value(view, found[header.FILL_VALUE].data)
    filters: tuple[Filter, ...] = ()
    if layout.placing is Placing.CHUNKED and header.FILTERS in found:
        filters = read_filters(view, found[header.FILTERS].data)
    dataset = Dataset(path, datatype, shape, layout, filters, (), _attributes(view, messages))
    return _with_places(view, dataset)


def _with_places(view: View, dataset: Dataset) -> Dataset:
    """The dataset with its chunks, its bytes' places compared with the file's end."""
    layout, needed = dataset.layout, dataset.size_bytes
    if dataset.shape is None:
        return dataset
    if layout.placing is Placing.CHUNKED:
        if len(layout.chunk_shape) != len(dataset.shape):
            raise view.wrong(f"the chunks of {dataset.path!r} have other dimensions than it has")
        chunks = read_chunks(view, layout, dataset.shape, dataset.datatype.size_bytes)
        return dataset._replace(chunks=tuple(chunks))
    # A size of 0 is one that was never filled in; more than is needed is no fault.
    short = layout.size_bytes < needed and (layout.size_bytes or layout.placing is Placing.COMPACT)
    if short or (layout.size_bytes and not needed):
        raise view.wrong(
            f"the dataset {dataset.path!r} needs {needed} bytes, its layout has {layout.size_bytes}"
        )
    if layout.address is not None:
        view.require(layout.address, needed, f"the dataset {dataset.path!r}")
    return dataset


def _readable_attributes(view: View, messages: tuple[Message, ...]) -> dict[str, Attribute]:
    """Those of a group; libhdf5 decodes one only when it is asked for, so damage costs only it."""
    found: dict[str, Attribute] = {}
    for message in messages:
        with suppress(ArtifactError):
            found |= _attributes(view, (message,))
    return found


def _attributes(view: View, messages: tuple[Message, ...]) -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    for message in messages:
        if message.kind == header.ATTRIBUTE and not message.flags & header.SHARED:
            attribute = read_attribute(view, message.data)
            found[attribute.name] = attribute
    return found


class Root(NamedTuple):
    """What lies in the root group.

    Attributes:
        members: Names of its groups and datasets.
        attributes: Names of its attributes.
    """

    members: frozenset[str]
    attributes: frozenset[str]


def read_root(source: Source, limits: Limits) -> Root:
    """Reads only the root group: as much as libhdf5 needs to open a file, and its names.

    Raises:
        ArtifactError: As in `read_contents`.
    """
    block = read_superblock(source)
    view = View(source, block, limits)
    messages = header.read_messages(view, block.root_address)
    names = frozenset(link.name for link in read_links(view, messages))
    return Root(names, frozenset(_readable_attributes(view, messages)))

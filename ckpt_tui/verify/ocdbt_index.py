"""What an OCDBT database says of each of its data files: nodes, values, and whose they are."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.ocdbt import read_database
from ckpt_tui.formats.orbax.arrays import read_arrays
from ckpt_tui.formats.orbax.store import Part, Store
from ckpt_tui.formats.orbax.tree import read_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ckpt_tui.artifacts.ocdbt import BrokenNode, Database
    from ckpt_tui.artifacts.ocdbt_manifest import Place
    from ckpt_tui.artifacts.zarr_metadata import ZarrArray
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.arrays import StoredArray


class Stored(NamedTuple):
    """A value that lies in a data file.

    Attributes:
        key: Under which it is stored.
        tensor: Name of the array that it is a chunk of, or that it describes; "" for none.
        array: The array's description, where the value is a chunk of it; else None.
    """

    key: str
    begin: int
    length: int
    tensor: str
    array: ZarrArray | None


class InFile(NamedTuple):
    """What of one database lies in one of its data files.

    Attributes:
        nodes: Whole nodes; their checksums were compared when they were read.
        broken: Nodes that cannot be read.
        lost: Arrays of the saved tree that no node leads to, where some cannot be read.
        values: In the order of their places.
    """

    nodes: list[Place]
    broken: list[BrokenNode]
    lost: tuple[str, ...]
    values: list[Stored]


class InNode(NamedTuple):
    """A chunk of an array that lies in a tree node, under its checksum."""

    tensor: str
    array: ZarrArray
    data: bytes


class OcdbtIndex(NamedTuple):
    """A database.

    Attributes:
        files: Relative path of a data file → what lies in it.
        inline: Chunks that are so small that they lie in nodes.
    """

    files: dict[str, InFile]
    inline: tuple[InNode, ...]


def ocdbt_index(files: CheckpointFiles, directory: str) -> OcdbtIndex:
    """Reads a database.

    Args:
        files: The checkpoint.
        directory: The database's, with a slash at its end; "" for the checkpoint's own.

    Raises:
        ArtifactError: The manifest cannot be read, or a limit is reached.
    """
    names = [e.path.removeprefix(directory) for e in files.tree.files()]
    database = read_database(lambda name: files.open(directory + name), names, files.limits)
    parts = _parts(directory, database)
    arrays = read_arrays(files, Store(parts)).by_name
    lost = _lost(files, directory, arrays) if database.broken else ()
    found: dict[str, InFile] = {}

    def at(path: str) -> InFile:
        return found.setdefault(directory + path, InFile([], [], lost, []))

    for node in database.nodes:
        at(node.file.path).nodes.append(node)
    for broken in database.broken:
        at(broken.place.file.path).broken.append(broken)
    for path, stored in _values(parts, arrays):
        at(path.removeprefix(directory)).values.append(stored)
    for in_file in found.values():
        in_file.values.sort(key=lambda stored: stored.begin)
    return OcdbtIndex(found, tuple(_inline(arrays)))


def _lost(
    files: CheckpointFiles, directory: str, arrays: Mapping[str, StoredArray]
) -> tuple[str, ...]:
    """The arrays that were saved, by the item's own list, and cannot be reached."""
    with suppress(ArtifactError):
        names = [leaf.name for leaf in read_tree(files, directory).arrays()]
        return tuple(name for name in names if not _is_whole(arrays.get(name)))
    return ()


def _is_whole(array: StoredArray | None) -> bool:
    return array is not None and len(array.chunks) >= array.zarr.chunk_count


def _inline(arrays: Mapping[str, StoredArray]) -> Iterator[InNode]:
    for name, array in arrays.items():
        for part in array.chunks.values():
            if part.inline is not None:
                yield InNode(name, array.zarr, part.inline)


def _parts(directory: str, database: Database) -> dict[str, Part]:
    return {
        value.key: Part(directory, 0, value.length, value.inline)
        if value.place is None
        else Part(directory + value.place.file.path, value.place.offset, value.length)
        for value in database.values
    }


def _values(
    parts: Mapping[str, Part], arrays: Mapping[str, StoredArray]
) -> Iterator[tuple[str, Stored]]:
    chunks = {
        part: (name, array.zarr) for name, array in arrays.items() for part in array.chunks.values()
    }
    for key, part in parts.items():
        if part.inline is None:
            name, array = chunks.get(part, (_described(key), None))
            yield part.path, Stored(key, part.begin, part.length, name, array)


def _described(key: str) -> str:
    """The array that a key's value describes (`params.w/.zarray`)."""
    name, _, last = key.rpartition("/")
    return name if last.startswith((".z", "zarr.json")) else ""

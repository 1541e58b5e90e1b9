"""The arrays of one item: what their zarr metadata says, and whether all chunks are there.

TensorStore refuses an absent chunk since Orbax 0.11 (`fill_missing_data_reads` is off where
`_METADATA` says `store_array_data_equal_to_fill_value`). Before, it read zeros without a word, but
wrote all chunks where the description has no fill value, as that of version 2 of zarr has none.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError, Deadline
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.artifacts.zarr_chunks import check_chunk, scalar_of
from ckpt_tui.artifacts.zarr_metadata import NAMES, ZarrArray, parse_array
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.orbax.names import TREE_METADATA
from ckpt_tui.formats.orbax.store import open_part
from ckpt_tui.formats.shared.problems import (
    MOST_ALIKE,
    capped,
    finding_of_error,
    missing_file,
    unopened,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.source import FileSource
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.store import Part, Store
    from ckpt_tui.formats.orbax.tree import Tree

_LONGEST_METADATA = 1 << 20
_MOST_CHUNK_FILES = 20_000
"""So many chunk files are opened for a look at their end."""


class StoredArray(NamedTuple):
    """One array.

    Attributes:
        zarr: Its description.
        chunks: Index of a chunk in the grid → where it lies.
    """

    zarr: ZarrArray
    chunks: dict[tuple[int, ...], Part]


class Arrays(NamedTuple):
    """All arrays of an item.

    Attributes:
        by_name: Name → array, of those whose description could be read.
        findings: What is wrong with descriptions.
    """

    by_name: dict[str, StoredArray]
    findings: tuple[Finding, ...] = ()

    def scalar(self, files: CheckpointFiles, name: str) -> int | float | None:
        """The number that an array of one element holds; None where it cannot be told."""
        array = self.by_name.get(name)
        part = next(iter(array.chunks.values()), None) if array is not None else None
        if array is None or part is None:
            return None
        try:
            source = open_part(files, part)
        except ArtifactError:
            return None
        try:
            return scalar_of(source, array.zarr)
        except ArtifactError:
            return None
        finally:
            source.close()


def read_arrays(files: CheckpointFiles, store: Store) -> Arrays:
    """Reads the descriptions of all arrays and sorts the chunks by array.

    Raises:
        ArtifactError: ``limit-exceeded``: it takes too long. Descriptions in files of their own
            are bounded one by one, each by its size.
    """
    deadline = Deadline(files.limits)
    found: dict[str, StoredArray] = {}
    findings: list[Finding] = []
    seen: dict[bytes, ZarrArray] = {}
    for key, part in store.parts.items():
        directory, _, name = key.rpartition("/")
        if name not in NAMES or directory in found:
            continue
        if not store.in_files:
            deadline.check()
        try:
            data = _bytes_of(files, part)
            if data not in seen:  # most arrays of a tree are described alike
                seen[data] = parse_array(data, files.limits, part.path)
            found[directory] = StoredArray(seen[data], {})
        except ArtifactError as error:
            findings.append(finding_of_error(error, part.path))
    for key, part in store.parts.items():
        _sort_in(found, key, part)
    return Arrays(found, tuple(capped(findings)))


def _bytes_of(files: CheckpointFiles, part: Part) -> bytes:
    if part.length > _LONGEST_METADATA:
        message = f"the description of an array has {part.length} bytes"
        raise ArtifactError("limit-exceeded", message, part.path)
    source = open_part(files, part)
    try:
        return read_exactly(source, 0, part.length, "the description of an array")
    finally:
        source.close()


def _sort_in(found: dict[str, StoredArray], key: str, part: Part) -> None:
    """Gives a chunk to its array: that of the longest name that its key begins with."""
    end = len(key)
    while end > 0:
        end = max(key.rfind("/", 0, end), 0)
        array = found.get(key[:end])
        if array is not None:
            index = array.zarr.chunk_index(key[end:].removeprefix("/"))
            if index is not None:
                array.chunks[index] = part
            return


def lacking(
    files: CheckpointFiles, directory: str, store: Store, arrays: Arrays, tree: Tree
) -> list[Finding]:
    """Arrays and chunks that the tree demands and that are not there, or not whole.

    Args:
        files: The checkpoint.
        directory: The item's, with a slash at its end; "" where the step is the item.
        store: Its keys.
        arrays: Its arrays.
        tree: Its tree.
    """
    if not store.whole:  # told already, and what is out of reach is not absent
        return []
    told = {finding.path for finding in arrays.findings}
    absent = []
    for leaf in tree.arrays():
        array = arrays.by_name.get(leaf.name)
        if array is None:
            path = f"{directory}{leaf.name}"
            if not any(f"{path}/{name}" in told for name in NAMES):
                absent.append(_no_array(files, path, store))
        elif not (tree.omits_fill and array.zarr.fills):
            absent += islice(_absent_chunks(f"{directory}{leaf.name}", array), MOST_ALIKE + 1)
        if len(absent) > MOST_ALIKE:
            break
    return capped(absent)


def _no_array(files: CheckpointFiles, path: str, store: Store) -> Finding:
    wanted_by = f"`{TREE_METADATA}` lists this array"
    if not store.in_files:
        return missing_file(path, f"{wanted_by}, and the database has no such key")
    for name in NAMES:
        entry = files.tree.get(f"{path}/{name}")
        if entry is not None and entry.kind is not Kind.FILE:
            return unopened(entry, wanted_by)
    return missing_file(path, f"{wanted_by}, and nothing there describes it")


def _absent_chunks(path: str, array: StoredArray) -> Iterator[Finding]:
    zarr = array.zarr
    if len(array.chunks) >= zarr.chunk_count:
        return
    why = f"{len(array.chunks)} of {zarr.chunk_count} chunks of the array are there"
    looked_at = islice(zarr.chunk_indices(), len(array.chunks) + MOST_ALIKE + 1)
    for index in looked_at:
        if index not in array.chunks:
            yield missing_file(f"{path}/{zarr.chunk_key(index)}", why)


class ChunkFiles(NamedTuple):
    """What a look at the ends of chunk files found.

    Attributes:
        findings: Files that are not whole.
        unread: Files that were beyond the bound.
    """

    findings: tuple[Finding, ...] = ()
    unread: int = 0


def check_chunk_files(files: CheckpointFiles, arrays: Arrays) -> ChunkFiles:
    """Looks whether chunks that are files of their own are whole, by their own headers."""
    deadline = Deadline(files.limits)
    findings: list[Finding] = []
    opened = unread = 0
    for array in arrays.by_name.values():
        for part in array.chunks.values():
            opened += 1
            if opened > _MOST_CHUNK_FILES or len(findings) > MOST_ALIKE:
                unread += 1
                continue
            try:
                deadline.check()
                source = files.open(part.path)
            except ArtifactError as error:
                if error.code == "limit-exceeded":
                    return ChunkFiles(tuple(capped(findings)), _count(arrays) - opened)
                findings.append(finding_of_error(error, part.path))
                continue
            with source:
                findings += _problem_of(source, part, array.zarr)
    return ChunkFiles(tuple(capped(findings)), unread)


def _problem_of(source: FileSource, part: Part, zarr: ZarrArray) -> list[Finding]:
    try:
        check_chunk(source, zarr)
    except ArtifactError as error:
        return [finding_of_error(error, part.path)]
    return []


def _count(arrays: Arrays) -> int:
    return sum(len(array.chunks) for array in arrays.by_name.values())

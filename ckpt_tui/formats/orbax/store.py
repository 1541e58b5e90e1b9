"""Where the parts of an item's arrays lie: in an OCDBT database, or each in a file of its own.

Both are seen as keys (`params.w/.zarray`, `params.w/0.0`) with the place of what is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.memory_source import MemorySource
from ckpt_tui.artifacts.ocdbt import Database, read_database
from ckpt_tui.artifacts.ocdbt_manifest import MANIFEST
from ckpt_tui.artifacts.source import WindowSource
from ckpt_tui.core.files import Kind
from ckpt_tui.core.text import plural
from ckpt_tui.formats.shared.problems import (
    capped,
    finding_of_error,
    missing_file,
    outside_path,
    short_file,
    unopened,
)

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import FileSource, Source
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


class Part(NamedTuple):
    """What is stored under one key.

    Attributes:
        path: File that holds it, relative to the checkpoint.
        begin: Its first byte there; 0 for what lies in a tree node.
        length: Its bytes.
        inline: The bytes, where they came with the node that names them.
    """

    path: str
    begin: int
    length: int
    inline: bytes | None = None


class Store(NamedTuple):
    """The keys of one item.

    Attributes:
        parts: Key → where it lies.
        findings: What is wrong with the database and with the files that it names.
        whole: False where keys may be out of reach.
        in_files: True where each part is a file of its own.
    """

    parts: dict[str, Part]
    findings: tuple[Finding, ...] = ()
    whole: bool = True
    in_files: bool = False


def open_part(files: CheckpointFiles, part: Part) -> Source:
    """Opens what is stored under a key; the caller closes it.

    Raises:
        ArtifactError: It cannot be opened.
    """
    if part.inline is not None:
        return MemorySource(part.inline, part.path)
    return _PartSource(files.open(part.path), part)


class _PartSource(WindowSource):
    """A window of a file that is closed with it."""

    def __init__(self, file: FileSource, part: Part) -> None:
        try:
            super().__init__(file, part.begin, part.length)
        except BaseException:
            file.close()
            raise
        self._file = file

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def files_store(files: CheckpointFiles, directory: str) -> Store:
    """The files below an item's directory, each under its path there as a key.

    Args:
        files: The checkpoint.
        directory: The item's, with a slash at its end; "" where the step is the item.
    """
    parts = {
        entry.path.removeprefix(directory): Part(entry.path, 0, entry.size_bytes)
        for entry in files.tree.entries
        if entry.path.startswith(directory) and entry.kind in (Kind.FILE, Kind.LINK)
    }
    return Store(parts, in_files=True)


def database_store(files: CheckpointFiles, directory: str) -> Store:
    """The keys of an item's database; no file of values is opened."""
    path = directory + MANIFEST
    entry = files.tree.get(path)
    if entry is None:
        why = "it says what the arrays are and where they lie"
        return Store({}, (missing_file(path, why),), whole=False)
    if entry.kind is not Kind.FILE:
        return Store({}, (unopened(entry, "the arrays' database begins with it"),), whole=False)
    names = [e.path.removeprefix(directory) for e in files.tree.files()]
    try:
        database = read_database(lambda name: files.open(directory + name), names, files.limits)
    except ArtifactError as error:
        return Store({}, (finding_of_error(error, path),), whole=False)
    parts = {
        value.key: Part(path, 0, value.length, value.inline)
        if value.place is None
        else Part(directory + value.place.file.path, value.place.offset, value.length)
        for value in database.values
    }
    findings = [*_broken_nodes(files, directory, database)]
    findings += _lacking_files(files, directory, database)
    return Store(parts, tuple(findings), whole=not database.broken)


def _broken_nodes(files: CheckpointFiles, directory: str, database: Database) -> list[Finding]:
    found = []
    for node in database.broken:
        path = directory + node.place.file.path
        told = _lacking(files, path, node.place.end, plural(node.keys, "key"))
        found.append(told or finding_of_error(node.error, path))
    return capped(found)


def _lacking_files(files: CheckpointFiles, directory: str, database: Database) -> list[Finding]:
    """Files of values that are absent or too short; values in tree nodes do not need any."""
    needed: dict[str, int] = {}
    counts: dict[str, int] = {}
    for value in database.blobs():
        if value.place is not None:
            path = directory + value.place.file.path
            needed[path] = max(needed.get(path, 0), value.place.end)
            counts[path] = counts.get(path, 0) + 1
    found = (
        _lacking(files, path, size, plural(counts[path], "value")) for path, size in needed.items()
    )
    return capped([finding for finding in found if finding is not None])


def _lacking(files: CheckpointFiles, path: str, size: int, what: str) -> Finding | None:
    entry, wanted_by = files.tree.get(path), f"{what} of {MANIFEST} lie in it"
    if ".." in path.split("/") or path.startswith("/"):
        return outside_path(path, wanted_by)
    if entry is None:
        return missing_file(path, wanted_by)
    if entry.kind is not Kind.FILE:
        return unopened(entry, wanted_by)
    if entry.size_bytes < size:
        return short_file(path, entry.size_bytes, size, MANIFEST)
    return None

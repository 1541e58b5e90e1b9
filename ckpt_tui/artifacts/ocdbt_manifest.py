"""`manifest.ocdbt`: the file that commits an OCDBT database and says where its tree begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import Deadline, check_metadata_size
from ckpt_tui.artifacts.ocdbt_wire import open_envelope
from ckpt_tui.artifacts.source import read_exactly

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.ocdbt_wire import Cursor
    from ckpt_tui.artifacts.source import Source

MANIFEST = "manifest.ocdbt"
_MAGIC: Final = 0x0CDB3A2A
_UUID_BYTES: Final = 16
_NOWHERE: Final = (1 << 64) - 1
"""Length of the root of a database without any key."""
_MOST_VERSIONS: Final = 1 << 16
_LONGEST_PATH: Final = 4096


class DataFile(NamedTuple):
    """A file as a table of files names it.

    Attributes:
        path: Relative to the directory of the manifest.
        base: The part of `path` that the files named in a node of it begin with, too.
    """

    path: str
    base: str


class Place(NamedTuple):
    """Bytes in a data file.

    Attributes:
        file: Which one.
        offset: First byte.
        length: How many.
    """

    file: DataFile
    offset: int
    length: int

    @property
    def end(self) -> int:
        """The size that the file must have at least."""
        return self.offset + self.length


class Manifest(NamedTuple):
    """What a manifest says.

    Attributes:
        numbered: True where it holds the settings only, and `manifest.` files with a number in
            hexadecimal at the end hold the rest.
        root: Where the root of the newest version lies; None where the database is empty.
        root_height: Levels below the root; 0 for a leaf.
        keys: How many keys there are.
    """

    numbered: bool
    root: Place | None = None
    root_height: int = 0
    keys: int = 0


def read_manifest(source: Source, limits: Limits) -> Manifest:
    """Reads a manifest; every byte of it is under its CRC-32C.

    Raises:
        ArtifactError: It is cut, damaged, or of an unknown version.
    """
    check_metadata_size("the manifest", source.size, limits, source.name)
    data = read_exactly(source, 0, source.size, "the manifest")
    deadline = Deadline(limits, source.name)
    body = open_envelope(data, _MAGIC, "the manifest", source.name, limits.metadata_bytes, deadline)
    body.take(_UUID_BYTES)
    kind = body.numbers(3)[0]  # then the largest sizes: of a value in a node, of a node
    body.byte()  # arity of the tree of versions
    if body.number():
        body.take(4)  # level of zstd
    if kind:
        return Manifest(True)
    files = read_data_files(body, "", limits.metadata_bytes)
    return _newest(body, files, Manifest(False))


def _newest(body: Cursor, files: list[DataFile], manifest: Manifest) -> Manifest:
    count = body.number()
    if count > _MOST_VERSIONS:
        raise body.wrong(f"it lists {count} versions")
    if not count:
        return manifest
    body.numbers(count)  # of the versions themselves, the newest last
    heights = body.take(count)
    places = read_places(body, files, count)
    keys = body.numbers(count)
    place = places[-1]
    root = place if place.length != _NOWHERE else None
    return manifest._replace(root=root, root_height=heights[-1], keys=keys[-1])


def read_places(body: Cursor, files: list[DataFile], count: int) -> list[Place]:
    """The next references: all file numbers, then all offsets, then all lengths."""
    numbers, offsets, lengths = (body.numbers(count) for _ in range(3))
    return [
        Place(file_of(body, files, number), offset, length)
        for number, offset, length in zip(numbers, offsets, lengths, strict=True)
    ]


def file_of(body: Cursor, files: list[DataFile], number: int) -> DataFile:
    """The file of that number in a table.

    Raises:
        ArtifactError: The table has no such number.
    """
    if number >= len(files):
        raise body.wrong(f"it refers to file {number} of {len(files)}")
    return files[number]


def read_data_files(body: Cursor, transitive: str, most_bytes: int) -> list[DataFile]:
    """The next table of data files.

    Args:
        body: At the start of the table.
        transitive: What the paths in it begin with, by the path that led here.
        most_bytes: Bound of all paths together.

    Raises:
        ArtifactError: The table cannot be right.
    """
    count = body.number()
    if not count:
        return []
    prefixes = body.numbers(count - 1)
    suffixes = body.numbers(count)
    bases = body.numbers(count)
    paths = body.texts(prefixes, suffixes, most_bytes)
    longest = len(transitive) + max(map(len, paths))
    if longest > _LONGEST_PATH:
        raise body.wrong(f"a path of {longest} bytes, more than any file system allows")
    body.text_bytes += count * len(transitive)
    files = []
    for path, base in zip(paths, bases, strict=True):
        if base > len(path):
            raise body.wrong("a base path is longer than its path")
        whole = transitive + path.decode("utf-8", "surrogateescape")
        common = transitive + path[:base].decode("utf-8", "surrogateescape")
        files.append(DataFile(whole, common))
    return files

"""OCDBT databases, read as a whole: every key, where its value lies, and what protects it.

A database is a directory with `manifest.ocdbt`, which names the root of a tree. Manifest and
nodes each carry a CRC-32C of all their bytes, which is checked here; values outside the nodes
("blobs") carry none. A file that a reference names may lie in a directory below, and hold nodes
and blobs of several writers. Only the newest version is read: it is the one that readers take.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError, Deadline
from ckpt_tui.artifacts.ocdbt_manifest import MANIFEST, Manifest, Place, read_manifest
from ckpt_tui.artifacts.ocdbt_node import Child, Node, Value, read_node
from ckpt_tui.artifacts.source import read_exactly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import FileSource

_NUMBERED: Final = re.compile(r"manifest\.[0-9a-f]{16}")
_MOST_NODES: Final = 100_000
_MOST_KEYS: Final = 2_000_000


class BrokenNode(NamedTuple):
    """A node that cannot be read: the keys below it are out of reach.

    Attributes:
        place: Where it should lie.
        keys: How many keys are below it; 0 where nobody knows.
        error: What is wrong with it.
    """

    place: Place
    keys: int
    error: ArtifactError


class Database(NamedTuple):
    """What an OCDBT database holds.

    Attributes:
        manifests: Files with a CRC-32C over all their bytes, as they were read.
        nodes: Parts of data files that are under a CRC-32C, as they were read.
        values: All keys that can be reached, in their order, with the places of their blobs.
        broken: Nodes that cannot be read.
    """

    manifests: tuple[str, ...]
    nodes: tuple[Place, ...]
    values: tuple[Value, ...]
    broken: tuple[BrokenNode, ...] = ()

    def blobs(self) -> tuple[Value, ...]:
        """The values that lie outside the nodes, where no checksum covers them."""
        return tuple(value for value in self.values if value.place is not None)

    def inline(self) -> dict[str, bytes]:
        """Key → value, of those that lie in the nodes and so under their checksums."""
        return {v.key: v.inline for v in self.values if v.inline is not None}


def read_database(
    open_file: Callable[[str], FileSource], names: Iterable[str], limits: Limits
) -> Database:
    """Reads the manifest and all nodes of the newest version; no blob is opened.

    Args:
        open_file: Opens a file by its path relative to the database's directory; raises
            ArtifactError for one that is not there.
        names: What lies in that directory itself.
        limits: Bounds of the manifest, of all nodes together, and of the time for all.

    Raises:
        ArtifactError: The manifest cannot be read, or a limit is reached.
    """
    manifests, manifest = _read_manifests(open_file, names, limits)
    if manifest.root is None:
        return Database(manifests, (), ())
    walk = _Walk(open_file, limits)
    walk.down(manifest.root, manifest.keys, manifest.root_height)
    return Database(manifests, tuple(walk.nodes), tuple(walk.values), tuple(walk.broken))


def _read_manifests(
    open_file: Callable[[str], FileSource], names: Iterable[str], limits: Limits
) -> tuple[tuple[str, ...], Manifest]:
    with open_file(MANIFEST) as source:
        manifest = read_manifest(source, limits)
    if not manifest.numbered:
        return (MANIFEST,), manifest
    newest = max((name for name in names if _NUMBERED.fullmatch(name)), default="")
    if not newest:
        message = "it holds the settings only, and no numbered manifest lies beside it"
        raise ArtifactError("missing-shard", message, MANIFEST)
    with open_file(newest) as source:
        return (MANIFEST, newest), read_manifest(source, limits)


class _Walk:
    """The way through the tree: each node is one level lower than the one that refers to it."""

    def __init__(self, open_file: Callable[[str], FileSource], limits: Limits) -> None:
        self._open_file = open_file
        self._limits = limits
        self._deadline = Deadline(limits, MANIFEST)
        self._bytes_left = self._text_bytes_left = limits.metadata_bytes
        self.nodes: list[Place] = []
        self.values: list[Value] = []
        self.broken: list[BrokenNode] = []

    def down(self, root: Place, keys: int, root_height: int) -> None:
        """Reads all nodes, the keys in their order."""
        pending = [(Child(root, b"", keys), root_height)]
        while pending:
            child, height = pending.pop()
            self._deadline.check()
            node = self._node(child, height)
            if node is not None:
                self.values += node.values
                pending += [(below, height - 1) for below in reversed(node.children)]
            self._check_bounds(len(pending))

    def _node(self, child: Child, height: int) -> Node | None:
        place = child.place
        try:
            data = self._bytes_of(place)
            most_bytes = min(self._bytes_left, self._text_bytes_left)
            node = read_node(data, place, child.prefix, most_bytes, place.file.path, self._deadline)
            if node.height != height:
                message = f"a tree node has the height {node.height} instead of {height}"
                raise ArtifactError("unreadable-archive", message, place.file.path)
        except ArtifactError as error:
            if error.code == "limit-exceeded":
                raise
            self.broken.append(BrokenNode(place, child.keys, error))
            return None
        self._text_bytes_left -= node.text_bytes
        self.nodes.append(place)
        return node

    def _bytes_of(self, place: Place) -> bytes:
        if place.length > self._bytes_left:
            raise self._beyond(f"{self._bytes_left} bytes of tree nodes")
        self._bytes_left -= place.length
        with self._open_file(place.file.path) as source:
            return read_exactly(source, place.offset, place.length, "a tree node")

    def _check_bounds(self, pending: int) -> None:
        if len(self.nodes) + len(self.broken) + pending > _MOST_NODES:
            raise self._beyond(f"{_MOST_NODES} tree nodes")
        if len(self.values) > _MOST_KEYS:
            raise self._beyond(f"{_MOST_KEYS} keys")
        if self._text_bytes_left < 0:
            raise self._beyond(f"{self._limits.metadata_bytes} bytes of names")

    def _beyond(self, bound: str) -> ArtifactError:
        return ArtifactError("limit-exceeded", f"it has more than {bound}", MANIFEST)

"""The indexes of a checkpoint that tell what lies where in its other files; each is read once."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.dcp_metadata import read_dcp_metadata
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.ocdbt_manifest import MANIFEST as OCDBT_MANIFEST
from ckpt_tui.artifacts.zarr_metadata import NAMES as ZARR_NAMES
from ckpt_tui.artifacts.zarr_metadata import parse_array
from ckpt_tui.verify.bundle_index import index_of_data, read_spans
from ckpt_tui.verify.chunk import Chunk
from ckpt_tui.verify.ocdbt_index import OcdbtIndex, ocdbt_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.dcp_metadata import DcpItem
    from ckpt_tui.artifacts.zarr_metadata import ZarrArray
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.verify.bundle_index import BundleSpans
    from ckpt_tui.verify.ocdbt_index import InFile, InNode

DCP_INDEX = ".metadata"
_MOST_ZARR_BYTES = 1024 * 1024


def _above(path: str) -> Iterator[str]:
    """The directories that hold a file, the nearest first, each with a slash at its end."""
    end = path.rfind("/")
    while end >= 0:
        yield path[: end + 1]
        end = path.rfind("/", 0, end)
    yield ""


class Indexes:
    """Asked by several threads at once. An index that cannot be read tells nothing here.

    Args:
        files: The checkpoint.
    """

    def __init__(self, files: CheckpointFiles) -> None:
        self._files = files
        self._tree = files.tree
        self._lock = threading.RLock()
        self._items: dict[str, dict[str, list[DcpItem]]] = {}
        self._bundles: dict[str, dict[str, BundleSpans]] = {}
        self._databases: dict[str, OcdbtIndex] = {}
        self._zarrs: dict[str, ZarrArray | None] = {}

    def dcp_items(self, path: str) -> list[DcpItem]:
        """What DCP's `.metadata` beside a file says that it holds; empty without one."""
        directory, name = path[: path.rfind("/") + 1], path.rpartition("/")[2]
        with self._lock:
            if directory not in self._items:
                self._items[directory] = self._read_items(f"{directory}{DCP_INDEX}")
            return self._items[directory].get(name, [])

    def bundle_spans(self, path: str) -> BundleSpans | None:
        """The tensors of a TensorFlow bundle's data file; None where no index tells of it."""
        index = index_of_data(path)
        with self._lock:
            if index not in self._bundles:
                found: dict[str, BundleSpans] = {}
                with suppress(ArtifactError):  # the index has a result of its own
                    found = read_spans(self._files, index) if self._tree.get(index) else {}
                self._bundles[index] = found
            return self._bundles[index].get(path)

    def in_ocdbt(self, path: str) -> list[InFile]:
        """What OCDBT databases above a data file say of it; empty for a file of none."""
        above = [place for place in _above(path) if self._tree.get(f"{place}{OCDBT_MANIFEST}")]
        found = [self._database(directory).files.get(path) for directory in above]
        return [in_file for in_file in found if in_file is not None]

    def ocdbt_inline(self, manifest: str) -> tuple[InNode, ...]:
        """The chunks in the tree nodes of the database whose manifest that is.

        None of a process's own database where all of them were merged above it.
        """
        directory, _, name = manifest.rpartition("/")
        if name != OCDBT_MANIFEST or (directory and self.has_ocdbt_above(directory)):
            return ()
        return self._database(manifest.removesuffix(OCDBT_MANIFEST)).inline

    def _database(self, directory: str) -> OcdbtIndex:
        with self._lock:
            if directory not in self._databases:
                self._databases[directory] = OcdbtIndex({}, ())
                with suppress(ArtifactError):  # the manifest has a result of its own
                    self._databases[directory] = ocdbt_index(self._files, directory)
            return self._databases[directory]

    def has_ocdbt_above(self, path: str) -> bool:
        """Whether an OCDBT database begins in a directory above a file."""
        return any(self._tree.get(f"{place}{OCDBT_MANIFEST}") for place in _above(path))

    def zarr_chunk(self, path: str, size_bytes: int) -> Chunk | None:
        """The zarr array that a file is a stored chunk of; None for a file that is none."""
        with self._lock:
            for directory in _above(path):
                array = self._zarr(directory)
                if array is not None:
                    is_chunk = array.chunk_index(path.removeprefix(directory)) is not None
                    name = directory.rstrip("/").rpartition("/")[2]
                    return Chunk(array, name, 0, size_bytes) if is_chunk else None
        return None

    def _zarr(self, directory: str) -> ZarrArray | None:
        if directory not in self._zarrs:
            self._zarrs[directory] = None
            for name in ZARR_NAMES:
                if self._tree.get(directory + name) is not None:
                    with suppress(ArtifactError), self._files.open(directory + name) as source:
                        data = source.read_at(0, _MOST_ZARR_BYTES)
                        self._zarrs[directory] = parse_array(data, self._files.limits, source.name)
        return self._zarrs[directory]

    def _read_items(self, index: str) -> dict[str, list[DcpItem]]:
        found: dict[str, list[DcpItem]] = {}
        if self._tree.get(index) is None:
            return found
        try:
            with self._files.open(index) as source:
                storage = read_dcp_metadata(source, self._files.limits).storage
        except ArtifactError:  # its own result says so
            return found
        for item in storage:
            found.setdefault(item.relative_path, []).append(item)
        return found

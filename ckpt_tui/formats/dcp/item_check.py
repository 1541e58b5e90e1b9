"""Reads stored items of a torch DCP checkpoint, as many as the bounds allow."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import WindowSource
from ckpt_tui.artifacts.torch_archive import TensorInfo, read_torch_archive
from ckpt_tui.formats.shared.problems import finding_of_error

if TYPE_CHECKING:
    from ckpt_tui.artifacts.dcp_metadata import DcpEntry, DcpItem, DcpMetadata
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

MOST_ITEMS_READ = 500
SECONDS_FOR_ITEMS = 0.5


class ItemsRead(NamedTuple):
    """What reading items showed.

    Attributes:
        items: Number of items that were read and are right.
        bad: By path, what is wrong with the first bad item of a file.
    """

    items: int
    bad: dict[str, Finding]


class _Elements(NamedTuple):
    """Elements and pieces of one tensor that were read so far."""

    elements: int = 0
    pieces: int = 0


def read_items(
    files: CheckpointFiles, metadata: DcpMetadata, wanted: dict[str, list[DcpItem]]
) -> ItemsRead:
    """Reads the last item of each file and as many others as the bounds allow.

    Args:
        files: The checkpoint.
        metadata: Its metadata.
        wanted: By path, the items of each file that is long enough, in order of their offsets.
    """
    check = _Check(files, metadata, max(1, MOST_ITEMS_READ // max(1, len(wanted))))
    for path, items in wanted.items():
        if check.is_over():
            break
        try:
            with files.open(path) as source:
                check.read_some(source, items)
        except ArtifactError as error:
            check.bad[path] = finding_of_error(error, path)
    if not check.bad:
        check.bad.update(check.uneven())
    return ItemsRead(check.count, check.bad)


class _Check:
    def __init__(self, files: CheckpointFiles, metadata: DcpMetadata, most_per_file: int) -> None:
        self.count = 0
        self.bad: dict[str, Finding] = {}
        self._limits = files.limits
        self._entries = {entry.key: entry for entry in metadata.entries}
        self._most_per_file = most_per_file
        self._end = time.monotonic() + SECONDS_FOR_ITEMS
        self._read: dict[str, _Elements] = {}
        self._paths: dict[str, str] = {}

    def is_over(self) -> bool:
        return time.monotonic() > self._end

    def read_some(self, source: Source, items: list[DcpItem]) -> None:
        step = max(1, len(items) // self._most_per_file)
        for item in (items[-1], *items[:-1:step]):
            if item.transformed or self.is_over():
                continue
            try:
                self._read_one(source, item)
            except ArtifactError as error:
                placed = f"item `{item.key}` at offset {item.offset}: {error.message}"
                raise ArtifactError(error.code, placed, error.path) from error
            self.count += 1

    def _read_one(self, source: Source, item: DcpItem) -> None:
        archive = read_torch_archive(WindowSource(source, item.offset, item.length), self._limits)
        entry = self._entries.get(item.key)
        if entry is None or entry.kind != "tensor":
            return
        if not isinstance(archive.value, TensorInfo):
            raise ArtifactError("unreadable-archive", "it holds no tensor", source.name)
        self._check_place(entry, item, archive.value.shape, source.name)
        known = self._read.get(item.key, _Elements())
        elements = known.elements + math.prod(archive.value.shape)
        self._read[item.key] = _Elements(elements, known.pieces + 1)
        self._paths[item.key] = item.relative_path

    @staticmethod
    def _check_place(entry: DcpEntry, item: DcpItem, shape: tuple[int, ...], path: str) -> None:
        whole, offset = entry.shape or (), item.offset_index or (0,) * len(shape)
        fits = len(shape) == len(whole) == len(offset) and all(
            at + length <= most for at, length, most in zip(offset, shape, whole, strict=True)
        )
        if not fits:
            raise ArtifactError(
                "unreadable-archive",
                f"its shape {shape} at {offset} does not fit the whole shape {whole}",
                path,
            )

    def uneven(self) -> dict[str, Finding]:
        """Tensors whose pieces were all read, and do not add up to the whole."""
        found: dict[str, Finding] = {}
        for key, read in self._read.items():
            entry = self._entries[key]
            whole = math.prod(entry.shape or ())
            if read.pieces == entry.chunks and read.elements != whole:
                message = f"the pieces of `{key}` have {read.elements} of {whole} elements"
                error = ArtifactError("size-mismatch", message)
                found[self._paths[key]] = finding_of_error(error, self._paths[key])
        return found

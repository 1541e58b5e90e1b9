"""The data files that an index names, against those that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.bundle_checksums import crc32c_of_entry
from ckpt_tui.artifacts.limits import MIB, ArtifactError, Deadline
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING, data_file_name
from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.shared.problems import (
    capped,
    extra_shard,
    finding_of_error,
    missing_file,
    short_file,
    unopened,
)
from ckpt_tui.formats.tensorflow.names import data_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.artifacts.tensor_bundle import Bundle, BundleEntry
    from ckpt_tui.formats.base import CheckpointFiles

_MOST_FILES = 512
_MOST_OF_ANY_BYTES = 8 * 1024
_MOST_OF_YOUNG_BYTES = 32 * MIB


class Stored(NamedTuple):
    """An index with what is there of its data.

    Attributes:
        files: The checkpoint.
        prefix: Relative path that its files' names begin with.
        bundle: Its index.
    """

    files: CheckpointFiles
    prefix: str
    bundle: Bundle

    @property
    def index_path(self) -> str:
        """Relative path of the index."""
        return self.prefix + INDEX_ENDING

    def path_of(self, entry: BundleEntry) -> str:
        """Relative path of the data file that holds an entry."""
        return data_file_name(self.prefix, entry.shard, self.bundle.shards)

    def entries_by_path(self) -> dict[str, list[BundleEntry]]:
        """Relative path of a data file → the entries whose bytes are to lie in it."""
        found: dict[str, list[BundleEntry]] = {}
        for entry in self.bundle.entries:
            if not entry.slices:
                found.setdefault(self.path_of(entry), []).append(entry)
        return found


def check_stored(stored: Stored) -> list[Finding]:
    """What is wrong with the data files by their names and sizes."""
    wanted = stored.entries_by_path()
    found = [f for path, entries in wanted.items() for f in _compare(stored, path, entries)]
    return [*capped(found), *_missing_slices(stored), *_not_named(stored, wanted)]


def _compare(stored: Stored, path: str, entries: list[BundleEntry]) -> list[Finding]:
    by = f"`{stored.index_path}` places {len(entries)} tensors in it"
    there = stored.files.tree.get(path)
    if there is None:
        return [missing_file(path, by)]
    if there.kind is not Kind.FILE:
        return [unopened(there, by)]
    end = max(entry.offset + entry.size_bytes for entry in entries)
    if there.size_bytes < end:
        return [short_file(path, there.size_bytes, end, f"`{stored.index_path}`")]
    return []


def _missing_slices(stored: Stored) -> list[Finding]:
    """Tensors that several writers share, of which some parts have no entry."""
    parts: dict[str, int] = {}
    for entry in stored.bundle.entries:
        if entry.is_slice:
            parts[entry.key] = parts.get(entry.key, 0) + entry.elements
    cut = [e for e in stored.bundle.entries if e.slices and parts.get(e.key, 0) < e.elements]
    return capped([_cut(stored, entry, parts.get(entry.key, 0)) for entry in cut])


def _cut(stored: Stored, entry: BundleEntry, elements: int) -> Finding:
    why = f"its entries hold {elements} of {entry.elements} elements of `{entry.key}`"
    return missing_file(stored.index_path, why)


def _not_named(stored: Stored, wanted: Iterable[str]) -> list[Finding]:
    """Data files of an earlier save that had another number of them."""
    extra = [
        entry.path
        for entry in stored.files.tree.files()
        if data_name(entry.path) is not None and entry.path not in wanted
    ]
    return [extra_shard(extra, f"`{stored.index_path}`")] if extra else []


def data_of_another_save(stored: Stored) -> list[Finding]:
    """Whether the data files are those that the index describes, by the smallest tensors in each.

    A save over an existing prefix puts its data in place first and its index after that; so where
    data is younger than the index, far more of it is compared.
    """
    tree = stored.files.tree
    index = tree.get(stored.index_path)
    found: list[Finding] = []
    for path, entries in list(stored.entries_by_path().items())[:_MOST_FILES]:
        there = tree.get(path)
        young = index is not None and there is not None and there.mtime_ns > index.mtime_ns
        most = _MOST_OF_YOUNG_BYTES if young else _MOST_OF_ANY_BYTES
        hint = "the data is younger than the index" if young else ""
        found += _differing(stored, path, entries, most, hint)
    return capped(found)


def _differing(
    stored: Stored, path: str, entries: list[BundleEntry], most_bytes: int, hint: str
) -> list[Finding]:
    """The first entry of a data file whose bytes have another checksum; the small ones first."""
    left = most_bytes
    try:
        with stored.files.open(path) as source:
            deadline = Deadline(stored.files.limits, path)
            for entry in sorted(entries, key=lambda entry: entry.size_bytes):
                left -= entry.size_bytes
                if left < 0:
                    break
                deadline.check()
                found = crc32c_of_entry(source, entry, big_endian=stored.bundle.big_endian)
                if found != entry.crc32c:
                    return [differs(path, entry.key, hint)]
    except ArtifactError as error:
        if error.code != "limit-exceeded":
            return [finding_of_error(error, path)]
    return []


def differs(path: str, key: str, hint: str = "") -> Finding:
    """The bytes of a tensor are not those that its checksum in the index was made of."""
    what = f"{path}: the bytes of `{key}` have another CRC-32C than the index says"
    return Finding(
        "checksum-mismatch",
        Severity.ERROR,
        path,
        f"{what} ({hint})" if hint else what,
        "Resume from another checkpoint, or copy the file back from where it was whole.",
        Effect.CORRUPT,
    )

"""The files that a snapshot's manifest names, against those that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.shared.archive_roles import read_archive_content
from ckpt_tui.formats.shared.problems import (
    capped,
    extra_shard,
    missing_file,
    outside_path,
    refused_pickle,
    short_file,
    unopened,
)
from ckpt_tui.formats.shared.shards import shard_problem
from ckpt_tui.formats.shared.state_file import refused
from ckpt_tui.formats.torchsnapshot.manifest import METADATA, SHARED_DIRECTORIES

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.torchsnapshot.manifest import Entry, Extent, Snapshot

_MOST_OBJECTS = 1024
_ARCHIVE = "torch_save"


class Stored(NamedTuple):
    """What is there of what the manifest names.

    Attributes:
        findings: What is not as it should be.
        objects: Location → the inert value of the archive there.
        ranks: Location → the rank that wrote it, where an entry of one rank alone says so.
        unread: Archives that were beyond the bound, so that only their sizes were looked at.
    """

    findings: tuple[Finding, ...]
    objects: dict[str, object]
    ranks: dict[str, int]
    unread: int = 0

    def problem(self, location: str) -> str:
        """What is wrong with a file, in the words of `ShardFacts`; "" where it is fine."""
        wrong = (f for f in self.findings if f.path == location and f.effect is not Effect.NONE)
        first = next(wrong, None)
        return shard_problem(first) if first is not None else ""


def check_stored(files: CheckpointFiles, snapshot: Snapshot) -> Stored:
    """Compares sizes with byte ranges, and reads the archives of single objects.

    Restoring reads those with `torch.load` as it is (`torchsnapshot/io_preparers/object.py`).
    """
    named: dict[str, list[Extent]] = {}
    archives: dict[str, None] = {}
    ranks: dict[str, int] = {}
    for rank, entries in snapshot.ranks.items():
        for entry in entries.values():
            for extent in entry.extents:
                named.setdefault(extent.location, []).append(extent)
                if not entry.replicated:
                    ranks[extent.location] = rank
            archives.update(dict.fromkeys(_archives(entry)))
    findings = [f for place, all_of in named.items() for f in _compare(files, place, all_of)]
    told = {finding.path for finding in findings}
    objects: dict[str, object] = {}
    readable = [place for place in archives if place not in told]
    for place in readable[:_MOST_OBJECTS]:
        content, found = read_archive_content(files, place)
        findings += [refused(finding) for finding in found]
        if content is not None:
            if not found:
                findings += refused_pickle(content.globals, place, recent=content.recent)
            objects[place] = content.value
    findings = [*capped(findings), *_not_named(files, named)]
    return Stored(tuple(findings), objects, ranks, len(readable[_MOST_OBJECTS:]))


def _archives(entry: Entry) -> list[str]:
    if entry.serializer != _ARCHIVE:
        return []
    return [extent.location for extent in entry.extents if extent.span is None]


def _compare(files: CheckpointFiles, location: str, extents: list[Extent]) -> list[Finding]:
    wanted_by = f"{METADATA} places {len(extents)} items in it"
    parts = location.split("/")
    if any(e.elsewhere for e in extents) or ".." in parts or location.startswith("/"):
        return [outside_path(location, wanted_by)]
    entry = files.tree.get(location)
    if entry is None:
        return [missing_file(location, wanted_by)]
    if entry.kind is not Kind.FILE:
        return [unopened(entry, wanted_by)]
    end = max((e.span[1] if e.span else e.size_bytes or 0) for e in extents)
    if entry.size_bytes < end:
        return [short_file(location, entry.size_bytes, end, METADATA)]
    wrong = next((e for e in extents if not _fits(e, entry.size_bytes)), None)
    return [_wrong_size(wrong, entry.size_bytes)] if wrong is not None else []


def _fits(extent: Extent, file_bytes: int) -> bool:
    """Raw bytes have to be exactly as many as dtype and shape need."""
    length = extent.span[1] - extent.span[0] if extent.span is not None else file_bytes
    return extent.size_bytes is None or extent.size_bytes == length


def _wrong_size(extent: Extent, file_bytes: int) -> Finding:
    span = extent.span
    what = f"bytes {span[0]} to {span[1]} of it" if span else f"all of its {file_bytes} bytes"
    return Finding(
        "size-mismatch",
        Severity.ERROR,
        extent.location,
        f"{extent.location}: {METADATA} gives {what} to a tensor of {extent.size_bytes} bytes",
        "Resume from another checkpoint, or copy the file back from where it was whole.",
        Effect.CORRUPT,
    )


def _not_named(files: CheckpointFiles, named: dict[str, list[Extent]]) -> list[Finding]:
    there = [entry.path for entry in files.tree.files()]
    extra = [path for path in there if path not in named and _is_data(path)]
    return [extra_shard(extra, f"`{METADATA}`")] if extra else []


def _is_data(path: str) -> bool:
    """Whether it lies where data does; what a job or a desktop puts beside that is its own."""
    directory, _, rest = path.partition("/")
    hidden = rest.rpartition("/")[2].startswith(".")
    return (directory in SHARED_DIRECTORIES or directory.isdecimal()) and bool(rest) and not hidden

"""A torch DCP save without `.metadata`: what names and end marks say of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_archive import has_zip_end
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import ranks_text
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.formats.dcp.files import (
    DataFiles,
    data_entries,
    data_file_facts,
    rank_of_data_file,
)
from ckpt_tui.formats.dcp.item_check import SECONDS_FOR_ITEMS
from ckpt_tui.formats.shared.bounds import MOST_RANKS, bounded_world_size
from ckpt_tui.formats.shared.problems import capped, finding_of_error, truncated_file
from ckpt_tui.formats.shared.shards import shard_of

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.base import CheckpointFiles


def look_without_metadata(files: CheckpointFiles) -> DataFiles:
    """What file names and end marks say of a save whose `.metadata` is not there (yet)."""
    findings: list[Finding] = []
    by_rank: dict[int, list[FileEntry]] = {}
    cut: set[str] = set()
    end = time.monotonic() + SECONDS_FOR_ITEMS
    for entry in data_entries(files):
        by_rank.setdefault(rank_of_data_file(entry.path) or 0, []).append(entry)
        if entry.size_bytes and time.monotonic() < end and not _ends_whole(files, entry, findings):
            cut.add(entry.path)
    highest = max(by_rank) + 1 if by_rank else None
    world_size, absurd = bounded_world_size(highest, "the names of the data files")
    shards = tuple(
        shard_of(rank, entries, _waiting(entries, cut))
        for rank, entries in by_rank.items()
        if rank < MOST_RANKS
    )
    return DataFiles(
        findings=(*capped(findings), *absurd, *_node_local(by_rank)),
        shards=shards,
        expected_ranks=tuple(range(world_size)) if world_size is not None else None,
        files=tuple(data_file_facts(entry) for entry in data_entries(files)),
    )


def _ends_whole(files: CheckpointFiles, entry: FileEntry, findings: list[Finding]) -> bool:
    try:
        with files.open(entry.path) as source:
            if has_zip_end(source):
                return True
    except ArtifactError as error:
        findings.append(finding_of_error(error, entry.path))
        return False
    findings.append(
        truncated_file(entry.path, f"ends after {entry.size_bytes} bytes without a zip end record")
    )
    return False


def _waiting(entries: list[FileEntry], cut: set[str]) -> str:
    if any(entry.path in cut for entry in entries):
        return "short"
    return "waiting" if any(entry.size_bytes for entry in entries) else "empty"


def _node_local(by_rank: dict[int, list[FileEntry]]) -> tuple[Finding, ...]:
    """Ranks that begin above 0 are those of one node, written to its own disk."""
    ranks = sorted(by_rank)
    if not ranks or ranks[0] == 0:
        return ()
    return (
        Finding(
            "node-local-part",
            Severity.WARNING,
            "",
            f"only {ranks_text(ranks)} wrote here: a part that one node keeps on its own disk",
            "Gather the files of all nodes in one directory; then it may be whole.",
        ),
    )

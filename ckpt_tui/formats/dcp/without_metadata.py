"""A torch DCP save without `.metadata`: what names and end marks say of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.formats.dcp.files import (
    DataFiles,
    data_entries,
    data_file_facts,
    rank_of_data_file,
)
from ckpt_tui.formats.dcp.item_check import SECONDS_FOR_ITEMS
from ckpt_tui.formats.shared.bounds import MOST_RANKS, bounded_world_size
from ckpt_tui.formats.shared.end_mark import look_at_end
from ckpt_tui.formats.shared.node_local import node_local_part
from ckpt_tui.formats.shared.problems import capped
from ckpt_tui.formats.shared.shards import shard_of

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


def look_without_metadata(files: CheckpointFiles) -> DataFiles:
    """What file names and end marks say of a save whose `.metadata` is not there (yet)."""
    findings: list[Finding] = []
    by_rank: dict[int, list[FileEntry]] = {}
    cut: set[str] = set()
    end = time.monotonic() + SECONDS_FOR_ITEMS
    for entry in data_entries(files):
        by_rank.setdefault(rank_of_data_file(entry.path) or 0, []).append(entry)
        if not entry.size_bytes or time.monotonic() >= end:
            continue
        found = look_at_end(files, entry)
        if found is not None:
            findings.append(found)
            cut.add(entry.path)
    highest = max(by_rank) + 1 if by_rank else None
    world_size, absurd = bounded_world_size(highest, "the names of the data files")
    shards = tuple(
        shard_of(rank, entries, _waiting(entries, cut))
        for rank, entries in by_rank.items()
        if rank < MOST_RANKS
    )
    return DataFiles(
        findings=(*capped(findings), *absurd, *node_local_part(by_rank, "files", proven=False)),
        shards=shards,
        expected_ranks=tuple(range(world_size)) if world_size is not None else None,
        files=tuple(data_file_facts(entry) for entry in data_entries(files)),
    )


def _waiting(entries: list[FileEntry], cut: set[str]) -> str:
    if any(entry.path in cut for entry in entries):
        return "short"
    return "waiting" if any(entry.size_bytes for entry in entries) else "empty"

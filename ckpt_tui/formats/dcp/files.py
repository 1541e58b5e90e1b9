"""The data files of a torch DCP directory, compared with what its `.metadata` says.

Only `storage_data` tells where a stored item ends: a `.distcp` file is many torch archives in a
row, and still looks like one when its tail is missing.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import FileFacts, ShardFacts
from ckpt_tui.core.files import FileEntry, Kind
from ckpt_tui.core.text import duration_text, plural
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.dcp.item_check import read_items
from ckpt_tui.formats.shared.bounds import MOST_RANKS, bounded_world_size
from ckpt_tui.formats.shared.problems import (
    capped,
    extra_shard,
    missing_file,
    outside_path,
    short_file,
    unopened,
)
from ckpt_tui.formats.shared.shards import shard_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.artifacts.dcp_metadata import DcpItem, DcpMetadata
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

METADATA = ".metadata"
METADATA_TMP = ".metadata.tmp"
INDEX_NOTE = "names every stored item"

_CLEARLY_EARLIER_NS = 5_000_000_000

_RANK_FILE = re.compile(r"__(\d{1,9})_\d{1,9}\.distcp")


class DataFiles(NamedTuple):
    """What is known of the data files.

    Attributes:
        findings: Missing, short, unreadable and foreign files.
        shards: One per rank.
        expected_ranks: Ranks that must have files.
        world_size: At least so many writers; None without `.metadata`.
        files: All data files.
        rewritten: Data does not fit `.metadata` and is younger: a save over it goes on or died.
        items_read: Stored items whose archive was read; `items` is their number in all.
    """

    findings: tuple[Finding, ...] = ()
    shards: tuple[ShardFacts, ...] = ()
    expected_ranks: tuple[int, ...] | None = None
    world_size: int | None = None
    files: tuple[FileFacts, ...] = ()
    rewritten: bool = False
    items_read: int = 0
    items: int = 0


def rank_of_data_file(path: str) -> int | None:
    """The writer of `__R_I.distcp`, or None for any other name."""
    found = _RANK_FILE.fullmatch(path.rpartition("/")[2])
    return int(found.group(1)) if found else None


def holds_dcp(names: Iterable[str]) -> bool:
    """Whether names in a directory are those of DCP."""
    return any(
        name in (METADATA, METADATA_TMP) or rank_of_data_file(name) is not None for name in names
    )


def data_entries(files: CheckpointFiles) -> list[FileEntry]:
    """The `__R_I.distcp` files of the directory itself, in order of rank."""
    ranked = [
        (rank, entry)
        for entry in files.tree.files()
        if "/" not in entry.path and (rank := rank_of_data_file(entry.path)) is not None
    ]
    return [entry for _, entry in sorted(ranked, key=lambda pair: (pair[0], pair[1].path))]


def files_of_save(files: CheckpointFiles, data: DataFiles) -> list[FileEntry]:
    """The data files of this save: those that `.metadata` names, or all without it."""
    mine = {path for shard in data.shards for path in shard.paths}
    return [entry for entry in files.tree.files() if entry.path in mine]


def index_facts(files: CheckpointFiles) -> tuple[FileFacts, ...]:
    """`.metadata`, under its final name and under its temporary one, for the table of files."""
    entries = (files.tree.get(name) for name in (METADATA, METADATA_TMP))
    return tuple(
        FileFacts(entry.path, entry.size_bytes, entry.mtime_ns, note=INDEX_NOTE)
        for entry in entries
        if entry is not None
    )


def finish_command(path: str) -> str:
    """The command that gives `.metadata.tmp` its final name, as torch's writer would have.

    Args:
        path: Absolute path of the directory.
    """
    return f"mv {shlex.quote(f'{path}/{METADATA_TMP}')} {shlex.quote(f'{path}/{METADATA}')}"


def compare_with_metadata(files: CheckpointFiles, metadata: DcpMetadata, index: str) -> DataFiles:
    """Checks every file that `.metadata` names: it is there, long enough, and holds archives.

    Args:
        files: The checkpoint.
        metadata: Its metadata.
        index: Name of the metadata file, for the messages.
    """
    by_path = {entry.path: entry for entry in files.tree.entries}
    wanted = _items_by_file(metadata.storage)
    problems: dict[str, str] = {}
    findings: list[Finding] = []
    for path, items in wanted.items():
        problem, finding = _compare_file(path, items, by_path.get(path), index)
        if finding is not None:
            problems[path] = problem
            findings.append(finding)
    findings = capped(findings)
    whole = {path: items for path, items in wanted.items() if path not in problems}
    read = read_items(files, metadata, whole)
    problems.update(dict.fromkeys(read.bad, "unreadable"))
    findings += capped(list(read.bad.values()))
    findings += _extra_files(files, wanted, by_path, index)
    ranks = tuple(sorted({r for path in wanted if (r := rank_of_data_file(path)) is not None}))
    highest = ranks[-1] + 1 if ranks else None
    world_size, absurd = bounded_world_size(highest, f"the names of files in `{index}`")
    index_entry = by_path.get(index)
    return DataFiles(
        findings=(*findings, *absurd),
        shards=_shards(wanted, by_path, problems),
        expected_ranks=ranks if world_size is not None else None,
        world_size=world_size,
        files=tuple(data_file_facts(entry, wanted) for entry in data_entries(files)),
        rewritten=bool(problems) and _younger(wanted, by_path, index_entry),
        items_read=read.items,
        items=len(metadata.storage),
    )


def _items_by_file(storage: Iterable[DcpItem]) -> dict[str, list[DcpItem]]:
    found: dict[str, list[DcpItem]] = {}
    for item in storage:
        found.setdefault(item.relative_path, []).append(item)
    return {path: sorted(found[path], key=lambda item: item.offset) for path in sorted(found)}


def _compare_file(
    path: str, items: list[DcpItem], entry: FileEntry | None, index: str
) -> tuple[str, Finding | None]:
    rank = rank_of_data_file(path)
    places = f"`{index}` places {plural(len(items), 'item')} in it"
    if path.startswith("/") or ".." in path.split("/"):
        return "missing", outside_path(path, places)
    if entry is None:
        return "missing", missing_file(path, places, rank=rank)
    if entry.kind is Kind.LINK:
        return "missing", outside_path(path, places)
    if entry.kind is not Kind.FILE:
        found = unopened(entry, places)
        return "missing", found._replace(code="missing-shard", effect=Effect.INCOMPLETE)
    end = max(item.offset + item.length for item in items)
    if entry.size_bytes < end:
        problem = "short" if entry.size_bytes else "empty"
        return problem, short_file(path, entry.size_bytes, end, f"`{index}`")
    return "", None


def _extra_files(
    files: CheckpointFiles,
    wanted: dict[str, list[DcpItem]],
    by_path: dict[str, FileEntry],
    index: str,
) -> list[Finding]:
    """Data files that nothing refers to; empty ones are those of ranks with nothing to write."""
    extra = [e for e in data_entries(files) if e.path not in wanted and e.size_bytes]
    if not extra:
        return []
    times = [by_path[path].mtime_ns for path in wanted if path in by_path]
    lag_ns = min(times, default=0) - max(entry.mtime_ns for entry in extra)
    hint = ""
    if lag_ns > _CLEARLY_EARLIER_NS:
        hint = f"written {duration_text(lag_ns / 1e9)} before the rest: of an earlier save"
    return [extra_shard([entry.path for entry in extra], f"`{index}`", hint)]


def _shards(
    wanted: dict[str, list[DcpItem]], by_path: dict[str, FileEntry], problems: dict[str, str]
) -> tuple[ShardFacts, ...]:
    by_rank: dict[int, list[str]] = {}
    for path in wanted:
        rank = rank_of_data_file(path)
        if rank is not None and rank < MOST_RANKS:
            by_rank.setdefault(rank, []).append(path)
    return tuple(
        shard_of(
            rank,
            [by_path[path] for path in paths if path in by_path],
            next((problems[path] for path in paths if path in problems), ""),
            paths=paths,
        )
        for rank, paths in sorted(by_rank.items())
    )


def _younger(
    wanted: dict[str, list[DcpItem]], by_path: dict[str, FileEntry], index: FileEntry | None
) -> bool:
    times = [by_path[path].mtime_ns for path in wanted if path in by_path]
    return index is not None and max(times, default=0) > index.mtime_ns


def data_file_facts(entry: FileEntry, wanted: dict[str, list[DcpItem]] | None = None) -> FileFacts:
    """One data file, with how many items `.metadata` places in it."""
    note = ""
    if wanted is not None:
        items = wanted.get(entry.path)
        note = plural(len(items), "stored item") if items else "nothing refers to it"
    return FileFacts(
        entry.path, entry.size_bytes, entry.mtime_ns, "", rank_of_data_file(entry.path), note
    )

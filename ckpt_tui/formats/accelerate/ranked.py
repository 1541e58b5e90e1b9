"""FSDP state that each rank wrote into a file of its own: `pytorch_model_fsdp_0_rank1.bin`."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import RoleFacts, ShardFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER
from ckpt_tui.formats.shared.archive_roles import read_archive_content
from ckpt_tui.formats.shared.bounds import bounded_world_size
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.problems import capped, missing_file
from ckpt_tui.formats.shared.shards import shard_of
from ckpt_tui.formats.shared.state_file import refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


class RankFiles(NamedTuple):
    """The files of all ranks.

    Attributes:
        kinds: Roles that were saved so.
        world_size: One more than the highest rank; None without any file.
    """

    kinds: frozenset[str] = frozenset()
    roles: tuple[RoleFacts, ...] = ()
    findings: tuple[Finding, ...] = ()
    marks: Mapping[str, Mark] = MappingProxyType({})
    world_size: int | None = None
    shards: tuple[ShardFacts, ...] = ()
    expected_ranks: tuple[int, ...] | None = None


_NO_FILES = RankFiles()
_RANK_PART = re.compile(r"_rank\d+\.bin$")


def read_rank_files(files: CheckpointFiles, entries: list[FileEntry]) -> RankFiles:
    """Reads every rank's files, and looks for ranks that lack one.

    Args:
        files: The checkpoint.
        entries: Its files whose names match `FSDP_RANK_FILE`.
    """
    if not entries:
        return _NO_FILES
    ranks = {entry.path: _rank(entry.path) for entry in entries}
    world_size, absurd = bounded_world_size(max(ranks.values()) + 1, "the names of the files")
    job = range(world_size or 0)
    roles: list[RoleFacts] = []
    findings: list[Finding] = [*absurd]
    bad: dict[str, str] = {}
    for entry in entries:
        content, found = read_archive_content(files, entry.path)
        findings += [refused(finding) for finding in found]
        if content is None:
            bad[entry.path] = "unreadable" if entry.size_bytes else "empty"
            continue
        evidence = f"the content of {entry.path}"
        role, size_bytes = _role(entry.path), entry.size_bytes
        roles.append(RoleFacts(role, size_bytes, 1, evidence, paths=(entry.path,)))
    return RankFiles(
        kinds=frozenset(_role(entry.path) for entry in entries),
        roles=tuple(roles),
        findings=(*findings, *_gaps(ranks, job)),
        marks={path: Mark(_role(path), rank) for path, rank in ranks.items()},
        world_size=world_size,
        shards=_shards(entries, ranks, bad),
        expected_ranks=tuple(job) or None,
    )


def _gaps(ranks: Mapping[str, int], job: range) -> list[Finding]:
    """Files that other ranks have."""
    families = {_RANK_PART.sub("_rank{}.bin", path) for path in ranks}
    wanted = ((family.format(rank), rank) for family in sorted(families) for rank in job)
    return capped(
        [missing_file(p, "other ranks have it", rank=r) for p, r in wanted if p not in ranks]
    )


def _shards(
    entries: list[FileEntry], ranks: Mapping[str, int], bad: Mapping[str, str]
) -> tuple[ShardFacts, ...]:
    mine: dict[int, list[FileEntry]] = {}
    for entry in entries:
        mine.setdefault(ranks[entry.path], []).append(entry)
    return tuple(
        shard_of(rank, own, next((bad[e.path] for e in own if e.path in bad), ""))
        for rank, own in sorted(mine.items())
    )


def _role(path: str) -> str:
    return OPTIMIZER if path.startswith("optimizer") else MODEL


def _rank(path: str) -> int:
    """The last number in the name; the names were matched before."""
    return int(re.findall(r"\d+", path)[-1])

"""DCP directories inside a checkpoint: accelerate's `pytorch_model_fsdp_0/` and `optimizer_0/`."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER
from ckpt_tui.formats.dcp.content import read_dcp
from ckpt_tui.formats.dcp.files import INDEX_NOTE, METADATA, holds_dcp
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.nested import (
    nested_files,
    outer_findings,
    outer_roles,
    outer_shards,
    outer_tensors,
)
from ckpt_tui.formats.shared.roles import role_of_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ckpt_tui.core.facts import RoleFacts, ShardFacts, TensorFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.dcp.content import DcpContent
    from ckpt_tui.fs.listing import Directory

_PART = re.compile(r"(?:pytorch_model_fsdp|optimizer|model|optim)(?:_\d{1,4})?")


class DcpParts(NamedTuple):
    """What the DCP directories hold together.

    Attributes:
        directories: Their relative paths.
        world_size: Number of writers; None where no part tells.
        missing: The `.metadata` that a part still lacks, or "".
        findings: Problems, with paths relative to the outer checkpoint.
        shards: What each rank wrote over all parts.
        expected_ranks: Ranks that some part's `.metadata` names; None without any part.
        marks: Role and rank of the data files, by path relative to the outer checkpoint.
    """

    directories: tuple[str, ...] = ()
    roles: tuple[RoleFacts, ...] = ()
    world_size: int | None = None
    missing: str = ""
    findings: tuple[Finding, ...] = ()
    shards: tuple[ShardFacts, ...] = ()
    expected_ranks: tuple[int, ...] | None = None
    marks: Mapping[str, Mark] = MappingProxyType({})
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0


def part_names(directory: Directory) -> tuple[str, ...]:
    """Subdirectories that are named as a part and hold DCP's files."""
    return tuple(
        name
        for name in directory.directory_names()
        if _PART.fullmatch(name) and holds_dcp(directory.sub(name).file_names())
    )


def read_dcp_parts(files: CheckpointFiles) -> DcpParts:
    """Reads every DCP directory that lies directly in a checkpoint."""
    inside: dict[str, list[str]] = {}
    for entry in files.tree.entries:
        first, _, rest = entry.path.partition("/")
        if rest and "/" not in rest:
            inside.setdefault(first, []).append(rest)
    directories = tuple(name for name in sorted(inside) if holds_dcp(inside[name]))
    contents = {name: read_dcp(nested_files(files, name)) for name in directories}
    parts = contents.items()
    sizes = [content.data.world_size for content in contents.values() if content.data.world_size]
    ranks = {rank for content in contents.values() for rank in content.data.expected_ranks or ()}
    lacking = (f"{name}/{METADATA}" for name, content in parts if not content.committed)
    tensors = [t for name, content in parts for t in outer_tensors(name, content.tensors)]
    return DcpParts(
        directories=directories,
        roles=tuple(r for n, content in parts for r in outer_roles(n, _roles(n, content))),
        world_size=max(sizes, default=None),
        missing=next(lacking, ""),
        findings=tuple(f for n, content in parts for f in outer_findings(n, content.findings)),
        shards=_shards(contents),
        expected_ranks=tuple(sorted(ranks)) if directories else None,
        marks={path: mark for name, content in parts for path, mark in _marks(name, content)},
        tensors=tuple(tensors[:MOST_TENSORS]),
        tensors_total=sum(content.tensors_total for content in contents.values()),
    )


def _shards(contents: Mapping[str, DcpContent]) -> tuple[ShardFacts, ...]:
    """One shard for each rank: its files in all directories, and the first thing wrong there."""
    by_rank: dict[int, ShardFacts] = {}
    for name, content in contents.items():
        for shard in outer_shards(name, content.data.shards):
            known = by_rank.get(shard.rank)
            by_rank[shard.rank] = shard._replace(
                paths=(*(known.paths if known else ()), *shard.paths),
                size_bytes=shard.size_bytes + (known.size_bytes if known else 0),
                problem=(known.problem if known else "") or shard.problem,
                mtime_ns=max(shard.mtime_ns, known.mtime_ns if known else 0),
            )
    return tuple(by_rank[rank] for rank in sorted(by_rank))


def _marks(name: str, content: DcpContent) -> Iterator[tuple[str, Mark]]:
    role = role_of_key(name) or MODEL
    for file in content.data.files:
        yield f"{name}/{file.path}", Mark(role, file.rank, file.note)
    yield f"{name}/{METADATA}", Mark(role, None, INDEX_NOTE)


def _roles(name: str, content: DcpContent) -> list[RoleFacts]:
    """Bare keys are the model's, but not in a directory that is named for the optimizer."""
    roles = list(content.keyed.roles)
    if role_of_key(name) == OPTIMIZER and not content.keyed.has(OPTIMIZER):
        return [role._replace(role=OPTIMIZER) if role.role == MODEL else role for role in roles]
    return roles

"""What DCP's HuggingFaceStorageWriter leaves: safetensors shards, weights only, no `.metadata`.

With consolidation each rank writes into `sharded/`, rank 0 then writes the consolidated files, and
`model.safetensors.index.json` last. Without it the shards lie in the directory itself, and nothing
marks the end.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import (
    CheckpointFacts,
    CommitFacts,
    FileFacts,
    LoaderFacts,
    RoleFacts,
    ShardFacts,
)
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import MODEL, Effect, Severity
from ckpt_tui.formats.shared.bounds import MOST_RANKS, MOST_TENSORS, bounded_world_size
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.problems import missing_file
from ckpt_tui.formats.shared.resharding import by_dcp
from ckpt_tui.formats.shared.safetensors_model import model_of_headers, read_safetensors_model
from ckpt_tui.formats.shared.shards import shard_of
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.artifacts.safetensors_header import SafetensorsHeader
    from ckpt_tui.core.facts import TensorFacts
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

INDEX = "model.safetensors.index.json"
SHARDED = "sharded"

_SHARD = re.compile(r"shard-(\d{5,9})-model-(\d{5,9})-of-(\d{5,9})\.safetensors")
_CONSOLIDATED_RULE = f"`{INDEX}` is written after all consolidated files (HuggingFaceStorageWriter)"
_NO_RULE = "no commit rule: the headers and sizes of the files decide (HuggingFaceStorageWriter)"


class _Shard(NamedTuple):
    entry: FileEntry
    rank: int
    part: int
    parts: int


def is_hf_storage(directory: Directory) -> bool:
    """Whether the names are those of the writer, in the directory or in its `sharded/`."""
    if any(_SHARD.fullmatch(name) for name in directory.file_names()):
        return True
    if SHARDED not in directory.directory_names():
        return False
    return any(_SHARD.fullmatch(name) for name in directory.sub(SHARDED).file_names())


def read_hf_storage(files: CheckpointFiles, format_name: str) -> CheckpointFacts:
    """Reads one checkpoint of the writer: every header, and the index where there is one."""
    entries = [e for e in files.tree.files() if e.path.endswith(".safetensors")]
    index = files.tree.get(INDEX)
    weights = read_safetensors_model(files, entries + ([index] if index is not None else []))
    headers, broken = weights.headers, weights.broken
    shards = _shards(entries)
    consolidates = any(entry.path.startswith(f"{SHARDED}/") for entry in entries)
    findings = [*weights.findings, *_gaps(shards), *links_and_holes(files.tree)]
    findings += [] if broken else _uncovered(headers)
    met = index is not None if consolidates else None
    rule = _CONSOLIDATED_RULE if consolidates else _NO_RULE
    times = save_times(entries, index)
    findings += _absurd(shards)
    shards = [shard for shard in shards if shard.rank < MOST_RANKS]
    ranks = tuple(range(max((shard.rank for shard in shards), default=-1) + 1))
    tensors = _once(weights.tensors)
    return common_facts(
        files, format_name, CommitFacts(rule, met, INDEX if met is False else ""), times
    )._replace(
        step=step_of_name(files.name),
        world_size=len(ranks) or None,
        expected_ranks=ranks or None,
        roles=_model(headers, consolidates),
        shards=_shard_facts(shards, broken),
        files=_file_facts(files, shards),
        findings=tuple(findings),
        loader=LoaderFacts(
            flag=f"dcp.load(…, storage_reader=HuggingFaceStorageReader({json.dumps(files.path)}))",
            tag=files.name,
        ),
        reshard=by_dcp(),
        evidence="step from the directory's name",
        tensors=tensors[:MOST_TENSORS],
        tensors_total=len(tensors),
    )


def _shards(entries: list[FileEntry]) -> list[_Shard]:
    """The writer counts ranks and parts from 1."""
    found = []
    for entry in entries:
        name = _SHARD.fullmatch(entry.path.rpartition("/")[2])
        if name is not None and int(name[1]) > 0:
            found.append(_Shard(entry, int(name[1]) - 1, int(name[2]), int(name[3])))
    return found


def _gaps(shards: list[_Shard]) -> list[Finding]:
    """Parts of which no rank wrote anything; a rank without a part need not have a file."""
    parts = max((shard.parts for shard in shards), default=0)
    have = {shard.part for shard in shards}
    if parts > MOST_RANKS:
        return []
    wanted = f"its siblings say that there are {parts} parts"
    return [
        missing_file(f"shard-…-model-{part:05d}-of-{parts:05d}.safetensors", wanted)
        for part in range(1, parts + 1)
        if part not in have
    ][:10]


def _absurd(shards: list[_Shard]) -> tuple[Finding, ...]:
    most = max((max(shard.rank + 1, shard.parts) for shard in shards), default=0)
    return bounded_world_size(most, "the names of the shards")[1]


def _uncovered(headers: dict[str, SafetensorsHeader]) -> list[Finding]:
    """Tensors whose stored pieces do not fill the box that their offsets span."""
    extents: dict[str, list[int]] = {}
    stored: dict[str, int] = {}
    for header in headers.values():
        for name, offsets in saved_offsets(header).items():
            tensor = header.tensors.get(name)
            if tensor is None or len(offsets) != len(tensor.shape):
                continue
            ends = [offset + n for offset, n in zip(offsets, tensor.shape, strict=True)]
            known = extents.setdefault(name, ends)
            extents[name] = [max(a, b) for a, b in zip(known, ends, strict=False)]
            stored[name] = stored.get(name, 0) + math.prod(tensor.shape)
    lacking = [name for name, ends in extents.items() if stored[name] < math.prod(ends)]
    if not lacking:
        return []
    return [
        Finding(
            "missing-shard",
            Severity.ERROR,
            "",
            f"pieces of {len(lacking)} tensors are absent, such as of {lacking[0]}:"
            f" {stored[lacking[0]]} of {math.prod(extents[lacking[0]])} elements",
            "Copy the ranks' files back, or use another checkpoint.",
            Effect.INCOMPLETE,
        )
    ]


def saved_offsets(header: SafetensorsHeader) -> dict[str, list[int]]:
    """Where each piece lies in its whole tensor: JSON within the header's own metadata."""
    try:
        found = json.loads(header.metadata.get("DCP_SHARDING_INFO", "{}"))
        return {
            str(name): [int(offset) for offset in where["saved_offsets"]]
            for name, where in found.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _model(headers: dict[str, SafetensorsHeader], consolidates: bool) -> tuple[RoleFacts, ...]:
    """The weights; with consolidation they are stored twice, and the whole files count."""
    whole = {p: header for p, header in headers.items() if not p.startswith(f"{SHARDED}/")}
    return model_of_headers(whole if consolidates and whole else headers)


def _shard_facts(shards: list[_Shard], broken: dict[str, Finding]) -> tuple[ShardFacts, ...]:
    by_rank: dict[int, list[_Shard]] = {}
    for shard in shards:
        by_rank.setdefault(shard.rank, []).append(shard)
    return tuple(
        shard_of(
            rank,
            (shard.entry for shard in mine),
            "short" if any(shard.entry.path in broken for shard in mine) else "",
        )
        for rank, mine in sorted(by_rank.items())
    )


def _file_facts(files: CheckpointFiles, shards: list[_Shard]) -> tuple[FileFacts, ...]:
    ranks = {shard.entry.path: shard.rank for shard in shards}
    return tuple(
        FileFacts(
            entry.path,
            entry.size_bytes,
            entry.mtime_ns,
            MODEL if entry.path.endswith(".safetensors") else "",
            ranks.get(entry.path),
        )
        for entry in files.tree.files()
    )


def _once(tensors: Iterable[TensorFacts]) -> tuple[TensorFacts, ...]:
    """The first piece of each tensor."""
    found: dict[str, TensorFacts] = {}
    for tensor in tensors:
        found.setdefault(tensor.name, tensor)
    return tuple(found.values())

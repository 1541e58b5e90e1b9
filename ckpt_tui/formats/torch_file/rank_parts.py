"""Torch files that ranks wrote apart: which ranks there are, and which parts are absent."""

from __future__ import annotations

import shlex
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.shared.bounds import MOST_RANKS, too_many_ranks
from ckpt_tui.formats.shared.names import is_staging_name
from ckpt_tui.formats.shared.problems import MOST_ALIKE, capped, missing_file, staging_leftover
from ckpt_tui.formats.shared.shards import shard_of
from ckpt_tui.formats.torch_file.names import RankedName, final_name, ranked_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.facts import ShardFacts
    from ckpt_tui.core.files import FileEntry


class RankParts(NamedTuple):
    """The parts by rank.

    Attributes:
        families: Kind of part ("actor/model") → paths of its parts.
        world_size: By the names, else one more than the highest rank; None without ranks.
        named_world_size: The names give it, as verl's do.
        expected_ranks: All ranks below the world size.
        shards: What each rank wrote.
        findings: Parts that are absent or still have a temporary name.
    """

    families: dict[str, list[str]]
    world_size: int | None = None
    named_world_size: bool = False
    expected_ranks: tuple[int, ...] | None = None
    shards: tuple[ShardFacts, ...] = ()
    findings: tuple[Finding, ...] = ()


class _Part(NamedTuple):
    entry: FileEntry
    name: RankedName
    directory: str

    @property
    def family(self) -> str:
        return f"{self.directory}{self.name.family}"


def rank_parts(entries: list[FileEntry], base: str) -> RankParts:
    """Groups files by the rank in their names; a lone part of rank 0 is no group.

    Args:
        entries: Files of one checkpoint.
        base: Absolute path of the directory that their paths start from, for commands.
    """
    parts = list(_parts(entries))
    staged = [part for part in parts if is_staging_name(part.entry.path)]
    whole = [part for part in parts if part not in staged]
    highest = max((part.name.rank for part in parts), default=0)
    worlds = sorted({part.name.world_size for part in parts if part.name.world_size})
    world_size = worlds[-1] if worlds else highest + 1
    if not parts or (not worlds and highest == 0):
        return RankParts({})
    if max(world_size, highest + 1) > MOST_RANKS:
        return RankParts({}, findings=(too_many_ranks("the names of the parts"),))
    families: dict[str, dict[int, _Part]] = {}
    for part in whole:
        families.setdefault(part.family, {})[part.name.rank] = part
    findings = _absent(families, world_size)
    findings += [found for part in staged for found in _staged(part, whole, base)]
    findings += _other_worlds(worlds) + _uneven_parts(families)
    return RankParts(
        {family: [part.entry.path for part in own.values()] for family, own in families.items()},
        world_size,
        bool(worlds),
        tuple(range(world_size)),
        _shards(whole),
        tuple(findings),
    )


def opened_ranks(names: Iterable[str]) -> frozenset[str]:
    """Names of ranks' files that are alike in every checkpoint of a run, but for the rank."""
    ranked = [(name, found) for name in names if (found := ranked_name(name)) is not None]
    return frozenset(
        f"{plain_name(found.family)} of rank {found.rank}"
        for name, found in ranked
        if found.world_size is None and not is_staging_name(name)
    )


def _staged(part: _Part, whole: list[_Part], base: str) -> list[Finding]:
    """A part that kept its temporary name: as large as the others', it lacks the rename only."""
    path = part.entry.path
    found = [staging_leftover(path)]
    sizes = {other.entry.size_bytes for other in whole if other.family == part.family}
    final = final_name(path)
    if sizes == {part.entry.size_bytes} and all(other.entry.path != final for other in whole):
        staged, renamed = (shlex.quote(f"{base}/{name}") for name in (path, final))
        found.append(
            Finding(
                "finishable",
                Severity.WARNING,
                path,
                f"{path} has the size of the other ranks' parts; only its rename is missing",
                f"Once no job writes it, and it loads: mv {staged} {renamed}",
            )
        )
    return found


def _parts(entries: list[FileEntry]) -> list[_Part]:
    found = []
    for entry in entries:
        directory, slash, name = entry.path.rpartition("/")
        ranked = ranked_name(name)
        if ranked is not None:
            found.append(_Part(entry, ranked, directory + slash))
    return found


def _absent(families: dict[str, dict[int, _Part]], world_size: int) -> list[Finding]:
    """Only as many are made as are shown: the names may ask for very many."""
    found = []
    for family, own in families.items():
        sample = min(own.values(), key=lambda part: part.name.rank)
        why = f"{len(own)} of {world_size} parts of {family} are there"
        absent = (rank for rank in range(world_size) if rank not in own)
        found += [
            missing_file(_name_for(sample, rank), why, rank=rank)
            for rank in islice(absent, MOST_ALIKE)
        ]
    total = sum(world_size - sum(r < world_size for r in own) for own in families.values())
    return capped(found, total)


def _name_for(sample: _Part, rank: int) -> str:
    """The name that the part of another rank would have."""
    path = sample.entry.path
    before, _, after = path.rpartition(str(sample.name.rank))
    return f"{before}{rank}{after}"


def _other_worlds(worlds: list[int]) -> list[Finding]:
    if len(worlds) < 2:
        return []
    sizes = " and ".join(str(size) for size in worlds)
    return [
        Finding(
            "mixed-saves",
            Severity.ERROR,
            "",
            f"parts of saves with {sizes} ranks lie in one directory",
            "Resume from another checkpoint, or move the parts of the other save away.",
            Effect.INCOMPLETE,
        )
    ]


def _uneven_parts(families: dict[str, dict[int, _Part]]) -> list[Finding]:
    """Where several models are saved side by side (actor, critic), each needs the same kinds."""
    kinds: dict[str, set[str]] = {}
    for own in families.values():
        sample = next(iter(own.values()))
        kinds.setdefault(sample.directory, set()).add(sample.name.family)
    every = set().union(*kinds.values()) if len(kinds) > 1 else set()
    return [
        missing_file(f"{directory}{kind}", "the other model beside it has this kind of part")
        for directory, own_kinds in kinds.items()
        for kind in sorted(every - own_kinds)
    ]


def _shards(parts: list[_Part]) -> tuple[ShardFacts, ...]:
    by_rank: dict[int, list[FileEntry]] = {}
    for part in parts:
        by_rank.setdefault(part.name.rank, []).append(part.entry)
    return tuple(shard_of(rank, own) for rank, own in sorted(by_rank.items()))

"""Compares a manifest with the files: presence, sizes, identities and ranks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import ShardFacts
from ckpt_tui.core.files import FileEntry, Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import ranks_text
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, RNG, Effect, Severity
from ckpt_tui.formats.shared.bounds import MOST_RANKS
from ckpt_tui.formats.shared.problems import capped, missing_file, outside_path, short_file
from ckpt_tui.formats.shared.shards import shard_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.manifest.document import Document, Entry

_FILE = Kind.FILE
_OF_EVERY_RANK = (MODEL, OPTIMIZER, RNG)
_RESUME_ELSEWHERE = "Resume from another checkpoint, or copy the file back from where it was whole."


class Compared(NamedTuple):
    """A listed entry beside its file, and what is wrong with the two."""

    listed: Entry
    entry: FileEntry | None
    problem: Finding | None


def compare(tree: Tree, document: Document) -> list[Compared]:
    """Every listed file must be there, inside, and of its size."""
    find = {entry.path: entry for entry in tree.entries}.get
    compared = []
    for listed in document.entries:
        entry = find(listed.path)
        compared.append(Compared(listed, entry, _problem(listed, entry)))
    return compared


def check_entries(compared: list[Compared], document: Document) -> tuple[Finding, ...]:
    """What is wrong with the files, and with those of another checkpoint."""
    sizes = [one.problem for one in compared if one.problem is not None]
    own = (None, document.checkpoint_id)
    foreign = [listed for listed in document.entries if listed.checkpoint_id not in own]
    return (*capped(sizes), *capped([_foreign(listed, document) for listed in foreign]))


def check_ranks(document: Document) -> tuple[Finding, ...]:
    """Ranks outside the world size, and ranks without a role that every rank has to save.

    A rank without any file at all is told by the rules of the core.
    """
    ranks = {entry.rank for entry in document.entries if entry.rank is not None}
    shards = [shard.rank for shard in document.shards]
    world_size = document.world_size
    beyond = sorted(r for r in ranks | set(shards) if world_size is not None and r >= world_size)
    found = [_beyond(beyond, document)] if beyond else []
    if len(set(shards)) < len(shards):
        twice = sorted(rank for rank, count in Counter(shards).items() if count > 1)
        found.append(_twice(twice))
    for role in _OF_EVERY_RANK:
        mine = {e.rank for e in document.entries if e.role == role and e.rank is not None}
        if not mine or mine == {0}:
            continue
        absent = sorted(ranks - mine - set(beyond))
        if absent:
            found.append(_role_gap(role, absent))
    return tuple(found)


def shards_of(compared: list[Compared], document: Document) -> tuple[ShardFacts, ...]:
    """What each rank wrote: by the ranks of the entries, or as the plain form lists it."""
    if document.shards:
        return tuple(
            ShardFacts(
                shard.rank,
                shard.checkpoint_id,
                shard.size_bytes,
                (shard.path,) if shard.path else (),
                "empty" if shard.size_bytes <= 0 else "",
            )
            for shard in document.shards
        )
    mine: dict[int, list[Compared]] = {}
    for one in compared:
        if one.listed.rank is not None:
            mine.setdefault(one.listed.rank, []).append(one)
    return tuple([_shard(rank, own, document) for rank, own in sorted(mine.items())])


def waiting_shards(tree: Tree, rank_of: Callable[[str], int | None]) -> tuple[ShardFacts, ...]:
    """What each rank has written so far of a save that has no manifest yet, in order of ranks.

    Args:
        tree: The files so far.
        rank_of: The rank in a file's name, or None.
    """
    mine: dict[int, list[FileEntry]] = {}
    for entry in tree.files():
        rank = rank_of(entry.path)
        if rank is not None and rank < MOST_RANKS:
            mine.setdefault(rank, []).append(entry)
    return tuple(shard_of(rank, own, "waiting") for rank, own in sorted(mine.items()))


def expected_ranks(document: Document) -> tuple[int, ...] | None:
    """Ranks that must have a shard; None for a plain form that speaks of files only."""
    if document.world_size is None:
        return None
    ranked = document.shards or any(entry.rank is not None for entry in document.entries)
    if document.plain and document.world_size == 1 and not ranked:
        return None
    return tuple(range(document.world_size))


def _is_inside(path: str) -> bool:
    """Whether a listed path is a plain one below the checkpoint."""
    parts = path.split("/")
    plain = "\\" not in path and "\0" not in path and not path.startswith("/")
    return plain and not {"", ".", ".."} & set(parts)


def _problem(listed: Entry, entry: FileEntry | None) -> Finding | None:
    if (
        entry is not None
        and entry.kind is _FILE
        and entry.size_bytes == listed.size_bytes > 0
        and "\\" not in listed.path
    ):
        return None  # what a listing names is inside
    if not _is_inside(listed.path) or (entry is not None and entry.kind is Kind.LINK):
        return outside_path(listed.path, f"the manifest lists it as {listed.role}")
    if entry is None or entry.kind is not Kind.FILE:
        what = f"the manifest lists it as {listed.role}"
        return missing_file(listed.path, what, rank=listed.rank)
    if listed.size_bytes <= 0:
        return short_file(listed.path, 0, 1, "a state")
    if entry.size_bytes == 0 or entry.size_bytes < listed.size_bytes - listed.slack_bytes:
        return short_file(listed.path, entry.size_bytes, listed.size_bytes, "the manifest")
    if entry.size_bytes > listed.size_bytes + listed.slack_bytes:
        return _longer(listed, entry.size_bytes)
    return None


def _shard(rank: int, own: list[Compared], document: Document) -> ShardFacts:
    there = [one.entry for one in own if one.entry is not None]
    codes = [one.problem.code for one in own if one.problem is not None]
    named = [one.listed.checkpoint_id for one in own]
    foreign = [identity for identity in named if identity != document.checkpoint_id]
    problem = "missing" if not there else "short" if codes else ""
    if "empty-file" in codes and not sum(entry.size_bytes for entry in there):
        problem = "empty"
    return shard_of(
        rank,
        there,
        problem,
        paths=[one.listed.path for one in own],
        checkpoint_id=next((name for name in foreign if name), document.checkpoint_id),
    )


def _longer(listed: Entry, size_bytes: int) -> Finding:
    return Finding(
        "size-mismatch",
        Severity.ERROR,
        listed.path,
        f"{listed.path} has {size_bytes} bytes, the manifest says {listed.size_bytes}",
        _RESUME_ELSEWHERE,
        Effect.CORRUPT,
    )


def _foreign(listed: Entry, document: Document) -> Finding:
    return Finding(
        "checkpoint-id-mismatch",
        Severity.ERROR,
        listed.path,
        f"{listed.path} belongs to checkpoint {listed.checkpoint_id!r}, not to"
        f" {document.checkpoint_id!r}",
        "Resume from another checkpoint: these shards do not belong together.",
        Effect.INCOMPLETE,
    )


def _beyond(ranks: list[int], document: Document) -> Finding:
    return Finding(
        "extra-shard",
        Severity.ERROR,
        "",
        f"{ranks_text(ranks)} is listed, but the world size is {document.world_size}",
        "Resume from another checkpoint: the manifest contradicts itself.",
        Effect.INCOMPLETE,
    )


def _twice(ranks: list[int]) -> Finding:
    return Finding(
        "extra-shard",
        Severity.ERROR,
        "",
        f"{ranks_text(ranks)} is listed with more than one shard",
        "Resume from another checkpoint: the manifest contradicts itself.",
        Effect.INCOMPLETE,
    )


def _role_gap(role: str, ranks: list[int]) -> Finding:
    return Finding(
        "missing-shard",
        Severity.ERROR,
        "",
        f"no {role} of {ranks_text(ranks)}, although other ranks saved theirs",
        "Resume from another checkpoint: the manifest was committed without it.",
        Effect.INCOMPLETE,
    )

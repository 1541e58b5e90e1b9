"""Names of safetensors files: which belong together, and which shards their names ask for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL, PROGRESS
from ckpt_tui.formats.shared.roles import role_of_key

if TYPE_CHECKING:
    from collections.abc import Iterable

ENDING = ".safetensors"
INDEX_ENDING = ".safetensors.index.json"

_SHARD = re.compile(r"(?P<stem>.+)-(?P<number>\d{1,6})-of-(?P<total>\d{1,6})\.safetensors")

_MOST_ABSENT = 1000
_WEIGHTS = (None, MODEL, PROGRESS)


class ShardName(NamedTuple):
    """`model-00001-of-00003.safetensors`: the stem, this shard's number, and how many there are."""

    stem: str
    number: str
    total: str


def shard_name(name: str) -> ShardName | None:
    """Reads the name of one shard of several."""
    found = _SHARD.fullmatch(name)
    return ShardName(found["stem"], found["number"], found["total"]) if found else None


def groups(names: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Files that are one model each: an index with its shards, shards of one stem, single files.

    Files named for another state (`optimizer.safetensors`) are no weights; `step_10` is a name
    like any other.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for name in sorted(names):
        shard = shard_name(name)
        if name.endswith(INDEX_ENDING):
            found.setdefault((name.removesuffix(INDEX_ENDING), "shards"), []).insert(0, name)
        elif shard is not None:
            found.setdefault((shard.stem, "shards"), []).append(name)
        elif name.endswith(ENDING) and role_of_key(name.removesuffix(ENDING)) in _WEIGHTS:
            found.setdefault((name, "one"), []).append(name)
    return tuple(tuple(group) for group in found.values())


def absent_shards(names: Iterable[str]) -> list[str]:
    """Shards that the names of the others count, and that are not among them."""
    there = set(names)
    shards = [shard for name in there if (shard := shard_name(name)) is not None]
    absent: dict[str, None] = {}
    for stem, total in sorted({(shard.stem, shard.total) for shard in shards}):
        width = len(total)
        wanted = (f"{n:0{width}}" for n in range(1, min(int(total), len(there) + _MOST_ABSENT) + 1))
        paths = (f"{stem}-{number}-of-{total}{ENDING}" for number in wanted)
        absent.update((path, None) for path in paths if path not in there)
    return list(absent)

"""Which world sizes can load a snapshot: a question of what is stored for each rank alone.

By `torchsnapshot/manifest_ops.py` of 0.1.0: a rank that was there at the save gets its own entries
and the replicated ones; a rank beyond gets the replicated ones only, and the sharded tensors where
all of them lie at the root of their state dict. Everything else is dropped from what it loads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import Reshard
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.torchsnapshot.manifest import CONTAINERS, METADATA, SHARDED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.formats.torchsnapshot.manifest import Entry, Snapshot

_REFUSES = "0.1.0"


def reshard_of(snapshot: Snapshot, per_rank_loses: tuple[str, ...]) -> Reshard:
    """Whether more or fewer ranks can restore it.

    Args:
        snapshot: The manifest.
        per_rank_loses: Roles whose state of the ranks that fall away is lost.
    """
    writers = plural(snapshot.world_size, "rank")
    for_more = _hinders_more(snapshot)
    for_fewer = _hinders_fewer(snapshot)
    if for_fewer:
        return Reshard(False, f"{for_fewer}: {writers} are needed, as at the save")
    if not for_more:
        return Reshard(True, "natively: all of it is replicated or sharded", per_rank_loses)
    beyond = f"{for_more} is stored for each rank alone, so a rank beyond {writers} has none"
    if snapshot.world_size == 1:
        return Reshard(False, beyond)
    how = f"natively, by fewer ranks only: {beyond}"
    return Reshard(True, how, per_rank_loses, most_ranks=snapshot.world_size)


def refused_shards(snapshot: Snapshot) -> list[Finding]:
    """Sharded tensors below the root of a state, beside other states: 0.1.0 cannot restore them.

    For each state it prepares to read all entries of the rank; it passes over the sharded tensors
    of other states only where all sharded tensors lie at the root of their state dict.
    """
    states = {p.partition("/")[0] for entries in snapshot.ranks.values() for p in entries}
    deep = next((path for path in sorted(_sharded_paths(snapshot)) if path.count("/") != 1), "")
    if not deep or len(states) < 2 or snapshot.version != _REFUSES:
        return []
    return [
        Finding(
            "unsupported-version",
            Severity.ERROR,
            METADATA,
            f"{deep} is sharded and lies deep in its state: torchsnapshot {_REFUSES}, which wrote"
            " it, refuses to restore it beside other states",
            "Restore that state alone, or try a later torchsnapshot.",
            Effect.UNKNOWN,
        )
    ]


def _hinders_more(snapshot: Snapshot) -> str:
    """The first state that a rank beyond the writers would not get; "" for none."""
    at_root = all(path.count("/") == 1 for path in _sharded_paths(snapshot))
    for path, entry in snapshot.ranks.get(0, {}).items():
        shared = entry.replicated or (entry.kind in SHARDED and at_root)
        if entry.kind not in CONTAINERS and not shared:
            return path.partition("/")[0]
    return ""


def _hinders_fewer(snapshot: Snapshot) -> str:
    """What would be lost with the ranks that fall away; "" for nothing."""
    if snapshot.world_size == 1:
        return ""
    kept = [_kept_alone(entries) for entries in snapshot.ranks.values()]
    if any(one != kept[0] for one in kept):
        return "each rank keeps tensors that no other has"
    sharded = [_sharded(entries) for entries in snapshot.ranks.values()]
    nested = any(path.count("/") != 1 for paths in sharded for path in paths)
    if nested and any(paths != sharded[0] for paths in sharded):
        return "sharded tensors lie deep in their state, and not every rank has a part of each"
    return ""


def _kept_alone(entries: Mapping[str, Entry]) -> dict[str, tuple[int, ...]]:
    """Shapes of the tensors that are neither replicated nor sharded."""
    return {
        path: entry.shape
        for path, entry in entries.items()
        if entry.dtype and not entry.replicated and entry.kind not in SHARDED
    }


def _sharded(entries: Mapping[str, Entry]) -> set[str]:
    return {path for path, entry in entries.items() if entry.kind in SHARDED}


def _sharded_paths(snapshot: Snapshot) -> set[str]:
    return set().union(*map(_sharded, snapshot.ranks.values()))

"""Which roles a torch DCP checkpoint holds, told by the flat keys of its `.metadata`."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import RoleFacts, TensorFacts
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import DATALOADER, MODEL, OPTIMIZER, PROGRESS, RNG
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.roles import EPOCH_KEYS, STEP_KEYS, role_of_file_name, role_of_key

if TYPE_CHECKING:
    from ckpt_tui.artifacts.dcp_metadata import DcpEntry, DcpMetadata

_RANK_IN_KEY = re.compile(r"(?:^|[._/-])(?:dp[_-]?)?rank[_-]?(\d{1,9})(?=$|[._/-])")
# Megatron stores an object that every rank has as `key/shard_OFFSET_SHAPE`, both dotted.
_SHARD_IN_KEY = re.compile(r"^(?P<key>.*)/shard_(?P<offset>[\d.]+)_(?P<shape>[\d.]+)$")
_MOMENTS = frozenset({"exp_avg", "exp_avg_sq", "momentum_buffer", "step"})
_CHAINED = re.compile(r"chained_\d+")
# Composer counts batches, under the name of the timestamp's class in recent versions.
_COMPOSER_STEP = re.compile(r"state\.timestamp\.(?:Timestamp\.)?batch")


class KeyedRoles(NamedTuple):
    """The roles by keys.

    Attributes:
        roles: What is there; per-rank gaps are told in `RoleFacts.missing_ranks`.
        role_by_key: For each key that has a role.
        step_keys: Entries that may hold the training step, the most telling first.
        incomplete_objects: Keys of sharded objects of which shards are absent.
        per_rank: Roles of which each rank stored its own.
    """

    roles: tuple[RoleFacts, ...]
    role_by_key: dict[str, str]
    step_keys: tuple[DcpEntry, ...]
    incomplete_objects: tuple[str, ...] = ()
    per_rank: frozenset[str] = frozenset()

    def has(self, role: str) -> bool:
        """Whether a role is among them."""
        return any(found.role == role for found in self.roles)


def roles_of_metadata(
    metadata: DcpMetadata, index: str, world_size: int | None, dataloader_ranks: int | None = None
) -> KeyedRoles:
    """Sorts the keys by role.

    A bare name such as `layers.0.weight` at the top level is the model's: torchtitan and Megatron
    store the model without a prefix.

    Args:
        metadata: The parsed `.metadata`.
        index: Its name, for the evidence.
        world_size: Number of writers, for states that are stored per rank.
        dataloader_ranks: Number of data-parallel ranks, where the checkpoint names it.
    """
    role_by_key = _assign(metadata.entries)
    steps = _step_entries(metadata.entries, role_by_key)
    grouped: dict[str, list[DcpEntry]] = {}
    for entry in metadata.entries:
        role = role_by_key.get(entry.key)
        if role is not None:
            grouped.setdefault(role, []).append(entry)
    if not steps and not any(_names_epoch(entry) for entry in grouped.get(PROGRESS, ())):
        grouped.pop(PROGRESS, None)
    expected = {RNG: world_size, DATALOADER: dataloader_ranks or world_size}
    places = _Places(metadata)
    roles = tuple(
        _role_facts(role, entries, places, index, expected.get(role))
        for role, entries in grouped.items()
    )
    per_rank = frozenset(
        role for role, own in grouped.items() if role in expected and any(map(_is_per_rank, own))
    )
    return KeyedRoles(roles, role_by_key, steps, _incomplete_objects(metadata.entries), per_rank)


def tensors_of_metadata(
    metadata: DcpMetadata, role_by_key: dict[str, str]
) -> tuple[tuple[TensorFacts, ...], int]:
    """The first tensors, and how many there are in all."""
    first_path: dict[str, str] = {}
    for item in metadata.storage:
        first_path.setdefault(item.key, item.relative_path)
    tensors = [entry for entry in metadata.entries if entry.kind == "tensor"]
    shown = tuple(
        TensorFacts(
            entry.key,
            entry.dtype or "unknown",
            entry.shape or (),
            entry.size_bytes or 0,
            role_by_key.get(entry.key, ""),
            first_path.get(entry.key, ""),
        )
        for entry in tensors[:MOST_TENSORS]
    )
    return shown, len(tensors)


class _Places:
    """Files and stored bytes by key."""

    def __init__(self, metadata: DcpMetadata) -> None:
        self.paths: dict[str, set[str]] = {}
        self.stored: Counter[str] = Counter()
        for item in metadata.storage:
            self.paths.setdefault(item.key, set()).add(item.relative_path)
            self.stored[item.key] += item.length


def _assign(entries: tuple[DcpEntry, ...]) -> dict[str, str]:
    wrappers = _wrappers(entries)
    found = {e.key: role for e in entries if (role := _role_of_flat(e.key, wrappers)) is not None}
    bare = [e for e in entries if e.kind == "tensor" and e.key not in found]
    # Zero-dimensional leftovers alone (a loss, a counter) are no model.
    if any(e.shape for e in bare):
        found.update((e.key, MODEL) for e in bare)
    return found


def _wrappers(entries: tuple[DcpEntry, ...]) -> frozenset[str]:
    """First parts that hold a whole application state: `app.model.…` beside `app.optim.…`."""
    inner: dict[str, set[str]] = {}
    for entry in entries:
        parts = entry.key.split(".", 2)
        if len(parts) > 1 and role_of_key(parts[0]) is None:
            role = role_of_key(parts[1])
            if role is not None:
                inner.setdefault(parts[0], set()).add(role)
    return frozenset(
        first for first, roles in inner.items() if MODEL in roles and roles & {OPTIMIZER, PROGRESS}
    )


def _role_of_flat(key: str, wrappers: frozenset[str]) -> str | None:
    if _COMPOSER_STEP.fullmatch(key):
        return PROGRESS
    parts = key.split("/shard_")[0].split(".")
    skipped = len(parts) > 1 and (parts[0] in wrappers or _CHAINED.fullmatch(parts[0]))
    first = parts[1] if skipped else parts[0]
    role = role_of_key(first)
    if role is not None:
        return role
    if first == "param_groups" or (first == "state" and parts[-1] in _MOMENTS):
        return OPTIMIZER
    return RNG if role_of_file_name(first) == RNG else None


def _step_entries(
    entries: tuple[DcpEntry, ...], role_by_key: dict[str, str]
) -> tuple[DcpEntry, ...]:
    """Entries of progress whose last part names a step, or that hold a whole progress object."""
    ranked = []
    for entry in entries:
        if role_by_key.get(entry.key) != PROGRESS or _is_large(entry):
            continue
        last = entry.key.rpartition(".")[2]
        if last in STEP_KEYS:
            ranked.append((STEP_KEYS.index(last), entry.key.count("."), entry.key, entry))
        elif _COMPOSER_STEP.fullmatch(entry.key) or (
            entry.kind == "bytes" and role_of_key(last) == PROGRESS
        ):
            ranked.append((len(STEP_KEYS), entry.key.count("."), entry.key, entry))
    return tuple(entry for *_, entry in sorted(ranked, key=lambda item: item[:3]))


def _is_large(entry: DcpEntry) -> bool:
    return entry.kind == "tensor" and math.prod(entry.shape or ()) != 1


def _names_epoch(entry: DcpEntry) -> bool:
    return entry.key.rpartition(".")[2] in EPOCH_KEYS


def _role_facts(
    role: str, entries: list[DcpEntry], places: _Places, index: str, ranks: int | None
) -> RoleFacts:
    paths = sorted({path for entry in entries for path in places.paths.get(entry.key, ())})
    size_bytes = sum(
        entry.size_bytes if entry.size_bytes is not None else places.stored[entry.key]
        for entry in entries
    )
    evidence = f"{plural(len(entries), 'key')} such as `{_shown(entries)}` in {index}"
    missing: tuple[int, ...] = ()
    if role in (RNG, DATALOADER):
        missing, remark = _rank_coverage(entries, ranks)
        evidence += remark
    if role == OPTIMIZER and not any(entry.kind == "tensor" for entry in entries):
        evidence += ", no state tensor (saved before the first step, or plain SGD)"
    return RoleFacts(role, size_bytes, len(paths), evidence, missing, paths=tuple(paths))


def _shown(entries: list[DcpEntry]) -> str:
    key = entries[0].key
    return key if len(key) <= 60 else f"{key[:57]}…"


def _rank_coverage(entries: list[DcpEntry], ranks: int | None) -> tuple[tuple[int, ...], str]:
    """Ranks whose own state is absent, and what to say of a state that is stored once for all."""
    stored = {int(n) for entry in entries for n in _RANK_IN_KEY.findall(entry.key)}
    if ranks is None or ranks < 2:
        return (), ""
    if stored:
        return tuple(rank for rank in range(ranks) if rank not in stored), ""
    if any(_SHARD_IN_KEY.match(entry.key) for entry in entries):
        return (), ""
    return (), f", stored once for {ranks} ranks"


def _is_per_rank(entry: DcpEntry) -> bool:
    return bool(_RANK_IN_KEY.search(entry.key) or _SHARD_IN_KEY.match(entry.key))


def _incomplete_objects(entries: tuple[DcpEntry, ...]) -> tuple[str, ...]:
    """Sharded objects whose shards do not fill the shape that their own names give."""
    shards: dict[tuple[str, str], set[str]] = {}
    for entry in entries:
        found = _SHARD_IN_KEY.match(entry.key)
        if found is not None:
            shards.setdefault((found["key"], found["shape"]), set()).add(found["offset"])
    return tuple(
        key
        for (key, shape), offsets in shards.items()
        if len(offsets) < math.prod(int(part) for part in shape.split(".") if part)
    )

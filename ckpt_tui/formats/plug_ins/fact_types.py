"""Whether values of the core are what their annotations say: facts from foreign code are checked.

Only what the annotations of facts use is understood: scalars, named tuples, enums, `tuple[X, ...]`,
`frozenset[str]` and unions of these.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import (
    CheckpointFacts,
    CommitFacts,
    FileFacts,
    LoaderFacts,
    NeighbourFacts,
    OwnChoice,
    ParallelAxis,
    RawPointer,
    Reshard,
    RoleFacts,
    ShardFacts,
    TensorFacts,
)
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import ALL_ROLES, Effect, Severity
from ckpt_tui.formats.shared.bounds import MOST_RANKS

if TYPE_CHECKING:
    from enum import StrEnum

LARGEST = 2**63 - 1
"""No count, size, step or time in nanoseconds is larger; none is negative either."""

MOST_ITEMS = 1_000_000
"""No checkpoint has more files, shards, tensors or findings."""

LONGEST_TEXT = 10_000

_ENUMS: dict[str, type[StrEnum]] = {kind.__name__: kind for kind in (OwnChoice, Severity, Effect)}
_RECORDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        CheckpointFacts, CommitFacts, FileFacts, Finding, LoaderFacts, NeighbourFacts, ParallelAxis,
        RawPointer, Reshard, RoleFacts, ShardFacts, TensorFacts,
    )
}  # fmt: skip


def check_typed(value: object, wanted: type, place: str) -> None:
    """Checks one named tuple of the core and all that is in it.

    Args:
        value: What foreign code made.
        wanted: The named tuple that it has to be.
        place: What to call it in a message.

    Raises:
        TypeError: Something in it is of another type, or beyond all bounds; the message names it.
    """
    _check(value, wanted.__name__, place)
    if isinstance(value, CheckpointFacts):
        _check_meaning(value, place)


def _check(value: object, annotation: str, place: str) -> None:
    options = annotation.split(" | ")
    if value is None and "None" in options:
        return
    kind = options[0]
    if kind in _RECORDS:
        _check_record(value, _RECORDS[kind], place)
    elif kind.startswith(("tuple[", "frozenset[")):
        _check_items(value, kind, place)
    elif not _is_scalar(value, kind):
        raise TypeError(f"{place} is {shown(value)}, not {annotation}")


def _check_record(value: object, kind: type, place: str) -> None:
    if not isinstance(value, kind) or not isinstance(value, tuple):
        raise TypeError(f"{place} is {shown(value)}, not {kind.__name__}")
    for name, annotation in kind.__annotations__.items():
        text = annotation if isinstance(annotation, str) else annotation.__forward_arg__
        _check(getattr(value, name), text, f"{place}.{name}")


def _check_items(value: object, kind: str, place: str) -> None:
    container = tuple if kind.startswith("tuple[") else frozenset
    if not isinstance(value, container) or len(value) > MOST_ITEMS:
        raise TypeError(f"{place} is {shown(value)}, not {kind}")
    inner = kind.partition("[")[2].removesuffix("]").removesuffix(", ...")
    for number, item in enumerate(value):
        _check(item, inner, f"{place}[{number}]")


def _is_scalar(value: object, kind: str) -> bool:
    if kind in _ENUMS:
        return isinstance(value, _ENUMS[kind])
    if kind == "str":
        return isinstance(value, str) and len(value) <= LONGEST_TEXT
    if kind == "bool":
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if kind == "int":
        return isinstance(value, int) and 0 <= value <= LARGEST
    return kind == "float" and isinstance(value, int | float) and math.isfinite(value)


def _check_meaning(facts: CheckpointFacts, place: str) -> None:
    for number, role in enumerate(facts.roles):
        if role.role not in ALL_ROLES:
            raise TypeError(f"{place}.roles[{number}].role is {role.role!r:.80}, not a known role")
    for number, axis in enumerate(facts.axes):
        if not (axis.size and axis.stride):
            raise TypeError(f"{place}.axes[{number}] has a size or stride of 0")
    ranks = (
        facts.world_size or 0,
        len(facts.expected_ranks or ()),
        *(facts.expected_ranks or ()),
        *(shard.rank for shard in facts.shards),
        *(file.rank or 0 for file in facts.files),
    )
    if max(ranks) > MOST_RANKS:
        raise TypeError(f"{place} speaks of more than {MOST_RANKS} ranks")


def shown(value: object) -> str:
    """A value for a message: a foreign `repr` is not trusted to be short, or to work."""
    short = not isinstance(value, int) or abs(value) <= LARGEST
    if isinstance(value, str | int | float | bool | None) and short:
        return f"{value!r:.80}"
    return f"of type {type(value).__name__}"
